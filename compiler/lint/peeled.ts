import { wrapperOf } from "../../facts/programs/wrappers.ts";
import { literalField } from "../../facts/shell/fields.ts";

const nowhere = { start: -1, end: -1 };

/** True for a wrapper: the words after it are judged as the command. */
export function isPeeled(name: string): boolean {
  return [["ls"], ["1", "ls"]].some((words) => {
    const given = words.map((text) => literalField(text, nowhere));
    const unwrapped = wrapperOf(name)?.unwrap(given, undefined);
    return unwrapped !== undefined && !unwrapped.self && unwrapped.inner.some(({ kind }) => kind === "words");
  });
}
