import { spend } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";
import { soundsSecret } from "../shell/secret-names.ts";

/** Programs that print the words they are given. */
export const showing: ReadonlySet<string> = new Set(["echo", "printf", "print"]);

/** Programs through which a text is still seen, and those that put it on the screen. */
const passing: ReadonlySet<string> = new Set(
  "cat tee base64 base32 xxd od hexdump rev tac cut head tail tr sed awk grep fold sort nl less more strings".split(
    " ",
  ),
);

/** Variables as a word spells them: `$NAME`, `${NAME…}`; not their length, nor expansions that only tell whether they are set. */
const reference = /\$(?:([A-Za-z_]\w*)|\{!?([A-Za-z_]\w*)(?!\w)(?![:]?\+))/g;

/**
 * True if a command visibly prints an environment variable that sounds like a secret. Output into a file, or into a program
 * that takes a password on its input, is not shown.
 */
export function showsSecret(text: string, draft: Draft, all: readonly Draft[]): boolean {
  if (draft.redirects.some((one) => one.operator.startsWith(">") && one.descriptor <= 1 && one.operator !== ">&"))
    return false;
  const next = draft.pipedTo < 0 ? undefined : all[draft.pipedTo];
  if (next !== undefined && !passing.has(next.program)) return false;
  return draft.args.some((word) => {
    spend(2 + (Math.min(word.place.end - word.place.start, 4096) >> 4));
    if (word.place.start < 0) return false;
    const raw = text.slice(word.place.start, Math.min(word.place.end, word.place.start + 4096));
    // A default replaces the variable only if it is not set.
    if (word.kind === "literal" && (raw.startsWith("'") || !/\$\{\w+:?[-=]/.test(raw))) return false;
    // `${!name}` is the variable that `name` names.
    if (!raw.startsWith("'") && /\$\{!\w+\}/.test(raw)) return true;
    return [...raw.matchAll(reference)].some((found) => soundsSecret(found[1] ?? found[2] ?? ""));
  });
}
