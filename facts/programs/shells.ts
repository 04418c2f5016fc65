import type { Input } from "../shell/draft.ts";
import { type Field, literalField, withText } from "../shell/fields.ts";
import { type Grammar, given, optionList, readArguments } from "./grammar.ts";
import { joined } from "./runners.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

/** Options of the Bourne family; `-c` is a flag there: its text is the first operand. */
export const shellGrammar: Grammar = {
  options: optionList(`
    -c; -s; -i; -l --login; -n; -e; -u; -x; -v; -r --restricted; -o=; -O=; --rcfile --init-file=;
    --norc; --noprofile; --posix; --verbose; --version; --help
  `),
  stop: true,
  exact: true,
};

/** Shells of the Bourne family, read by one grammar. */
export const shellNames = ["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "yash"] as const;

/** Texts given to a shell: `-c`, a file made by `<(…)`, or its input. A script file is left to the shell's own row. */
const shells: Wrapper = {
  names: shellNames,
  unwrap(args, input) {
    const read = readArguments(
      shellGrammar,
      args.filter((word) => !/^\+[a-zA-Z]+$/.test(word.text)),
    );
    const [first, ...rest] = read.operands;
    if (given(read, "-n") && !given(read, "-c")) return undefined;
    if (given(read, "-c")) return first ? textOf(first, rest.slice(1)) : undefined;
    if (first && !given(read, "-s")) return substituted(first, rest);
    return fromInput(args[0], input, read.operands);
  },
};

function textOf(text: Field, positional: readonly Field[]): Unwrapped {
  return {
    self: text.kind === "unknown",
    inner: [{ kind: "text", text, positional }],
    ...(text.kind === "unknown" ? { doubt: "a shell runs text that is not known" } : {}),
  };
}

function substituted(file: Field, positional: readonly Field[]): Unwrapped | undefined {
  if (file.content === undefined) return undefined;
  if (file.content === null) return { self: true, inner: [], doubt: "a shell runs text that is not known" };
  return { self: false, inner: [{ kind: "text", text: literalField(file.content, file.place), positional }] };
}

function fromInput(at: Field | undefined, input: Input, positional: readonly Field[]): Unwrapped | undefined {
  if (input === undefined) return undefined;
  const place = at?.place ?? { start: -1, end: -1 };
  const atom = input?.atom;
  if (!atom || (atom.kind === "unknown" && atom.template === undefined))
    return { self: true, inner: [], doubt: "a shell runs text that is not known" };
  return textOf({ ...literalField(atom.text, place), ...atom }, positional);
}

/** `eval words`: joined and run by the same shell. */
const evaluation: Wrapper = {
  names: ["eval"],
  unwrap(args) {
    const words = args[0]?.text === "--" ? args.slice(1) : args;
    if (words.length === 0) return undefined;
    const text = joined(words);
    return {
      self: text.kind === "unknown",
      inner: [{ kind: "text", text, here: true }],
      ...(text.kind === "unknown" ? { doubt: "eval runs text that is not known" } : {}),
    };
  },
};

/** `source <(…)` with a known text; other files are left to the row of `source`. */
const source: Wrapper = {
  names: ["source", "."],
  unwrap(args, input) {
    const [file, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
    if (file?.text === "/dev/stdin") return fromInput(file, input ?? null, rest);
    const unwrapped = file && substituted(file, rest);
    return unwrapped && { ...unwrapped, inner: unwrapped.inner.map((one) => ({ ...one, here: true })) };
  },
};

/** `trap 'text' SIGNALS`: the text runs later. */
const trap: Wrapper = {
  names: ["trap"],
  unwrap(args) {
    const words = args.filter((word) => word.text !== "--");
    const [text] = words;
    if (!text || words.length < 2 || text.text === "-" || text.text === "" || text.text.startsWith("-"))
      return undefined;
    return { self: false, inner: [{ kind: "text", text }] };
  },
};

/** `alias name=text`: the text may run where aliases are expanded. */
const alias: Wrapper = {
  names: ["alias"],
  unwrap(args) {
    const inner = args.flatMap((word): Inner[] => {
      const equals = word.text.indexOf("=");
      if (equals <= 0) return [];
      return [{ kind: "text", text: withText(word, word.text.slice(equals + 1)), certain: false }];
    });
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Wrappers whose arguments or input are shell text: shells, `eval`, `source`, `trap`, `alias`. */
export const shellWrappers: readonly Wrapper[] = [shells, evaluation, source, trap, alias];
