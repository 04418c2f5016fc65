import type { Expression } from "../../rules/ast.ts";
import { isRecord, printType, type Type } from "../../rules/types.ts";

/** One side of a comparison that can never hold. */
interface Side {
  readonly type: Type;
  readonly written: Expression;
}

/** Help for two sides that can never be equal. `textAt` gives the author's own spelling of a literal. */
export function comparisonHelp(left: Side, right: Side, textAt: (span: Expression["span"]) => string): string {
  if (left.type.kind === "null" || right.type.kind === "null") return "test presence with `has(…)`";
  if (left.type.kind === "optional" || right.type.kind === "optional") return "write `.orValue(…)` on the optional";
  if (left.type.kind === "list") return "test an item with `contains`, or several with `containsAny` and `containsAll`";
  const literal = spelling(left.type, right, textAt) ?? spelling(right.type, left, textAt);
  if (literal !== undefined) return `write \`${literal}\``;
  const fields = textFields(left.type);
  if (fields.length > 0) {
    const path = textAt(left.written.span);
    const shown = /^[\w.]{1,60}$/.test(path) ? path : "…";
    return `compare a field of it: ${fields.map((field) => `\`${shown}.${field}\``).join(", ")}`;
  }
  const text = textual(left.type);
  return text === printType(left.type) ? `write ${article(text)} on both sides` : "compare it with a string";
}

/** The type that an author writes to compare with one of these. */
export function textual(type: Type): string {
  return isRecord(type, "path") || isRecord(type, "url") ? "string" : printType(type);
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

const truths: Readonly<Record<string, string>> = {
  true: "true",
  yes: "true",
  on: "true",
  "1": "true",
  false: "false",
  no: "false",
  off: "false",
  "0": "false",
};

/** Returns a literal in the spelling that the other side needs: a number with quotes, `"true"` and `yes` without. */
function spelling(wanted: Type, { written }: Side, textAt: (span: Expression["span"]) => string): string | undefined {
  if (written.kind !== "literal") return undefined;
  const { type, value } = written;
  const text = textual(wanted) === "string";
  if (text && (type === "int" || type === "double" || type === "bool")) {
    const own = textAt(written.span);
    return `"${/^[-+\w.]{1,40}$/.test(own) ? own : String(value)}"`;
  }
  if (wanted.kind === "bool") return truths[String(value).toLowerCase()];
  const number = typeof value === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return (wanted.kind === "int" || wanted.kind === "double") && number ? value : undefined;
}

/** Fields of a record that hold a text, the telling ones first. */
function textFields(type: Type): readonly string[] {
  if (type.kind !== "record" || isRecord(type, "path") || isRecord(type, "url")) return [];
  const fields = [...type.fields()].filter(([, field]) => field.type.kind === "string").map(([name]) => name);
  return fields.slice(0, 3);
}
