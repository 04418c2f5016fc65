import { type Field, knownBeginning, literalField, withText } from "../shell/fields.ts";
import { quotedTexts } from "../text/quoted.ts";
import { type Grammar, optionList, readArguments, valuesOf } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** Line range of a command: `%`, `1,5`, `.,$`. Each part can match in one way only, so that a long range is read once. */
const range = String.raw`(?:\d+(?:,[%$.\d]*|[%$.][%$.\d]*)?|,[%$.\d]*|[%$.][%$.\d]*)`;
const taking = "(?:r|read|w|write|te|term|terminal)";
const running = new RegExp(
  String.raw`^[:\s]*(?:silent!?\s+|exe(?:cute)?\s+["']\s*)?(?:${range}${taking}?\s*|${taking}\s*)?!(.*)$`,
  "s",
);

/** Returns the shell text in an editor's command: `!text`, `:!text`, `silent !text`, `r !text`, `w !text`, `call system('text')`. */
function editorText(value: Field): Field[] {
  // A command with an unknown beginning may be any.
  if (value.kind === "unknown" && /^[:\s]*$/.test(knownBeginning(value))) return [value];
  const direct = running.exec(value.text)?.[1];
  const call = /\b(?:system(?:list)?|termopen|jobstart|os\.execute|io\.popen)\(\s*(["'])(.*?)\1/s.exec(value.text)?.[2];
  const text = direct ?? call;
  return text === undefined ? [] : [withText(value, text)];
}

const viOptions = "-c=; --cmd=; -S=; -u=; -i=; -t=; -w=; -T=; -R --readonly; -e -E; -n; -N; --headless; --clean";
const viGrammar: Grammar = { options: optionList(`${viOptions}; -s=`) };
/** In ex mode `-s` is silent and takes no script. */
const exGrammar: Grammar = { options: optionList(`${viOptions}; -s`) };
const exMode = /^-[A-DF-Za-df-z]*[eE][A-Za-z]*$/;

function viArguments(ex: boolean, words: readonly Field[]): ReturnType<typeof readArguments> {
  return readArguments(ex || words.some((word) => exMode.test(word.text)) ? exGrammar : viGrammar, words);
}

/** Commands that a call gives to an editor of the vi family: `-c text`, `--cmd text`, `+text`. */
function viCommands(ex: boolean, words: readonly Field[]): Field[] {
  const read = viArguments(ex, words);
  const plus = words.filter((word) => word.text.startsWith("+")).map((word) => withText(word, word.text.slice(1)));
  return [...valuesOf(read, "-c"), ...valuesOf(read, "--cmd"), ...plus];
}

function viWrapper(names: readonly string[], ex: boolean): Wrapper {
  return {
    names,
    unwrap(args) {
      const inner = viCommands(ex, args)
        .flatMap(editorText)
        .map((text): Inner => ({ kind: "text", text }));
      return inner.length > 0 ? { self: true, inner } : undefined;
    },
  };
}

/** Lisp that runs a shell text, and lisp that runs a program with words. */
const shellForm =
  /\(\s*(?:async-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"|\(\s*call-process-shell-command\s+"((?:[^"\\]|\\.)*)"/g;
const processForm = /\(\s*(call-process|start-process|process-lines)\b([^()]{0,2048})/g;

const emacsGrammar: Grammar = {
  options: optionList(
    "-eval --eval --execute -execute -e=; -f -funcall --funcall=; -l -load --load=; -Q; -q; -nw; -batch --batch; -script --script=; -u --user=; -L --directory=; --file -file --find-file --visit=; --chdir=",
  ),
  single: true,
};

const emacs: Wrapper = {
  names: ["emacs", "emacsclient"],
  unwrap(args) {
    const inner = valuesOf(readArguments(emacsGrammar, args), "--eval").flatMap((code) => [
      ...[...code.text.matchAll(shellForm)].map((found): Inner => {
        return { kind: "text", text: withText(code, unescaped(found[1] ?? found[2] ?? "")) };
      }),
      ...[...code.text.matchAll(processForm)].map((found): Inner => {
        const words = quotedTexts(found[1] as string).map((one) => withText(code, unescaped(one)));
        return { kind: "words", fields: words, external: true };
      }),
    ]);
    const found = inner.filter((one) => one.kind === "text" || one.fields.length > 0);
    return found.length > 0 ? { self: true, inner: found } : undefined;
  },
};

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}

const debuggerGrammar: Grammar = {
  options: optionList(
    "-ex --eval-command -iex --init-eval-command=; -o --one-line=; -O --one-line-before-file=; -x --command=; -p --pid=; -c --core=; -s --source=; -batch --batch; -q; --args -args",
  ),
  single: true,
};

/** `gdb -ex 'shell text'`, `lldb -o 'platform shell text'`: the debugger hands the text to a shell. */
const debuggers: Wrapper = {
  names: ["gdb", "lldb", "gdb-multiarch"],
  unwrap(args) {
    const read = readArguments(debuggerGrammar, args);
    const commands = ["-ex", "-iex", "-o", "-O"].flatMap((name) => valuesOf(read, name));
    const at = args.findIndex((word) => /^--?args$|^--$/.test(word.text));
    const started = at < 0 ? [] : args.slice(at + 1);
    const inner = [...new Set(commands)].flatMap((command): Inner[] => {
      if (started.length > 0 && /^\s*(?:r|run|start|process launch)\b/.test(command.text))
        return [{ kind: "words", fields: started, external: true }];
      const code = /^\s*(?:py|python|python-interactive|pi|script(?:\s+--)?)\s+(.*)$/s.exec(command.text)?.[1];
      if (code !== undefined) {
        const words = ["python3", "-c"].map((word) => ({ ...literalField(word, command.place) }));
        return [{ kind: "words", fields: [...words, withText(command, code)], external: true }];
      }
      const text = /^\s*(?:shell\s|!|make\s|(?:platform\s+)?shell\s|pipe\s[^|]*\|)\s*(.*)$/s.exec(command.text)?.[1];
      return text === undefined ? [] : [{ kind: "text", text: withText(command, text) }];
    });
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

/** Wrappers for commands that editors and debuggers run on request. Source: threats page, class 8. */
export const editorWrappers: readonly Wrapper[] = [
  viWrapper(["vim", "vi", "nvim", "view", "gvim", "vimdiff"], false),
  viWrapper(["ex"], true),
  emacs,
  debuggers,
];

function opaque(call: Call): void {
  call.to.run([call.program, ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

const saving = new RegExp(
  String.raw`^[:\s]*(?:${range}\s*)?(?:w|wq|wqa|x|xa|xit|up|update|wa|wall|write|saveas|sav)!?(?:\s|\||$)`,
);
const savingInside = /\|\s*(?:w|wq|x|up|update|write)\b/;

/** `:w! path`, `:saveas path`: the text goes to another file. */
const savedTo = new RegExp(
  String.raw`^[:\s]*(?:${range}\s*)?(?:w|write|up|update|sav|saveas)!?\s+(?:>>\s*)?([^\s!|+][^\s|]*)`,
);

/** `delete("path", "rf")` of vim's own language, also as lua writes it. */
const vimDelete = /\bdelete\(\s*["']([^"']{1,1024})["'](?:\s*,\s*["'](rf|d)["'])?\s*\)/g;

/** Reports that an editor of the vi family reads its files, and writes them on a save command; without one, a human may save. */
function vi(call: Call): void {
  const ex = call.program === "ex";
  const read = viArguments(ex, call.words);
  const commands = viCommands(ex, call.words);
  const saves =
    commands.some((command) => saving.test(command.text) || savingInside.test(command.text)) ||
    ((ex || call.words.some((word) => exMode.test(word.text))) && call.draft.input !== undefined);
  for (const file of read.operands) {
    if (file.text.startsWith("+")) continue;
    call.to.read(file);
    if (saves) call.to.write(file);
  }
  for (const command of commands) {
    const target = savedTo.exec(command.text.slice(0, 4096))?.[1];
    if (target !== undefined) call.to.write({ ...withText(command, target), tilde: true });
  }
  for (const command of commands)
    for (const found of command.text.slice(0, 4096).matchAll(vimDelete))
      call.to.delete({ ...withText(command, found[1] as string), tilde: true }, found[2] === "rf");
  opaque(call);
}

/** `ed` changes its files by the commands on its input. */
function ed(call: Call): void {
  for (const file of call.operands) {
    call.to.read(file);
    call.to.write(file);
  }
  opaque(call);
}

const lispDelete = /\(\s*delete-(file|directory)\s+(?:\(expand-file-name\s+)?"((?:[^"\\]|\\.)*)"\)?(\s+[^)\s]+)?/g;
const lispWrite = /\(\s*(?:write-region|with-temp-file|write-file|append-to-file)\b[^"]{0,256}"((?:[^"\\]|\\.)*)("?)/g;

/** Emacs reads its files; its lisp may delete and write. */
function emacsEffects(call: Call): void {
  const read = readArguments(emacsGrammar, call.words);
  for (const file of read.operands) if (!file.text.startsWith("+")) call.to.read(file);
  for (const code of valuesOf(read, "--eval")) {
    for (const found of code.text.matchAll(lispDelete)) {
      const deep = found[1] === "directory" && found[3] !== undefined && found[3].trim() !== "nil";
      call.to.delete({ ...withText(code, unescaped(found[2] as string)), tilde: true }, deep);
    }
    for (const found of code.text.matchAll(lispWrite))
      if (found[2] === '"') call.to.write({ ...withText(code, unescaped(found[1] as string)), tilde: true }, false);
  }
  opaque(call);
}

/** Editors and debuggers. Source: threats page, classes 8 and 12. */
export const editorPrograms: readonly Program[] = [
  { names: ["vim", "vi", "nvim", "ex", "view", "gvim", "vimdiff"], grammar: viGrammar, effects: vi },
  program("ed red", ["-p=", "-s --quiet --silent", "-v --verbose", "-E", "-l", "-G", "-r"], ed),
  { names: ["emacs", "emacsclient"], grammar: emacsGrammar, effects: emacsEffects },
  program("nano pico micro joe code hx", ["-c=", "-R", "-r", "-d --diff", "-n", "-w", "-g --goto"], (call) => {
    for (const file of call.operands) if (!file.text.startsWith("+")) call.to.read(file);
    opaque(call);
  }),
  { names: ["gdb", "lldb", "gdb-multiarch"], grammar: debuggerGrammar, effects: opaque },
];
