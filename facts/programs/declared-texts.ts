import type { Pieces } from "../../schema/approximation.ts";
import { spendText } from "../meter.ts";
import { type Field, literalField, piecesOf, unknownField, unknownVariable } from "../shell/fields.ts";

const nowhere = { start: 0, end: 0 };
const holeText = `\${${unknownVariable}}`;

/** Returns the field for a word that is missing or unknown in the call. */
export function missingField(of: string): Field {
  return {
    ...unknownField(nowhere, false),
    template: holeText,
    known: { pieces: [{ hole: "tail", of }], text: "" },
  };
}

/** Joins texts and words to one word. A lone word stays as it is; between others, a glob is an unknown part. */
export function joinFields(parts: readonly (string | Field)[]): Field {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "object") return only;
  const pieces: Pieces = parts.flatMap((part): Pieces => (typeof part === "string" ? [part] : piecesIn(part)));
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : "")).join("");
  spendText(text.length);
  const tilde = typeof only === "string" && only.startsWith("~");
  if (parts.every((part) => typeof part === "string" || part.kind === "literal"))
    return { ...literalField(text, nowhere), tilde };
  const template = pieces.map((piece) => (typeof piece === "string" ? piece : holeText)).join("");
  const open = parts.some((part) => typeof part === "object" && part.open);
  return { ...unknownField(nowhere, open, text), template, known: { pieces, text }, tilde };
}

function piecesIn(field: Field): Pieces {
  if (field.kind === "literal") return [field.text];
  return field.kind === "pattern" ? [{ hole: "tail", of: field.text }] : piecesOf(field);
}
