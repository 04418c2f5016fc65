import { EvaluationError } from "../../schema/ports.ts";
import { mapTexts, placeOfField } from "./walk.ts";

/** Visits one text: its place `where`, and the name of the field that holds it, if any. */
export type VisitText = (text: string, where: string, key: string | undefined) => void;

/** Most fields of an object that are visited directly, without the general walk of payloads. */
const fewFields = 32;
/** Names of fields that mark data as not text. */
const telling: ReadonlySet<string> = new Set("type mimeType media_type mime_type data blob image_url url".split(" "));

/**
 * Shows every text of plain data, and every key of an object, as `mapTexts` does with `keys`: in the same order, with the
 * same bounds. The arguments of most calls are a few texts by name, which need nothing but that.
 */
export function visitTexts(value: unknown, visit: VisitText, root: string): EvaluationError | undefined {
  if (isFlat(value)) {
    for (const key of Object.keys(value)) {
      const field = value[key];
      if (typeof field === "string") visit(field, placeOfField(root, key), key);
      visit(key, root, undefined);
    }
    return undefined;
  }
  const map = (text: string, where: string, key: string | undefined): string => {
    visit(text, where, key);
    return text;
  };
  const walked = mapTexts(value, map, { root, keys: true });
  return walked instanceof EvaluationError ? walked : undefined;
}

/** True for an object of a few scalars, none of which could be media. */
function isFlat(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  let fields = 0;
  for (const key of Object.keys(value)) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    fields += 1;
    if (fields > fewFields || telling.has(key) || (typeof field === "object" && field !== null)) return false;
  }
  return true;
}
