import { suggest } from "../../../diagnostics/suggest.ts";
import { groupNames, groupsIn } from "../../captures.ts";
import { type Claim, textValues } from "../claims.ts";
import { expressionInText } from "../expression-texts.ts";
import type { Finding, Lint } from "../lint.ts";
import { countOfRepetitions } from "../pattern-slips.ts";
import type { LintedRule, PlacedScalar } from "../policy.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: syntax of other languages is plain text here: `${x}` and `{{x}}` in texts, `$1` in replacements, `/x/i` in patterns. */
export const otherPlaceholder: Lint = {
  code: "HW678",
  name: "other-placeholder",
  why: "Shells, templates and other regular expressions write a value, a group or a count in a way of their own. Here such a sign is text: the reader sees it as it stands, and a pattern looks for it.",
  advice: "Write `{name}` in a text, `{match[1]}` in a replacement, and `(?i)` and `{0,3}` in a pattern.",
  bad: [
    {
      title: "values in a text",
      at: ["'not ${c.text}'", "'{{ c.text }} is not for agents'"],
      policy: `  - id: publish
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: publish }
    action: ask
    reason: 'not \${c.text}'
  - id: start
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: start }
    action: ask
    reason: '{{ c.text }} is not for agents'
`,
    },
    {
      title: "a group in a text",
      at: ["'the server $1 is not for agents'"],
      policy: `  - id: servers
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: ssh, c.text: { matches: '@(\\w+)' } }
    action: ask
    reason: 'the server $1 is not for agents'
`,
    },
    {
      title: "groups in replacements",
      at: ["'$1[REDACTED]'", "'\\1[REDACTED]'", "1"],
      policy: `  - id: keys
    event: tool_result
    action:
      redact:
        patterns:
          - { name: key, regex: '(key=)\\S+', replacement: '$1[REDACTED]' }
          - { name: pin, regex: '(pin=)\\d+', replacement: '\\1[REDACTED]' }
          - { name: code, regex: 'code=\\w+', secret: 1, min_entropy: 3 }
`,
    },
    {
      title: "a pattern between slashes, and a count without its beginning",
      at: ["'/deploy (prod|staging)/i'", "'^go{,3}gle'"],
      policy: `  - id: prompts
    event: input
    when: { any: [{ input.text: { matches: '/deploy (prod|staging)/i' } }, { input.text: { matches: '^go{,3}gle' } }] }
    action: ask
    reason: it is about what others use
`,
    },
    {
      title: "a group of a pattern that is called like a fact",
      at: ["'{host} is not for agents'"],
      policy: `  - id: hosts
    event: tool_call
    tool: search
    when: { args.query: { matches: '(?P<host>[a-z]+)[.]test' } }
    action: ask
    reason: '{host} is not for agents'
`,
    },
    {
      title: "a pattern between slashes, under an operator that compares letters",
      at: ["/password/i"],
      policy: `  - id: words
    event: input
    when: { input.text: { contains: /password/i } }
    action: block
    reason: it stays with you
`,
    },
    {
      title: "an expression as a text",
      at: [`"args.command + ' --dry-run'"`, "args.path"],
      policy: `  - id: dry
    event: tool_call
    tool: bash
    when: { args.command: { starts_with: deploy } }
    action: { modify: { set: { command: "args.command + ' --dry-run'" } } }
  - id: reads
    event: tool_call
    tool: read
    when: { args.path: { within: secrets } }
    action: block
    reason: args.path
`,
    },
  ],
  good: [
    {
      title: "braces, dollars and slashes that are meant",
      policy: `  - id: publish
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.text: { matches: '^/usr/bin/i' } }, { c.text: { matches: 'x\\{,3}' } }] }
    action: ask
    reason: '{c.text} costs $5, says {{"price": 5}} and {{HOME}}'
  - id: keys
    event: tool_result
    action:
      redact:
        patterns:
          - { name: key, regex: '(key=)\\S+', replacement: "{match[1]}[REDACTED]" }
          - { name: price, regex: 'price \\d+', replacement: 'price $1' }
`,
    },
  ],
  claim(claim, { policy }) {
    for (const { text, index } of textValues(claim)) {
      const found =
        claim.operator === "matches"
          ? patternSign(text, /^(?:path|url)/.test(claim.field ?? ""))
          : signsInText(text, claim);
      if (found) return { span: policy.valueSpan(claim, index), ...found };
    }
    return undefined;
  },
  rule(rule) {
    if (!rule.typed) return [];
    const { start, end } = rule.node.span;
    const found = scalarsIn(rule).flatMap(
      (scalar) => expressionInText(scalar, rule) ?? inText(scalar, rule) ?? groupInText(scalar, rule) ?? [],
    );
    const kept = rule.does("record")
      ? rule.policy.scalarsIn({ start, end }).flatMap((scalar) => keptText(scalar, rule) ?? [])
      : [];
    return [...found, ...kept, ...markersOf(rule), ...patternsOf(rule).flatMap((pattern) => inPattern(pattern) ?? [])];
  },
};

