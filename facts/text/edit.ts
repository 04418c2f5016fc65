import type { FindEdits, FindPlaces } from "./json-edit.ts";
import { isJson, jsonEdits } from "./json-edit.ts";
import { splice } from "./splice.ts";

export type { FindEdits, FindPlaces } from "./json-edit.ts";
export { isJson, jsonEdits } from "./json-edit.ts";
export type { Edit } from "./splice.ts";
export { splice } from "./splice.ts";

/**
 * The text with every find replaced; text that is a JSON object or array stays valid JSON. There, each string is
 * decoded, its finds are replaced, and all else stays as it is written, byte for byte. Finds that reach across strings (a
 * name and its value) are made when the result is still JSON, else the values they touch are replaced as a whole.
 * `places` spares looking at strings one by one in which there can be nothing.
 */
export function editText(text: string, find: FindEdits, key?: string, places?: FindPlaces): string {
  return splice(text, isJson(text) ? jsonEdits(text, find, places) : find(text, key, false));
}
