import { limits } from "../../schema/limits.ts";
import { spend } from "../meter.ts";

/**
 * Brace expansion on raw text, before any other expansion, as bash does it. Quotes, escapes and `$…`
 * groups are opaque to it. Undefined when more than `limits.braceWords` words, or more text than a
 * command may have, would come out.
 */
export function expandBraces(raw: string): string[] | undefined {
  const done: string[] = [];
  let produced = 0;
  const open: { text: string; from: number }[] = [{ text: raw, from: 0 }];
  while (open.length > 0) {
    const item = open.pop();
    if (!item) break;
    produced += item.text.length;
    spend(1 + (item.text.length >> 3));
    if (produced > 4 * limits.shellLength) return undefined;
    const group = firstGroup(item.text, item.from);
    if (!group) {
      done.push(item.text);
      if (done.length > limits.braceWords) return undefined;
      continue;
    }
    const head = item.text.slice(0, group.start);
    const tail = item.text.slice(group.end);
    if (open.length + done.length + group.items.length > limits.braceWords) return undefined;
    for (let i = group.items.length - 1; i >= 0; i--)
      open.push({ text: head + group.items[i] + tail, from: head.length });
  }
  return done;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

/** The first brace group at or after `from` that expands. One scan: unclosed or plain braces are skipped. */
function firstGroup(text: string, from: number): Group | undefined {
  const stack: { start: number; commas: number[] }[] = [];
  let best: Group | undefined;
  for (let i = from; i < text.length; i = next(text, i)) {
    const character = text[i];
    const top = stack.at(-1);
    if (character === "{") stack.push({ start: i, commas: [] });
    else if (character === "," && top) top.commas.push(i);
    else if (character === "}" && top) {
      stack.pop();
      const group = closed(text, top.start, i, top.commas);
      if (group && (!best || group.start < best.start)) best = group;
      if (best && stack.length === 0) return best;
    }
  }
  return best;
}

/** Position after the character, quote, escape or expansion at `i`. */
function next(text: string, i: number): number {
  const character = text[i];
  if (character === "\\") return i + 2;
  if (character === "'" || character === '"' || character === "`") return skip(text, i + 1, character);
  if (character === "$" && text[i + 1] === "{") return balanced(text, i + 1, "{", "}");
  if (character === "$" && text[i + 1] === "(") return balanced(text, i + 1, "(", ")");
  return i + 1;
}

function skip(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === "\\" && quote !== "'") i += 1;
    else if (text[i] === quote) return i + 1;
  }
  return text.length;
}

function balanced(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === open) depth += 1;
    else if (text[i] === close) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function closed(text: string, start: number, end: number, commas: readonly number[]): Group | undefined {
  if (commas.length > 0) {
    const cuts = [start, ...commas, end];
    return { start, end: end + 1, items: cuts.slice(1).map((cut, i) => text.slice((cuts[i] as number) + 1, cut)) };
  }
  const items = range(text.slice(start + 1, end));
  return items && { start, end: end + 1, items };
}

/** `1..9`, `01..10`, `a..e`, with an optional step. Over the bound it is cut, which the caller sees as too many. */
function range(body: string): string[] | undefined {
  const match = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(body);
  if (!match) return undefined;
  const [, first = "", last = "", by] = match;
  const letters = /[A-Za-z]/.test(first);
  if (letters !== /[A-Za-z]/.test(last)) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  const items: string[] = [];
  for (let i = 0; i * step <= Math.abs(to - from) && items.length <= limits.braceWords; i++) {
    const value = from <= to ? from + i * step : from - i * step;
    items.push(letters ? String.fromCharCode(value) : String(value).padStart(width, "0"));
  }
  return items;
}
