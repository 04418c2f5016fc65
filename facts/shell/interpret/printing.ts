import type { Draft, Output } from "../draft.ts";
import type { Store } from "./store.ts";

/** Shells whose `echo` reads escapes without an option. */
const reading: ReadonlySet<string> = new Set(["sh", "dash", "ash", "zsh", "mksh", "ksh", "yash"]);

/**
 * Returns the certain output of a command. Output of `echo` and `printf` counts only if every shell of its kind reads the text
 * alike; otherwise it is not known.
 */
export function surelyPrinted(
  draft: Draft,
  output: Output | undefined,
  dialect: string,
  store: Store,
): Output | undefined {
  if (!output) return output;
  if (draft.program === "echo" && !isPlainEcho(draft, dialect, store)) return undefined;
  return draft.program === "printf" && !isPlainFormat(draft.args[0]?.text ?? "", draft) ? undefined : output;
}

function isPlainEcho({ args }: Draft, dialect: string, store: Store): boolean {
  const from = args.findIndex((word) => !/^-[neE]+$/.test(word.text));
  const flags = from < 0 ? args : args.slice(0, from);
  const isRead = reading.has(dialect);
  if (flags.length > 0 && isRead) return false;
  // Shells differ on numeric escapes and those that end the text; with `-e`, bash reads the digits after `x` and `0`.
  if (isRead || store.option("xpg_echo") !== "off") return args.every((word) => !/\\(?:[0-9xuUcE]|$)/.test(word.text));
  const isTold = flags.some((word) => word.text.includes("e"));
  return (
    !isTold ||
    args.every((word) => !/\\(?:[1-9uUcE]|x(?:[89a-fA-F][0-9a-fA-F]|[^0-9a-fA-F]|$)|0[2-7]\d\d|$)/.test(word.text))
  );
}

/** True for a format with plain directives, and for values that the escapes in `%b` do not end. */
export function isPlainFormat(format: string, { args }: Pick<Draft, "args">): boolean {
  if (/%(?!%|[sbqd])|%[qd]|\\[cU]/.test(format.replace(/%[sb%]/g, ""))) return isDecimal(format, args);
  return !format.includes("%b") || args.every((word) => !/\\[cU0-9]/.test(word.text));
}

/** `%d` of numbers prints them as they are. */
function isDecimal(format: string, args: Draft["args"]): boolean {
  return (
    /^(?:[^%\\]|%[ds%]|\\[nt])*$/.test(format) && args.slice(1).every((word) => /^(?:0|[1-9]\d*)$/.test(word.text))
  );
}
