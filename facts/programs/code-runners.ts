import { type Field, literalField, withText } from "../shell/fields.ts";
import { type Grammar, optionList, readArguments, valueOf } from "./grammar.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/**
 * Programs that give a text or a file to an interpreter they start: `bun x.ts`, `deno run x.ts`, `rails runner text`. The
 * interpreter is judged as if it had been named. Source: threats page, class 8; their manuals.
 */
const scriptFile = /(?:^\.{0,2}\/|\.[cm]?[jt]sx?$)/i;
const address = /^(?:https?:\/\/)/i;

function starts(head: readonly string[], fields: readonly Field[], self: boolean): { self: boolean; inner: Inner[] } {
  const place = fields[0]?.place ?? { start: 0, end: 0 };
  const words = [...head.map((word) => literalField(word, place)), ...fields];
  return { self, inner: [{ kind: "words", fields: words, external: true }] };
}

const bunGrammar: Grammar = {
  options: optionList(
    "-e --eval=; -p --print=; -r --preload --require --import=; -c --config=; --cwd=; --env-file=; --watch; --hot; -b --bun; --smol; -i; --inspect=?; --define=; -d=; --port=; --conditions=; --filter=",
  ),
  stop: true,
};

/** `bun x.ts` and `bun run x.ts` run a file; so they do with an address, which they fetch first. */
export function bunFile(args: readonly Field[]): ReturnType<Wrapper["unwrap"]> {
  const read = readArguments(bunGrammar, args);
  const behind =
    read.operands[0]?.text === "run" ? readArguments(bunGrammar, read.operands.slice(1)).operands : read.operands;
  const [file] = behind;
  if (!file) return undefined;
  if (address.test(file.text)) return starts(["deno", "run"], behind, true);
  return scriptFile.test(file.text) || file.content !== undefined ? starts(["bun-node"], behind, true) : undefined;
}

const denoGrammar: Grammar = {
  options: optionList(
    "-A --allow-all; -c --config=; --import-map=; --lock=?; --cert=; --env-file=?; -r --reload=?; --watch=?; --seed=; --location=; --preload=; --v8-flags=?; --inspect=?; --ext=; -q --quiet; -L --log-level=; --port=; --host=",
  ),
  stop: true,
};

/** `deno run x.ts`, `deno x.ts`, `deno serve x.ts`: a file of the project; an address is the matter of deno's own row. */
export function denoFile(args: readonly Field[]): ReturnType<Wrapper["unwrap"]> {
  const [verb, ...rest] = args;
  const named = verb && /^(?:run|serve|bench|watch)$/.test(verb.text);
  const read = readArguments(denoGrammar, named ? rest : args);
  const [file] = read.operands;
  if (!file || address.test(file.text) || /^(?:npm|jsr|data):/.test(file.text)) return undefined;
  return scriptFile.test(file.text) || file.content !== undefined
    ? starts(["deno-run"], read.operands, true)
    : undefined;
}

/** Makes a wrapper for a text or file after a verb of the program, with the interpreter and its option for a text. */
function textBehind(names: string, verb: RegExp, inline: readonly string[], file?: readonly string[]): Wrapper {
  return {
    names: names.split(" "),
    unwrap(args) {
      const at = args.findIndex((word) => verb.test(word.text));
      const words = at < 0 ? [] : args.slice(at + 1).filter((word) => !/^(?:-e|--environment)(?:=|$)/.test(word.text));
      const text = words.find((word) => !word.text.startsWith("-"));
      if (!text) return undefined;
      const isFile = file !== undefined && /^[\w./-]+\.\w{1,4}$/.test(text.text);
      return starts(isFile ? file : inline, [text], true);
    },
  };
}

/** `pm2 start x.js` starts a file, and `pm2 start program -- words` a program. */
const manager: Wrapper = {
  names: ["pm2", "forever"],
  unwrap(args) {
    const [verb, ...rest] = args;
    const at = rest.findIndex((word) => !word.text.startsWith("-"));
    const target = verb?.text === "start" ? rest[at] : undefined;
    if (!target) return undefined;
    const dashes = rest.findIndex((word) => word.text === "--");
    const fields = [target, ...(dashes < 0 ? [] : rest.slice(dashes + 1))];
    if (scriptFile.test(target.text)) return starts(/\.[cm]?[jt]sx?$/i.test(target.text) ? ["node"] : [], fields, true);
    return /\s/.test(target.text) ? { self: true, inner: [{ kind: "text", text: target }] } : starts([], fields, true);
  },
};

/** Makes a wrapper for a text in an option: `mix run -e text`, `iex -e text`, `pry -e text`. */
function textOption(names: string, options: string, option: string, inline: readonly string[]): Wrapper {
  const grammar: Grammar = { options: optionList(options) };
  return {
    names: names.split(" "),
    unwrap(args) {
      const text = valueOf(readArguments(grammar, args), option);
      return text ? starts(inline, [text], true) : undefined;
    },
  };
}

/** `manage.py shell -c text`, `artisan tinker --execute=text`: a script of a framework that takes code. */
export function frameworkCode(operands: readonly Field[]): ReturnType<Wrapper["unwrap"]> {
  const [script, verb, ...rest] = operands;
  if (!script || !verb) return undefined;
  if (/(?:^|\/)manage\.py$/.test(script.text) && /^shell(?:_plus)?$/.test(verb.text)) {
    const text = valueOf(readArguments({ options: ["-c --command="] }, rest), "--command");
    return text && starts(["python3", "-c"], [text], true);
  }
  if (/(?:^|\/)artisan$/.test(script.text) && verb.text === "tinker") {
    const text = valueOf(readArguments({ options: ["--execute="] }, rest), "--execute");
    return text && starts(["php", "-r"], [withText(text, text.text)], true);
  }
  return undefined;
}

/** `dotnet fsi` runs code that it is given, as other languages do that are not read. */
const fsharp: Wrapper = {
  names: ["dotnet"],
  unwrap: ([verb, ...rest]) => (verb?.text === "fsi" ? starts(["dotnet-script"], rest, true) : undefined),
};

/** `zx -e text`: JavaScript in which `$` runs a shell text. */
const zx: Wrapper = {
  names: ["zx"],
  unwrap(args) {
    const text = valueOf(
      readArguments({ options: ["-e --eval=", "--shell=", "--prefix=", "--quiet"] }, args),
      "--eval",
    );
    return text && starts(["node", "-e"], [withText(text, `import { $ } from "zx"; ${text.text}`)], true);
  },
};

/** Wrappers of these programs. */
export const codeRunners: readonly Wrapper[] = [
  textBehind("rails", /^(?:runner|r)$/, ["ruby", "-e"], ["ruby"]),
  textBehind("wp", /^eval$/, ["php", "-r"]),
  textBehind("drush", /^(?:php-eval|php:eval|eval|ev)$/, ["php", "-r"]),
  textBehind("crystal", /^eval$/, ["ruby", "-e"]),
  manager,
  fsharp,
  zx,
  textOption("mix iex", "-e --eval=; -S=; --no-start; --no-compile; -r=", "--eval", ["elixir", "-e"]),
  textOption("irb pry", "-e --exec=; -r=; -I=", "--exec", ["ruby", "-e"]),
  textOption("django-admin", "-c --command=; --settings=; --pythonpath=", "--command", ["python3", "-c"]),
];
