import { limits } from "../schema/limits.ts";

/** Levels that the YAML library may recurse: far more than a policy has, far fewer than the stack. */
const bound = limits.yamlDepth * 8;

/**
 * Returns the offset at which a YAML text is nested so deep that reading it could exhaust the stack; otherwise undefined. It must
 * run before the library reads the text: if the stack is nearly full, the runtime ends the process when it compiles a regular
 * expression, which cannot be caught. Counts flow brackets, `- ` chains and growing indentation, and over-counts inside strings;
 * linear in the text.
 */
export function nestedTooDeep(text: string): number | undefined {
  let brackets = 0;
  const indents: number[] = [];
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const { indent, chain, at } = leadOf(text, start, end);
    if (at < end || chain > 0) {
      while (indents.length > 0 && (indents.at(-1) as number) >= indent) indents.pop();
      indents.push(indent);
      // A list may have the indentation of its key, hence two levels for each.
      if (indents.length * 2 + chain > bound) return Math.min(at, end - 1);
    }
    for (let i = at; i < end; i++) {
      const c = text.charCodeAt(i);
      if (c === 0x5b || c === 0x7b) brackets++;
      else if ((c === 0x5d || c === 0x7d) && brackets > 0) brackets--;
      if (brackets > bound) return i;
    }
    start = end + 1;
  }
  return undefined;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Returns the column of a line's first text, and the number of block indicators (`- `, `? `, `: `) before it. */
function leadOf(text: string, start: number, end: number): { indent: number; chain: number; at: number } {
  let chain = 0;
  let at = start;
  let indent = -1;
  for (; at < end; at++) {
    const c = text[at] as string;
    if (c === " " || c === "\t" || c === "\r") continue;
    if (indent < 0) indent = at - start;
    const next = text[at + 1];
    const isIndicator = (c === "-" || c === "?" || c === ":") && (next === " " || next === "\t" || at + 1 >= end);
    if (!isIndicator) break;
    chain++;
  }
  return { indent, chain, at };
}
