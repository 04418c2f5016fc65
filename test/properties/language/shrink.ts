import { childrenOf } from "../../../compiler/parse/depth.ts";
import { parseExpression } from "../../../compiler/parse/expression.ts";
import { Source } from "../../../diagnostics/source.ts";
import { printExpression } from "../../../rules/print.ts";

/**
 * The smallest value found for which `fails` still holds: list items and keys are taken out, expressions give way to their
 * parts, one change at a time, until nothing more can go or `attempts` are used up.
 */
export function shrink<T>(value: T, fails: (candidate: T) => boolean, attempts = 600): T {
  let best = value;
  let left = attempts;
  for (let improved = true; improved && left > 0; ) {
    improved = false;
    for (const candidate of smaller(best) as Iterable<T>) {
      if (left-- <= 0) break;
      if (!fails(candidate)) continue;
      best = candidate;
      improved = true;
      break;
    }
  }
  return best;
}

/** Values with one thing less, the largest steps first. */
function* smaller(value: unknown): Generator<unknown> {
  if (typeof value === "string") yield* shorterTexts(value);
  if (typeof value !== "object" || value === null) return;
  const keys = Object.keys(value);
  for (const key of keys) yield without(value, key);
  for (const key of keys)
    for (const part of smaller((value as Record<string, unknown>)[key])) yield replaced(value, key, part);
}

function without(value: object, key: string): unknown {
  if (Array.isArray(value)) return value.filter((_, i) => String(i) !== key);
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
}

function replaced(value: object, key: string, part: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === key ? part : item));
  return Object.fromEntries(Object.entries(value).map(([each, item]) => [each, each === key ? part : item]));
}

/** Parts of a text that reads as an expression; halves of any other. */
function* shorterTexts(text: string): Generator<string> {
  const { expression, diagnostics } = parseExpression(new Source("shrink", text));
  const parts = diagnostics.length === 0 ? childrenOf(expression).map(printExpression) : [];
  yield* parts.filter((part) => part.length < text.length);
  if (text.length > 1) yield* [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
}
