import { spend, spendText } from "../meter.ts";
import type { Input } from "../shell/draft.ts";
import { type Field, literalAtom, literalField, unknownAtom, withText } from "../shell/fields.ts";
import { originIn } from "../shell/written.ts";
import { type Grammar, given, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
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
export const shellNames = [
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "rbash",
  "yash",
  "mrsh",
  "oil",
  "ysh",
] as const;

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

/** Unwraps a text that is given to a shell. The shell's own command shows the origin of the text. */
function textOf(text: Field, positional: readonly Field[], doubt = "a shell runs text that is not known"): Unwrapped {
  const inner: Inner[] = [{ kind: "text", text, positional }];
  if (text.kind === "unknown") return { self: true, inner, doubt };
  return text.origin ? { self: true, inner, analysed: true } : { self: false, inner };
}

/** Unwraps a file that a shell runs: made by `<(…)`, or written by the same text. */
function substituted(file: Field, positional: readonly Field[]): Unwrapped | undefined {
  if (file.content === undefined) return undefined;
  const made = file.text.startsWith("/dev/fd/");
  const texts = file.holds ?? [file.content === null ? unknownAtom : literalAtom(file.content)];
  const inner = texts.flatMap((text, i): Inner[] => {
    if (text.kind === "unknown" && text.template === undefined) return [];
    const certain = i === texts.length - 1 && file.varies !== true;
    const field = { ...literalField(text.text, file.place), ...text };
    const script = file.kind === "literal" && !made ? { script: file.text } : {};
    return [{ kind: "text", text: field, positional, certain, file: !made, ...script }];
  });
  if (texts.at(-1)?.kind === "unknown")
    return { self: true, inner, doubt: made ? "a shell runs text that is not known" : unknownFile };
  return made && file.origin === undefined ? { self: false, inner } : { self: true, inner, analysed: true };
}

const unknownFile = "a file is run whose text is not known";

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
    const run = textOf({ ...joined(words), ...originIn(words) }, [], "eval runs text that is not known");
    return { ...run, inner: run.inner.map((one) => ({ ...one, here: true })) };
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
    // A single word without quotes may be the text and the signals.
    if (text && isNothing(text) && (words.length > 1 || text.open))
      return { self: true, inner: [], doubt: "a trap runs text that is not known" };
    if (!text || words.length < 2 || text.text === "-" || text.text === "" || text.text.startsWith("-"))
      return undefined;
    const later = words.slice(1).every((word) => word.kind === "literal" && ending.test(word.text));
    return { self: false, inner: [{ kind: "text", text, later }] };
  },
};

const otherGrammar: Grammar = {
  options: optionList(
    "-c --command --commands=; -C --init-command=; -e --execute=; -l --login; -i --interactive; -f; -n; -N",
  ),
  stop: true,
};
/** Words and signs of other languages: a text without them is one of plain commands in each of these shells. */
const ownWords =
  /[(){}`<>%@^]|\b(?:if|for|foreach|while|until|switch|case|function|def|begin|end|let|set|setenv|alias|use|fn)\b/;

/** Shells with another language; their plain commands are read as those of any shell. */
const otherShells: Wrapper = {
  names: ["fish", "csh", "tcsh", "nu", "xonsh", "elvish", "ion", "murex", "osh"],
  unwrap(args) {
    const read = readArguments(otherGrammar, args);
    const inner = ["-c", "-C", "-e"]
      .flatMap((name) => valuesOf(read, name))
      .filter((text) => text.kind === "literal" && !ownWords.test(text.text))
      .map((text): Inner => ({ kind: "text", text, certain: false }));
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** The end of the shell, and the signals that bring it. */
const ending = /^(?:0|EXIT|(?:SIG)?(?:INT|TERM|HUP|QUIT)|1|2|3|15)$/i;

/** `alias name=text`: the text may run where aliases are expanded. */
const alias: Wrapper = {
  names: ["alias"],
  unwrap(args) {
    const inner = args.flatMap((word): Inner[] => {
      const equals = word.text.indexOf("=");
      if (equals <= 0) return [];
      return [{ kind: "text", text: withText(word, word.text.slice(equals + 1)), certain: false }];
    });
    if (args.some((word) => isNothing(valueIn(word))))
      return { self: true, inner, doubt: "an alias stands for text that is not known" };
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Returns the text of `alias name=text`, or the whole word where an unknown part may be both name and text. */
function valueIn(word: Field): Field {
  const equals = word.text.indexOf("=");
  return equals > 0 ? withText(word, word.text.slice(equals + 1)) : withText(word, "");
}

/** True for a wholly unknown text. */
function isNothing({ kind, text }: Field): boolean {
  return kind === "unknown" && text.trim() === "";
}

/** `crontab file`, `at -f file TIME` and their input: the commands run later, and each by a shell. */
const scheduled: Wrapper = {
  names: ["crontab", "at", "batch"],
  unwrap(args, input) {
    const read = readArguments(scheduleGrammar, args);
    if (["-l", "-r", "-c", "-d", "-e"].some((name) => given(read, name))) return undefined;
    const named = valueOf(read, "-f") ?? read.operands.find((word) => word.content !== undefined);
    const texts = named?.holds ?? (named || !input?.atom ? [] : [input.atom]);
    const inner = texts.flatMap((text): Inner[] => {
      const whole = text.template ?? text.text;
      const lines = cronLines(whole);
      const body = lines.length > 0 ? lines.join("\n") : whole;
      const place = named?.place ?? args[0]?.place ?? { start: -1, end: -1 };
      return [
        { kind: "text", text: { ...literalField(body, place), kind: text.kind, template: body }, certain: false },
      ];
    });
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

const scheduleGrammar: Grammar = {
  options: ["-u=", "-l", "-r", "-e", "-i", "-f=", "-q=", "-m", "-M", "-v", "-t=", "-c", "-d", "-b"],
  exact: true,
};

/** Returns the commands of crontab lines: the text behind five time fields, or behind `@reboot` and the like. */
export function cronLines(text: string): string[] {
  const commands: string[] = [];
  spendText(text.length);
  for (const line of text.split("\n")) {
    spend(1 + (line.length >> 2));
    const match =
      /^\s*(?:@[a-z]+|(?:[\d*,/LW#?-]+[ \t]+){2}[\w*,/#?-]+[ \t]+[\w*,/#?-]+[ \t]+[\w*,/#?-]+)[ \t]+(\S.*)$/s.exec(
        line,
      );
    if (match) commands.push(match[1] as string);
  }
  return commands;
}

/** Wrappers whose arguments or input are shell text: shells, `eval`, `source`, `trap`, `alias`, and what runs text later. */
export const shellWrappers: readonly Wrapper[] = [shells, otherShells, evaluation, source, trap, alias, scheduled];