type Said = Pick<Finding, "message" | "help">;

function patternSign(text: string, isPlace: boolean): Said | undefined {
  if (text.length > 4_096) return undefined;
  if (/(?<=[\w)] )\.\.\.(?= [\w(-]|$)/.test(text))
    return { message: "`...` stands for any three characters in a pattern", help: "write `.*` for any words between" };
  const [, body, flags = ""] = /^\/(.+)\/([gimsuy]{0,6})$/s.exec(text) ?? [];
  if (body !== undefined && !isPlace && (flags === "" ? isAnchored(body) : isPattern(body) || isWord(body, flags))) {
    const signs = flags === "" ? "slashes" : "slashes and the flags behind them";
    return { message: `the ${signs} belong to the pattern here`, help: `write \`${plainPattern(body, flags)}\`` };
  }
  return countOfRepetitions(text);
}

/** Signs of a pattern, and a blank, that a folder seldom has. */
function isPattern(body: string): boolean {
  return /[\\()|[\]*+?^$ ]/.test(body);
}

/** Anchors, which no folder between two slashes can have. */
function isAnchored(body: string): boolean {
  return body.startsWith("^") || /(?<!\\)\$$/.test(body);
}

/** A single word with usual flags; a drive of Windows below `/mnt` looks the same. */
function isWord(body: string, flags: string): boolean {
  return /^[\w-]+$/.test(body) && body !== "mnt" && /^(?:i|gi|ig|g|im|is)$/.test(flags);
}

/** A pattern of JavaScript or Perl in our spelling. */
function plainPattern(body: string, flags: string): string {
  const kept = /[ims]/.test(flags) ? `(?${[...new Set(flags.replace(/[^ims]/g, ""))].join("")})` : "";
  return `${kept}${body.replaceAll("\\/", "/").slice(0, 80)}`;
}

/** Texts that are no place; authors test parts of them by a pattern. */
const texts: ReadonlySet<string> = new Set([
  ...["args.command", "args_raw.command", "command", "command.text", "command.subcommand", "shell.text"],
  ...["input.text", "result.text", "message.text", "args.prompt", "args.description", "args.content"],
]);

