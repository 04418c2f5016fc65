import { selectDetectors } from "./detectors.ts";
import { type PackedWords, packWords } from "./word-index.ts";

let made: PackedWords | undefined;

/** Returns the keywords of all secrets, which are looked for in every event. The build puts the result in the place of this module. */
export function usualWords(): PackedWords {
  made ??= packWords(selectDetectors(["secrets/*"]).selected);
  return made;
}
