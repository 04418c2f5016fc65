/** Characters that end a line for some readers of a file and not for others, by the end of the file's path. */
interface LineEnds {
  readonly path: RegExp;
  readonly ends: RegExp;
}

/**
 * Source: YAML 1.1, section 5.4 (PyYAML, libyaml, go-yaml, Psych and YamlDotNet end a line at each; YAML 1.2 does not); Python's
 * `str.splitlines`, by which pip, honcho and django-environ read; JavaScript's `^` and `$`, by which dotenv reads; JSON5.
 */
const lineEnds: readonly LineEnds[] = [
  { path: /\.ya?ml$/i, ends: /[\u0085\u2028\u2029]/g },
  {
    path: /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.flaskenv|[\w-]+\.env|Procfile[\w.-]*|(?:requirements|constraints)[\w.-]*\.(?:txt|in)|requirements\/[\w.-]+\.(?:txt|in)|[\w.-]+\.pth)$/i,
    ends: /[\v\f\u001c-\u001e\u0085\u2028\u2029]/g,
  },
  {
    path: /\.(?:json5|jsonc|code-workspace)$|(?:^|\/)(?:settings[\w.-]*|tasks|launch|deno|\.?devcontainer)\.json$/i,
    ends: /[\u2028\u2029]/g,
  },
];

/** Languages in which a vertical tab and a form feed are blanks. */
const blankFeeds = /\.(?:py|[cm]?[jt]sx?|rb|p[lm]|php|lua|rs|go|swift|kts?|scala|cs|hs|ml|gradle|groovy)$/i;
const pathEnd = 512;

/**
 * Returns a written text as its readers may read it: once for each way in which they end lines, and with control characters
 * replaced, because the shell parser accepts none and no file may hide behind one. A lone carriage return ends a line for some
 * (dotenv, Python, JSON) and is a character for others (shells). A text without such characters has one way.
 */
export function asRead(path: string, text: string): readonly string[] {
  if (!/[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029]/.test(text)) return [text];
  const end = path.slice(-pathEnd);
  const plain = text.replaceAll("\r\n", "\n").replace(/[\u0000\u0001\u007f]/g, "");
  const ways = new Set([plain]);
  if (plain.includes("\r")) ways.add(plain.replaceAll("\r", "\n"));
  for (const row of lineEnds) if (row.path.test(end)) ways.add(plain.replace(row.ends, "\n").replaceAll("\r", "\n"));
  const hasBlankFeeds = blankFeeds.test(end);
  // The way with the most lines comes first: its effects are listed with their own names.
  return [...ways]
    .reverse()
    .map((one) => (hasBlankFeeds ? one.replace(/[\v\f]/g, " ") : one).replace(/[\u0002-\u0008\u000b-\u001f]/g, "_"));
}
