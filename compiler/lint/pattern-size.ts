interface Group {
  /** Places in the group so far. */
  sum: number;
  /** Places in the part that a count behind it would multiply. */
  last: number;
}

/**
 * Returns the number of places of a regular expression with its counts expanded: `a{50}` has 50, `(?:a{50}){20}` has 1,000.
 * RE2 may visit a character of the text once for each of them. One pass; never more than the true number.
 */
export function patternSize(pattern: string): number {
  const open: Group[] = [{ sum: 0, last: 0 }];
  for (let at = 0; at < pattern.length; ) at += step(pattern, at, open);
  return open.reduce((sum, group) => sum + group.sum, 0);
}

/** Takes one piece of the pattern; gives its length. */
function step(pattern: string, at: number, open: Group[]): number {
  const group = open.at(-1) as Group;
  const c = pattern[at] as string;
  if (c === "(") {
    const head = /^\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:|[a-zA-Z-]*\)))?/.exec(pattern.slice(at, at + 80))?.[0] ?? c;
    if (!head.endsWith(")")) open.push({ sum: 0, last: 0 });
    return head.length;
  }
  if (c === ")") {
    if (open.length === 1) return 1;
    open.pop();
    grow(open.at(-1) as Group, group.sum);
    return 1;
  }
  if ("|^$*+?".includes(c)) return 1;
  const count = c === "{" ? /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(pattern.slice(at, at + 12)) : null;
  if (count) {
    const most = Number(count[2] || count[1]);
    group.sum += group.last * Math.max(0, most - 1);
    return count[0].length;
  }
  grow(group, 1);
  return atomLength(pattern, at);
}

function grow(group: Group, by: number): void {
  group.sum += by;
  group.last = by;
}

function atomLength(pattern: string, at: number): number {
  if (pattern[at] === "[") return classEnd(pattern, at) - at;
  if (pattern[at] !== "\\") return 1;
  const braced = /[pPx]/.test(pattern[at + 1] ?? "") && pattern[at + 2] === "{" ? pattern.indexOf("}", at) : -1;
  return braced < 0 ? 2 : braced + 1 - at;
}

/** Offset behind a class; the first character of one is never its end. */
function classEnd(pattern: string, start: number): number {
  const first = start + (pattern[start + 1] === "^" ? 2 : 1);
  for (let at = first; at < pattern.length; at++) {
    const c = pattern[at];
    if (c === "]" && at > first) return at + 1;
    const named = c === "[" && pattern[at + 1] === ":" ? pattern.indexOf(":]", at + 2) : -1;
    if (c === "\\") at++;
    else if (named >= 0) at = named + 1;
  }
  return pattern.length;
}
