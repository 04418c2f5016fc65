/**
 * The tool matcher of a rule: canonical names or globs, where `*` stands for any run of characters and `?` for one.
 * No names at all match every event, with a tool or without. Linear in the name; compared case-sensitively.
 */
export function toolMatcher(patterns: readonly string[]): (tool: string | undefined) => boolean {
  if (patterns.length === 0) return () => true;
  if (patterns.includes("*")) return (tool) => tool !== undefined;
  const exact = new Set(patterns.filter((p) => !/[*?]/.test(p)));
  const globs = patterns.filter((p) => /[*?]/.test(p));
  const [only] = exact;
  // Most rules name one tool, and they are asked of every event.
  if (exact.size === 1 && globs.length === 0) return (tool) => tool === only;
  return (tool) => tool !== undefined && (exact.has(tool) || globs.some((glob) => matchesGlob(glob, tool)));
}

/** Greedy glob match with a single point to go back to, hence bounded by the product of both lengths. */
function matchesGlob(glob: string, name: string): boolean {
  let g = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    if (g < glob.length && (glob[g] === "?" || (glob[g] === name[n] && glob[g] !== "*"))) {
      g++;
      n++;
    } else if (glob[g] === "*") {
      star = g++;
      mark = n;
    } else if (star >= 0) {
      g = star + 1;
      n = ++mark;
    } else return false;
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}
