import { spendText } from "../meter.ts";
import type { FindEdits, FindPlaces } from "./json-edit.ts";
import { isJson, jsonEdits } from "./json-edit.ts";
import type { Edit } from "./splice.ts";
import { splice } from "./splice.ts";

export type { FindEdits, FindPlaces } from "./json-edit.ts";
export { isJson, jsonEdits } from "./json-edit.ts";
export type { Edit } from "./splice.ts";
export { splice } from "./splice.ts";

/**
 * Returns the text with every find replaced; a JSON object or array stays valid JSON. In JSON, each string is decoded, its finds
 * are replaced, and everything else stays byte for byte. Finds across strings (a name and its value) are replaced if the result
 * is still JSON; otherwise the values they touch are replaced completely. `places` skips strings that cannot have a find. In
 * other text, a line that ends in JSON (JSON Lines, events, logs) still ends in JSON.
 */
export function editText(text: string, find: FindEdits, key?: string, places?: FindPlaces): string {
  return splice(text, isJson(text) ? jsonEdits(text, find, places) : plainEdits(text, find, key, places));
}

/** Edits of a text that is no JSON as a whole. */
export function plainEdits(
  text: string,
  find: FindEdits,
  key: string | undefined,
  places: FindPlaces | undefined,
): readonly Edit[] {
  const edits = find(text, key, false);
  if (!edits.some(({ start, end, text: put }) => put !== text.slice(start, end))) return edits;
  const made: Edit[] = [];
  let line: Line = { end: -1, json: -1 };
  for (let next = 0; next < edits.length; ) {
    const edit = edits[next] as Edit;
    // Each line is looked at once, however much is found in it.
    if (edit.start >= line.end) line = lineAt(text, edit.start);
    const { json, end } = line;
    if (json < 0 || edit.start < json || edit.end > end) {
      made.push(edit);
      next += 1;
      continue;
    }
    const own: Edit[] = [];
    for (; next < edits.length && (edits[next] as Edit).end <= end; next++) own.push(edits[next] as Edit);
    made.push(...jsonLine(text.slice(json, end), json, own, find, places));
  }
  return made;
}

/** End of a line, and start of the JSON at its end; -1 if there is none. */
interface Line {
  readonly end: number;
  readonly json: number;
}

function lineAt(text: string, at: number): Line {
  const from = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const to = text.indexOf("\n", at);
  const end = to < 0 ? text.length : to;
  const line = text.slice(from, end);
  spendText(line.length * 2);
  const json = line.search(/[[{]["[{\s\d-]/);
  return { end: Math.max(end, at + 1), json: json >= 0 && isJson(line.slice(json)) ? from + json : -1 };
}

/** Returns the edits of JSON in a text. If the JSON reading finds nothing to change, the edits found in it as text count. */
function jsonLine(
  json: string,
  start: number,
  own: readonly Edit[],
  find: FindEdits,
  places: FindPlaces | undefined,
): readonly Edit[] {
  const edits = jsonEdits(json, find, places);
  if (splice(json, edits) === json) return own;
  return edits.map((edit) => ({ start: start + edit.start, end: start + edit.end, text: edit.text }));
}
