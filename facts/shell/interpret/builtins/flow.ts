import type { Field } from "../../fields.ts";
import type { Status } from "../binding.ts";
import { fails, type Outcome } from "../outcome.ts";
import type { Store } from "../store.ts";
import type { Builtin, Invoked } from "./builtin.ts";

/** Ends a command with a given status, or with that of the command before it. */
function statusFrom([word]: readonly Field[], store: Store): Status {
  if (!word) return store.status;
  if (word.kind !== "literal" || !/^\d{1,9}$/.test(word.text)) return "either";
  return Number(word.text) % 256 === 0 ? "ok" : "fail";
}

/** `exit`. */
export const exitShell: Builtin["run"] = ({ args, store }) => {
  store.status = statusFrom(args, store);
  return { exit: store };
};

/** `return`: outside of a function and of a file that is sourced it only fails. */
export const returnFrom: Builtin["run"] = ({ machine, args, store }): Outcome => {
  const { calls, nesting } = machine.around;
  if (calls.length === 0 && nesting === 0) {
    const left = store.fork();
    left.status = statusFrom(args, store);
    return { ...fails(store), ret: left };
  }
  store.status = statusFrom(args, store);
  return { ret: store };
};

// Loops in loops; a text that leaves more is not followed.
const most = 16;

function levelOf([word]: readonly Field[]): number | undefined {
  if (!word) return 0;
  const level = word.kind === "literal" && /^[1-9]\d{0,3}$/.test(word.text) ? Number(word.text) - 1 : undefined;
  return level !== undefined && level < most ? level : undefined;
}

/** Returns stores for the loops that a jump may leave: the given one, the outermost, or any if the number is unknown. */
function leaving({ args, store, machine }: Invoked): readonly (Store | undefined)[] {
  const level = levelOf(args);
  const { loops } = machine.around;
  if (level === undefined) return Array.from({ length: Math.min(4, Math.max(1, loops)) }, () => store.fork());
  return [...Array.from({ length: Math.min(level, Math.max(0, loops - 1)) }, () => undefined), store];
}

/** `break`. */
export const breakLoop: Builtin["run"] = (invoked) => {
  invoked.store.status = "ok";
  return { brk: leaving(invoked) };
};

/** `continue`. */
export const continueLoop: Builtin["run"] = (invoked) => {
  invoked.store.status = "ok";
  return { cont: leaving(invoked) };
};
