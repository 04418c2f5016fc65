import { literalAtom } from "../fields.ts";
import type { Node } from "../syntax.ts";
import { anyValue, eitherOf, isText, opened, type Value } from "./value.ts";

/** A variable: its value, the attributes that change assigned values, and the epoch of unseen code in which it was set. */
export interface Binding {
  readonly value: Value;
  readonly exported: boolean;
  /** Letters of `declare`: read-only, integer, upper and lower case, a name for another variable, associative. */
  readonly attributes: string;
  /** True if it has these attributes on some paths only. */
  readonly wavering?: true;
  readonly epoch: number;
}

/** The locals of a function call, with their bindings before the call. `sure` is false if only some paths made them local. */
export type Frame = ReadonlyMap<string, { readonly before: Binding | undefined; readonly sure: boolean }>;

/** A function that the text defines. */
export interface FunctionBody {
  readonly name: string;
  readonly body: Node;
}

/** The bodies that a name may call; with `open` also an unknown one. */
export interface Callable {
  readonly bodies: readonly FunctionBody[];
  readonly open: boolean;
}

/** The status of a command, as `$?` has it. */
export type Status = "ok" | "fail" | "either";

/** The state of an option of the shell. */
export type Setting = "on" | "off" | "either";

/** A text that the shell runs as it ends, and the events that run it. */
export interface EndText<Store> {
  readonly source: string;
  /** True if it runs at any end of the shell; false if only a signal runs it. */
  readonly isAtExit: boolean;
  /** True if signals run it, whether or not the exit does too. */
  readonly isBySignal: boolean;
  readonly run: (store: Store) => void;
}

/** Applies the attributes of a variable to an assigned value. */
export function attributed(value: Value, { attributes, wavering }: Binding): Value {
  const changed = (change: (text: string) => string): Value => ({
    candidates: value.candidates.map((one) =>
      isText(one) && one.kind === "literal" ? literalAtom(change(one.text)) : one,
    ),
    open: value.open || value.candidates.some((one) => !isText(one) || one.kind !== "literal"),
  });
  let result = value;
  if (attributes.includes("u")) result = changed((text) => text.toUpperCase());
  if (attributes.includes("l")) result = changed((text) => text.toLowerCase());
  if (attributes.includes("i")) {
    const isNumber = value.candidates.every((one) => isText(one) && one.kind === "literal" && /^\d+$/.test(one.text));
    result = isNumber ? value : anyValue;
  }
  // Elements of an associative array are placed by their names.
  if (attributes.includes("A")) result = opened(result);
  return wavering ? opened(eitherOf([result, value])) : result;
}
