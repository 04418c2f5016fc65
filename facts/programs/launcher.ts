import type { Field } from "../shell/fields.ts";
import { type Grammar, given, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
import { joined } from "./runners.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** How a launcher finds the command among its words. */
interface Launch {
  /** Words that must come first, one of them (`run`, `exec`). */
  readonly after?: readonly string[];
  /** Operands before the command. */
  readonly skip?: number;
  /** The command comes behind `--` only, or behind it if it is given. */
  readonly dashes?: boolean | "if given";
  /** The command comes behind one of these words only. */
  readonly behind?: readonly string[];
  /** The word of `after` is the program itself. */
  readonly keep?: boolean;
  /** The words are one shell text, not a command's words. */
  readonly text?: boolean;
  /** Every operand is a shell text of its own. */
  readonly texts?: boolean;
  /** Options whose values are shell texts that run in addition or instead. */
  readonly inline?: readonly string[];
  /** Option that names the working directory. */
  readonly directory?: string;
  /** Options under which nothing is run. */
  readonly idle?: readonly string[];
  /** True if the launcher also has effects of its own. */
  readonly self?: boolean;
}

/** Makes the wrapper of a program whose words hold a command. */
export function launcher(names: string, options: string, how: Launch = {}): Wrapper {
  const grammar: Grammar = { options: optionList(options), stop: true };
  return {
    names: names.split(" "),
    unwrap(args) {
      let read = readArguments(grammar, args);
      const before = how.after ? read.options : [];
      if (how.after) {
        if (!how.after.includes(read.operands[0]?.text ?? "")) return undefined;
        const word = read.operands[0] as Field;
        read = readArguments(grammar, read.operands.slice(1));
        if (how.keep) read = { ...read, operands: [word, ...read.operands.filter((one) => one.text !== "--")] };
      }
      if (how.idle?.some((name) => given(read, name))) return undefined;
      const all = { ...read, options: [...before, ...read.options] };
      const inline = (how.inline ?? []).flatMap((name) => valuesOf(all, name));
      const directory = how.directory === undefined ? undefined : valueOf(all, how.directory);
      const inner = [
        ...inline.map((text): Inner => ({ kind: "text", text })),
        ...commands(read.operands, args, how, directory),
      ];
      return inner.length > 0 ? { self: how.self === true, inner } : undefined;
    },
  };
}

function commands(
  operands: readonly Field[],
  args: readonly Field[],
  how: Launch,
  directory: Field | undefined,
): Inner[] {
  const marks = how.dashes ? ["--"] : how.behind;
  const cut = marks ? args.findIndex((word) => marks.includes(word.text)) : -1;
  if (marks && cut < 0 && how.dashes !== "if given") return [];
  const behind = cut >= 0 ? args.slice(cut + 1) : operands.slice(how.skip ?? 0);
  const words = behind[0]?.text === "--" ? behind.slice(1) : behind;
  if (words.length === 0) return [];
  if (how.texts) return words.map((text): Inner => ({ kind: "text", text }));
  if (how.text) return [{ kind: "text", text: joined(words) }];
  return [{ kind: "words", fields: words, external: true, ...(directory ? { cwd: directory } : {}) }];
}
