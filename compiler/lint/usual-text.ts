import { isSlip, suggest } from "../../diagnostics/suggest.ts";
import type { Type } from "../../rules/types.ts";
import type { WrongShape } from "./wrong-shape.ts";

/**
 * The fault of a text that no host gives for a field, or undefined. Where hosts have words of their own beside the known
 * ones, only a text in other letter case or one slip away from a known one is a fault.
 */
export function unusualText(type: Type, text: string, operator: string): WrongShape | undefined {
  if (type.kind !== "string" || !type.usual || (operator !== "equals" && operator !== "in")) return undefined;
  const { texts, others, whole } = type.usual;
  if (text === "" || texts.includes(text)) return undefined;
  const lower = text.toLowerCase().replaceAll("-", "_");
  const other = Object.hasOwn(others, lower) ? others[lower] : undefined;
  const meant = texts.includes(lower) ? lower : other;
  if (meant !== undefined) return { why: `hosts give \`${meant}\``, help: `write \`${meant}\``, instead: meant };
  const slip = texts.find((one) => one.length > 3 && isSlip(lower, one));
  if (slip === undefined && !whole) return undefined;
  const near = slip ?? suggest(text, texts);
  const known = `known here: ${texts.map((one) => `\`${one}\``).join(", ")}`;
  return { why: "no host gives it", help: near === undefined ? known : `did you mean \`${near}\`?` };
}