/** Finds signs of a pattern, or quotes round the whole, where an operator compares letters. */
function signsInText(text: string, claim: Claim): Said | undefined {
  const { operator, field, path } = claim;
  if ((!texts.has(field ?? path) && !texts.has(path)) || text.length > 4_096) return undefined;
  if (!isWhole(operator) && !/^(?:contains|starts_with|ends_with)/.test(operator)) return undefined;
  const between = slashes(text, claim);
  if (between) return between;
  const inner = isWhole(operator) ? /^(["'])([^"']+)\1$/.exec(text)?.[2] : undefined;
  if (inner !== undefined) return { message: "the quotes belong to the text here", help: `write \`${inner}\`` };
  // The content of a file may end in one.
  if (/\S\n$/.test(text) && (isWhole(operator) || path !== "args.content"))
    return {
      message: "the text ends in a line break, which `|` and `>` keep",
      help: "write `|-` or `>-`, or one line",
    };
  const anchor = operator === "starts_with" ? /^\^(?=[\w(])/ : operator === "ends_with" ? /(?<=[\w)])\$$/ : undefined;
  const sign = patternSigns.exec(text)?.[0] ?? anchor?.exec(text)?.[0];
  if (sign === undefined) return undefined;
  const message = `\`${operator}\` compares letter by letter, \`${sign}\` too; a pattern stands under \`matches\``;
  return { message, help: `write \`{ matches: ${quoted(text.slice(0, 80))} }\`` };
}

/** Signs of a pattern that a command seldom has: `.*` within a word or before one, classes, and groups of words. */
const patternSigns =
  /(?<=[\w)\]"-])\.[*+](?=[\s\w":/-])|(?<=\s)\.[*+](?=[\w":-])|\\[sSdDwWb](?![A-Za-z])[*+?]?|\((?:\?:)?[\w-]+(?:\|[\w-]+)+\)/;

/** Finds a pattern between slashes where an operator compares letters. */
function slashes(text: string, { operator }: Claim): Said | undefined {
  const [, body, flags = ""] = text.length > 4_096 ? [] : (/^\/(.+)\/([gimsuy]{0,6})$/s.exec(text) ?? []);
  if (body === undefined) return undefined;
  if (!isWhole(operator) && !/^(?:contains|starts_with|ends_with)/.test(operator)) return undefined;
  const isSure = isWhole(operator)
    ? isPattern(body) || !body.includes("/")
    : !/(?<!\\)\//.test(body) &&
      (/[\\()|[\]+?^$]|\.\*/.test(body) || isWord(body, flags) || /^[a-z][\w-]* [a-z-]/.test(body));
  if (!isSure) return undefined;
  const message = `the slashes are part of the text here; a pattern stands under \`matches\``;
  return { message, help: `write \`{ matches: ${quoted(plainPattern(body, flags))} }\`` };
}

/** A pattern as YAML takes it. */
function quoted(pattern: string): string {
  return /^[\w][\w .-]*$/.test(pattern) ? pattern : `'${pattern.replaceAll("'", "''")}'`;
}

/** Texts of a rule that readers see, by the last key of their place. */
const shownKeys: ReadonlySet<string> = new Set(["reason", "guidance", "prompt", "message", "content"]);

function scalarsIn({ node, policy }: LintedRule): readonly PlacedScalar[] {
  const { start, end } = node.span;
  return policy.scalarsIn({ start, end }).filter(({ path }) => shownKeys.has(path.at(-1) ?? "") || isSet(path));
}

/** Finds a field of the rule's events as a plain text, where `record` keeps what stands in braces. */
function keptText({ node, path }: PlacedScalar, rule: LintedRule): Finding | undefined {
  if (path.at(-2) !== "fields" || typeof node.value !== "string") return undefined;
  const name = /^([a-z_]\w*)(?:\.[a-z_]\w*)+$/.exec(node.value)?.[1];
  if (name === undefined || !isName(name, rule)) return undefined;
  const message = `the words \`${node.value}\` are kept, and no value`;
  return { span: node.span, message, help: `write \`"{${node.value}}"\`` };
}

/** True for an argument that `modify` sets. */
function isSet(path: PlacedScalar["path"]): boolean {
  return path.at(-2) === "set";
}

function inText({ node, path }: PlacedScalar, rule: LintedRule): Finding | undefined {
  if (typeof node.value !== "string" || node.value.length > 65_536) return undefined;
  const dollar = /\$\{\s*([a-z_]\w*)(?:\.[\w.]+)?\s*\}/.exec(node.value);
  const braces =
    /(?<!\$)\{\{\s*([a-z_]\w*)\.[\w.]+\s*\}\}|\$\{\{\s*(?!(?:secrets|github|env|vars|matrix|needs|inputs)\.)([a-z_]\w*)\.[\w.]+\s*\}\}/.exec(
      node.value,
    );
  const bare = /(?<![\w$\\])\$([a-z_]\w*)\.[a-z_]\w*(?:\.\w+)*/.exec(node.value);
  const percent = /(?<![%\w])%([a-z_]\w*)\.[a-z_]\w*(?:\.\w+)*/.exec(node.value);
  const angled = /<([a-z_]\w*)\.[a-z_]\w*(?:\.\w+)*>/.exec(node.value);
  // In a command of one's own the other signs are those of a shell.
  const isDotted = dollar?.[0].includes(".") ? dollar : undefined;
  const signs = isSet(path) ? [isDotted, braces] : [dollar, braces, bare, percent, angled];
  const found = signs.find((one) => one && isName(one[1] ?? one[2] ?? "", rule));
  if (!found) return isSet(path) ? ownValue(node, path) : formatSign(node, rule);
  const inner = found[0].replace(/^(?:\$?\{+\s*|[$%<])|(?:\s*\}+|>)$/g, "");
  return {
    span: node.span,
    message: found[0].startsWith("${")
      ? `a dollar sign is shown before the value of \`${inner}\``
      : `\`${found[0]}\` is shown as it stands, with a name in it and no value`,
    help: `write \`{${inner}}\``,
  };
}

/** Finds the argument that is set behind a dollar sign in its own new value: `prompt: "Mind this. $prompt"`. */
function ownValue({ value, span }: PlacedScalar["node"], path: PlacedScalar["path"]): Finding | undefined {
  const name = path.at(-1) ?? "";
  const found = /(?<![\w$\\])\$(?:\{(?:args\.)?)?([a-z_]\w*)\}?/.exec(String(value));
  if (!found || found[1] !== name) return undefined;
  return {
    span,
    message: `\`${found[0]}\` stands in the new value as it is`,
    help: `write \`{args.${name}}\`, and ask with \`args.${name}: { present: true }\` that it is there`,
  };
}

/** Finds the place of a value in the language of C and Python, and an empty one. */
function formatSign({ value, span }: PlacedScalar["node"], { typed }: LintedRule): Finding | undefined {
  if (/\bprintf\b|`/.test(String(value))) return undefined;
  const sign = /(?<![%\d])%[sd](?!\w)/.exec(String(value))?.[0];
  if (sign === undefined) return undefined;
  const name = typed?.each ? `${typed.each.name}.…` : "tool.name";
  return {
    span,
    message: `nothing stands for \`${sign}\` in a text`,
    help: `write the value in braces, as \`{${name}}\``,
  };
}

/** Finds a group of the rule's pattern in the spelling of another language. An amount of money has no word behind it. */
function groupInText({ node }: PlacedScalar, { claims }: LintedRule): Finding | undefined {
  if (typeof node.value !== "string" || node.value.length > 65_536) return undefined;
  const patterns = claims.filter(({ operator, part }) => operator === "matches" && part === "when").flatMap(textValues);
  if (patterns.length === 0) return undefined;
  const found = /(?:\$\{?|\\)([1-9])\}?(?![\d.,]|\s*(?:k|m|per|a|an|each)\b)/i.exec(node.value);
  const shadowed = shadowedGroup(node.value, patterns);
  if (shadowed) return { span: node.span, ...shadowed };
  const group = Number(found?.[1] ?? Number.NaN);
  if (!found || !patterns.some(({ text }) => groupsIn(text) >= group)) return undefined;
  const message = `\`${found[0]}\` stands in the text as it is`;
  return { span: node.span, message, help: `write \`{match[${group}]}\`` };
}

/** Finds a group that is called like a fact: its name in braces is the fact, and the group has only a number. */
function shadowedGroup(text: string, patterns: readonly { readonly text: string }[]): Said | undefined {
  const groups = new Map(patterns.flatMap((pattern) => [...groupNames(pattern.text)]));
  if (groups.size === 0) return undefined;
  for (const [, name = ""] of text.matchAll(/(?<!\{)\{\s*([A-Za-z_]\w*)\s*\}/g)) {
    const group = groups.get(name);
    if (group === undefined) continue;
    const message = `\`{${name}}\` is the fact \`${name}\`, and the pattern has a group of this name`;
    return { message, help: `write \`{match[${group}]}\` for the group, or give the group another name` };
  }
  return undefined;
}

function isName(name: string, { typed, environment }: LintedRule): boolean {
  return typed?.each?.name === name || environment.variables.has(name);
}

/** Finds a placeholder in the marker of a `truncate` that is no count: a marker has only these two. */
function markersOf({ draft }: LintedRule): readonly Finding[] {
  return draft.actions.flatMap(({ name, parameters }) => {
    const marker = name === "truncate" ? parameters?.entries.find(({ key }) => key === "marker")?.value : undefined;
    if (marker?.kind !== "scalar" || typeof marker.value !== "string") return [];
    const text = marker.value.slice(0, 4_096);
    const [, sign, word = ""] =
      /(\$?\{{1,2}\s*([A-Za-z_][\w.]*)\s*\}{1,2}|%[sd](?!\w))/.exec(
        text.replaceAll(/(?<![{$])\{(?:omitted|total)\}(?!\})/g, ""),
      ) ?? [];
    if (sign === undefined) return [];
    const meant =
      suggest(word.toLowerCase(), ["omitted", "total"]) ?? (/total|all|length|size/i.test(word) ? "total" : "omitted");
    const message = `\`${sign}\` is shown as it stands: a marker has the counts \`{omitted}\` and \`{total}\` alone`;
    return [{ span: marker.span, message, help: `write \`{${meant}}\`` }];
  });
}

interface WrittenPattern {
  readonly regex: string;
  readonly parts: ReadonlyMap<string, PlacedScalar["node"]>;
}

function patternsOf({ draft }: LintedRule): readonly WrittenPattern[] {
  return draft.actions.flatMap(({ name, parameters }) => {
    const list = name === "redact" ? parameters?.entries.find(({ key }) => key === "patterns")?.value : undefined;
    return (list?.kind === "list" ? list.items : []).flatMap((item): WrittenPattern[] => {
      if (item.kind !== "map") return [];
      const parts = new Map(item.entries.flatMap(({ key, value }) => (value.kind === "scalar" ? [[key, value]] : [])));
      const regex = parts.get("regex")?.value;
      return typeof regex === "string" ? [{ regex, parts }] : [];
    });
  });
}

/** Finds a group in the spelling of another language, or one that the pattern does not have. */
function inPattern({ regex, parts }: WrittenPattern): Finding | undefined {
  const groups = groupsIn(regex);
  const has = `the pattern has ${groups === 0 ? "no group" : groups === 1 ? "one group" : `${groups} groups`}`;
  const help = groups === 0 ? "put the part in `(…)`" : `write a number from 0 to ${groups}`;
  const secret = parts.get("secret");
  if (typeof secret?.value === "number" && secret.value > groups)
    return { span: secret.span, message: `${has}, so that ${secret.value} is the whole match`, help };
  const replacement = parts.get("replacement");
  if (!replacement || typeof replacement.value !== "string") return undefined;
  const text = replacement.value.slice(0, 4_096);
  const missing = [...text.matchAll(/\{match\[(\d{1,3})\]\}/g)].find(([, number]) => Number(number) > groups);
  if (missing)
    return { span: replacement.span, message: `${has}, so that nothing stands for \`{match[${missing[1]}]}\``, help };
  const names = groupNames(regex);
  const named = [...text.matchAll(/(?:\$?\{|\$<|\\g<)([A-Za-z_]\w*)[>}]/g)].find(([, name = ""]) => names.has(name));
  if (named) {
    const message = `\`${named[0]}\` stands in the replacement as it is`;
    return { span: replacement.span, message, help: `write \`{match[${names.get(named[1] ?? "")}]}\`` };
  }
  const found = /\$(?:\{(\d{1,2})\}|(\d{1,2}))|\\(\d)/.exec(text);
  const group = Number(found?.[1] ?? found?.[2] ?? found?.[3] ?? Number.NaN);
  if (!found || !(group <= groups) || (group === 0 && !found[0].startsWith("$"))) return undefined;
  const message = `\`${found[0]}\` stands in the replacement as it is`;
  return { span: replacement.span, message, help: `write \`{match[${group}]}\`` };
}
