import { isSlip, suggest } from "../../diagnostics/suggest.ts";
import type { Type } from "../../rules/types.ts";
import type { Claim } from "./claims.ts";
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

/** Finds a word without quotes that another YAML takes for a truth value, as the value of an argument of any type. */
export function yesOrNo({ type, operator, path }: Claim, text: string, written: string): WrongShape | undefined {
  if (type.kind === "dyn" && operator === "equals" && /^args\.\w+$/.test(path) && /^(?:true|false)$/.test(text))
    return {
      why: `\`"${text}"\` in quotes is a text, and no truth value`,
      help: `write \`${text}\`, or \`[${text}, "${text}"]\` where some hosts send the text`,
      seen: "in part",
    };
  const isTruth = type.kind === "dyn" && (operator === "equals" || operator === "in") && written === text;
  if (isTruth && /^(?:None|nil|undefined|NULL|nullptr)$/.test(text))
    return {
      why: `\`${text}\` is a text here, and no argument that is absent`,
      help: "write `{ present: false }`",
      seen: "in part",
    };
  const meant = isTruth ? truths.get(text.toLowerCase()) : undefined;
  if (meant === undefined) return undefined;
  return {
    why: `\`${text}\` without quotes is a text, and no truth value`,
    help: `write \`${meant}\`, or \`"${text}"\` where the argument is this word`,
    instead: `${meant}`,
    seen: "in part",
  };
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "on", "y"].map((word) => [word, true] as const),
  ...["no", "off", "n"].map((word) => [word, false] as const),
]);

/** Finds line breaks and tabs by their names outside of double quotes, where a backslash is a backslash. */
export function escapeInText({ operator }: Claim, text: string): WrongShape | undefined {
  if (operator === "matches" || operator === "glob" || !/^(?:\\[rnt])+$/.test(text)) return undefined;
  return {
    why: `\`${text}\` are these letters, and no line break or tab`,
    help: `write it in double quotes: \`"${text}"\``,
    seen: "in part",
  };
}
