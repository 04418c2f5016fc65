import type { Draft } from "../shell/draft.ts";
import { type Field, literalField } from "../shell/fields.ts";

/** Returns the value of a variable that a command sets for its program, or that its shell has set before. */
export function setVariable(draft: Draft, name: string): Field | undefined {
  const atom = draft.env.get(name) ?? draft.moved.findLast(([one]) => one === name)?.[1];
  return atom && { ...literalField(atom.text, draft.place), ...atom };
}
