import type { Ir, Json } from "../../engine/plan.ts";
import { globFault } from "../../schema/tool-matcher.ts";
import type { Claim } from "../lint/claims.ts";
import { type PatternPart, patternTree } from "../lint/pattern-tree.ts";
import type { Clash } from "./ports.ts";

/** Sizes that one value may have under the tests of a conjunction: whole numbers from `low` to `high`. */
interface Sizes {
  low: number;
  high: number;
  /** There is a test of its size, and one of its content. */
  sized: boolean;
  filled: boolean;
  literal: boolean;
  last: Pick<Clash, "span" | "path">;
}

/** Finds the first value of a conjunction whose content needs another size than a test of its size leaves. */
export function sizeClash(
  terms: readonly Ir[],
  claimOf: (ir: Ir) => Claim | undefined,
  keyOf: (ir: Ir) => string,
): Clash | undefined {
  const values = new Map<string, Sizes>();
  for (const term of terms) {
    const said = contentOf(term) ?? saidBy(claimOf(term));
    if (!said) continue;
    const key = keyOf(said.of);
    const { span, path } = said;
    const now = values.get(key) ?? {
      ...{ low: 0, high: Number.POSITIVE_INFINITY, sized: false, filled: false, literal: true },
      last: { span, path },
    };
    now.low = Math.max(now.low, said.low);
    now.high = Math.min(now.high, said.high);
    now.sized ||= said.isSize;
    now.filled ||= !said.isSize;
    now.literal &&= said.literal;
    now.last = { span, path };
    values.set(key, now);
    if (now.sized && now.filled && now.low > now.high) return { ...now.last, literal: now.literal };
  }
  return undefined;
}

interface Said extends Pick<Clash, "span" | "path" | "literal"> {
  /** The value whose size it is about. */
  readonly of: Ir;
  readonly low: number;
  readonly high: number;
  readonly isSize: boolean;
}

/** An element with some property must be there. */
function contentOf(term: Ir): Said | undefined {
  if (term.k !== "loop" || (term.loop !== "exists" && term.loop !== "exists_one") || !term.at) return undefined;
  const span = { start: term.at[0], end: term.at[1] };
  return { of: term.list, low: 1, high: Number.POSITIVE_INFINITY, isSize: false, literal: true, span, path: "" };
}

function saidBy(claim: Claim | undefined): Said | undefined {
  if (!claim?.values) return undefined;
  const { subject, operator, values, isWritten, span, path } = claim;
  const base = { span, literal: isWritten };
  const item = itemOf(subject);
  if (item) return { ...base, ...from(item.at + 1), of: item.of, isSize: false, path };
  if (values.length === 0) {
    const isEmpty = operator === "equals" && claim.type.kind === "list";
    return isEmpty ? { ...base, low: 0, high: 0, of: subject, isSize: true, path } : undefined;
  }
  if (subject.k === "call" && /^(?:string|list)\.size$/.test(subject.fn)) {
    const [of] = subject.args;
    const range = rangeOf(operator, values);
    return of && range && { ...base, ...range, of, isSize: true, path };
  }
  const range = ["string", "list"].includes(claim.type.kind) ? neededBy(operator, values, claim.type.kind) : undefined;
  return range && { ...base, ...range, of: subject, isSize: false, path };
}

/** Returns the list and the index of the item that a field belongs to: `shell.commands[1].program`. */
function itemOf(subject: Ir): { readonly of: Ir; readonly at: number } | undefined {
  if (subject.k === "field") return itemOf(subject.of);
  if (subject.k !== "index" || subject.index.k !== "const" || typeof subject.index.value !== "number") return undefined;
  return { of: subject.of, at: subject.index.value };
}

type Range = Pick<Said, "low" | "high">;

const from = (low: number): Range => ({ low, high: Number.POSITIVE_INFINITY });

function rangeOf(operator: string, values: readonly Json[]): Range | undefined {
  if (!values.every((value): value is number => typeof value === "number")) return undefined;
  const [only = 0] = values;
  if (operator === "equals" || operator === "in") return { low: Math.min(...values), high: Math.max(...values) };
  if (operator === "lt") return { low: 0, high: Math.ceil(only) - 1 };
  if (operator === "le") return { low: 0, high: Math.floor(only) };
  if (operator === "gt") return from(Math.floor(only) + 1);
  return operator === "ge" ? from(Math.ceil(only)) : undefined;
}

/** Returns the sizes that a value can have if a test of its content holds. */
function neededBy(operator: string, values: readonly Json[], kind: string): Range | undefined {
  if (kind === "list") {
    if (operator === "contains" || operator === "contains_any") return from(1);
    return operator === "contains_all" ? from(new Set(values).size) : undefined;
  }
  if (!values.every((value): value is string => typeof value === "string")) return undefined;
  const sizes = values.map((value) => [...value].length);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  switch (operator) {
    case "equals":
    case "in":
      return { low: least, high: most };
    case "contains":
    case "contains_any":
    case "starts_with":
    case "ends_with":
      return from(least);
    case "contains_all":
      return from(most);
    case "matches":
      return from(Math.min(...values.map(leastMatched)));
    case "glob":
      return from(Math.min(...values.map(leastOfGlob)));
    default:
      return undefined;
  }
}

/** Returns the length of the shortest text that a pattern is found in. */
function leastMatched(pattern: string): number {
  const tree = pattern.length > 4_096 ? undefined : patternTree(pattern);
  return tree ? shortest(tree.ways) : 0;
}

function shortest(ways: readonly (readonly PatternPart[])[]): number {
  return Math.min(...ways.map((way) => way.reduce((sum, part) => sum + lengthOf(part), 0)));
}

function lengthOf(part: PatternPart): number {
  if (part.kind === "group") return part.least * shortest(part.ways);
  // The reader takes a character beyond the first plane as two halves.
  if (part.kind === "literal") return /^[\udc00-\udfff]/.test(part.text) ? 0 : part.least;
  return part.kind === "one" ? part.least : 0;
}

/** Counts the characters that every match of a glob has, where it has no sets and alternatives. */
function leastOfGlob(glob: string): number {
  if (/[[{\\]/.test(glob) || globFault(glob) !== undefined) return 0;
  // `**/` may stand for nothing.
  return [...glob.replaceAll(/\*\*\/|\*/g, "")].length;
}
