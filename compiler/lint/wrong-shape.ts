/** Why a field never has a text, and what to write. */
export interface WrongShape {
  readonly why: string;
  readonly help: string;
  readonly instead?: string;
  /** Set if the test can still hold, but tests only part of the text. */
  readonly seen?: "in part";
}

/** The fault of a text as a value of one field, or undefined. `operator` is that of a YAML test. */
export type Shape = (text: string, operator: string) => WrongShape | undefined;

/** Whether an operator of a YAML test compares the whole text with its values. */
export const isWhole = (operator: string): boolean => operator === "equals" || operator === "in";

/** Returns the fault of a text that matches `never`, with the text to write instead. */
export function without(text: string, never: RegExp, instead: string, why: string): WrongShape | undefined {
  if (!never.test(text)) return undefined;
  return instead === "" || never.test(instead)
    ? { why, help: "write it as the field has it" }
    : { why, help: `write \`${instead}\``, instead };
}
