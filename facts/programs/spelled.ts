import { type Approximation, joined, phrase, type Text } from "../../schema/approximation.ts";
import { type Field, textOfField } from "../shell/fields.ts";

/** The parts of a target: known texts, words of the command, or nothing. */
type Part = Field | Text | undefined;

function textOf(part: Part): Text {
  if (part === undefined || typeof part === "string") return part ?? "";
  return "verbatim" in part ? textOfField(part) : (part as Approximation);
}

/** Fills a template with words of the command. An unknown word makes that part of the target unknown; blanks at the end are cut. */
export function spelled(texts: readonly string[], ...parts: readonly Part[]): Text {
  const made = parts.reduce<Text>(
    (before, part, i) => joined(joined(before, textOf(part)), texts[i + 1] ?? ""),
    texts[0] ?? "",
  );
  return typeof made === "string" ? made.trim() : made;
}

/** A target of words, blanks between them. */
export function wordsOf(...parts: readonly Part[]): Text {
  return phrase(...parts.map(textOf));
}
