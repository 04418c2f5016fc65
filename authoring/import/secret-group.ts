/** A pattern in which only the secret is replaced, and the text around the replacement. */
export interface SecretPattern {
  readonly regex: string;
  /** The replacement before and after the token: `{match[1]}` and `{match[3]}` if there is something to keep. */
  readonly before: string;
  readonly after: string;
  /** Number of the secret's group. */
  readonly secret: number;
}

interface Group {
  /** Offset of its `(`, and the offset after its `)`. */
  readonly start: number;
  end: number;
  /** Offset after `(`, `(?:`, `(?i:` or `(?P<name>`. */
  readonly body: number;
  readonly captures: boolean;
  readonly depth: number;
}

interface Shape {
  readonly groups: readonly Group[];
  /** Flags such as `(?i)` outside all groups, which apply to the rest: their offsets and texts. */
  readonly flags: readonly { readonly at: number; readonly text: string }[];
  /** True if there is a top-level alternative: the text around the group may then be absent from the match. */
  readonly alternatives: boolean;
}

/**
 * Rewrites a pattern so that only its secret is replaced: the parts before and after the secret's group become groups, and
 * all other groups stop capturing. `secretGroup` is 0 if the pattern names none; then the secret is the only group, as in
 * gitleaks. Undefined if the group is not surely part of each match (inside another group, repeated, in an alternative, one
 * of several). Then the whole match must be replaced.
 */
export function isolateSecret(regex: string, secretGroup: number): SecretPattern | undefined {
  const shape = shapeOf(regex);
  if (!shape || shape.alternatives) return undefined;
  const capturing = shape.groups.filter(({ captures }) => captures);
  if (capturing.length === 0) return undefined;
  const group = capturing[secretGroup === 0 ? 0 : secretGroup - 1];
  if (!group || group.depth > 0 || /^[*+?{]/.test(regex.slice(group.end))) return undefined;
  if (secretGroup === 0 && capturing.some(({ start }) => start > group.end)) return undefined;
  return split(regex, shape, group);
}

function split(regex: string, shape: Shape, group: Group): SecretPattern {
  const flags = (until: number): string =>
    shape.flags
      .filter(({ at }) => at < until)
      .map(({ text }) => text)
      .join("");
  const part = (from: number, to: number): string => withoutCaptures(regex, shape.groups, from, to);
  const [prefix, secret, suffix] = [
    part(0, group.start),
    part(group.body, group.end - 1),
    part(group.end, regex.length),
  ];
  // Flags alone match no text to keep.
  const kept = /^(?:\(\?[a-zA-Z-]*\))*$/.test(prefix) ? "" : `(${prefix})`;
  const rest = suffix === "" ? "" : `(${flags(group.end)}${suffix})`;
  return {
    regex: `${kept}${flags(group.start)}(${secret})${rest}`,
    before: kept === "" ? "" : "{match[1]}",
    after: rest === "" ? "" : `{match[${kept === "" ? 2 : 3}]}`,
    secret: kept === "" ? 1 : 2,
  };
}

/** Returns a part of the pattern in which groups do not capture. */
function withoutCaptures(regex: string, groups: readonly Group[], from: number, to: number): string {
  let out = "";
  let at = from;
  for (const { start, body, captures } of groups) {
    if (!captures || start < from || start >= to) continue;
    out += `${regex.slice(at, start)}(?:`;
    at = body;
  }
  return out + regex.slice(at, to);
}

/** Returns the groups in the order in which they open; undefined for an invalid pattern. One pass. */
function shapeOf(regex: string): Shape | undefined {
  const groups: Group[] = [];
  const flags: { at: number; text: string }[] = [];
  const open: Group[] = [];
  let alternatives = false;
  for (let at = 0; at < regex.length; ) {
    const c = regex[at];
    if (c === "\\") {
      at = afterEscape(regex, at);
    } else if (c === "[") {
      at = afterClass(regex, at);
    } else if (c === "(") {
      const opening = /^\((?:\?(?:P?<\w+>|[a-zA-Z-]*[:)]))?/.exec(regex.slice(at, at + 200))?.[0] ?? "(";
      if (/^\(\?[a-zA-Z-]*\)$/.test(opening)) {
        if (open.length === 0) flags.push({ at, text: opening });
      } else {
        const captures = !opening.startsWith("(?") || opening.endsWith(">");
        const group: Group = { start: at, end: -1, body: at + opening.length, captures, depth: open.length };
        groups.push(group);
        open.push(group);
      }
      at += opening.length;
    } else {
      if (c === ")") {
        const closed = open.pop();
        if (!closed) return undefined;
        closed.end = at + 1;
      }
      if (c === "|" && open.length === 0) alternatives = true;
      at += 1;
    }
  }
  return open.length > 0 ? undefined : { groups, flags, alternatives };
}

/** Returns the offset after `\x`, or after the `\E` of quoted text. */
function afterEscape(regex: string, at: number): number {
  if (regex[at + 1] !== "Q") return at + 2;
  const end = regex.indexOf("\\E", at);
  return end < 0 ? regex.length : end + 2;
}

/** Returns the offset after the `]` of a class; a `]` in first position is one of its characters. */
function afterClass(regex: string, from: number): number {
  let at = from + (regex[from + 1] === "^" ? 2 : 1);
  if (regex[at] === "]") at += 1;
  while (at < regex.length && regex[at] !== "]") {
    const named = regex[at] === "[" && regex[at + 1] === ":" ? regex.indexOf(":]", at + 2) : -1;
    if (named > 0) at = named + 2;
    else at += regex[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}
