import { type Field, literalField } from "../../shell/fields.ts";
import { bunFile, denoFile, frameworkCode } from "../code-runners.ts";
import { readArguments, valueOf } from "../grammar.ts";
import { execSubcommand } from "../package-runners.ts";
import type { Wrapper } from "../wrapper.ts";
import { awkInterpreter } from "./awk-interpreter.ts";
import type { Interpreter } from "./interpreter.ts";
import { innerOf } from "./report.ts";
import { scanSource, sourceOf } from "./sources.ts";
import { interpreters } from "./table.ts";

/**
 * Makes the wrapper of an interpreter whose code runs shell texts or programs; the interpreter remains a command with its other
 * effects.
 */
function codeWrapper(how: Interpreter): Wrapper {
  return {
    names: how.names,
    unwrap(args, input) {
      const place = args[0]?.place ?? { start: -1, end: -1 };
      const read = readArguments(how.grammar, args);
      const pip = how.names.includes("python") ? moduleWords(args, valueOf(read, "-m"), read.operands) : undefined;
      if (pip) return { self: false, inner: [{ kind: "words", fields: pip, external: true }] };
      const framework = frameworkCode(read.operands);
      if (framework) return framework;
      const source = sourceOf(how, read, input, place);
      if (!source) return undefined;
      const inner = innerOf(scanSource(how, source, read, args), source.place);
      return inner.length > 0 ? { self: true, inner } : undefined;
    },
  };
}

/** `python -m pip …` is `pip …`. */
function moduleWords(args: readonly Field[], module: Field | undefined, rest: readonly Field[]): Field[] | undefined {
  if (module?.kind !== "literal" || !/^(?:pip|uv|poetry|pipenv|pipx)$/.test(module.text)) return undefined;
  return [{ ...literalField(module.text, module.place) }, ...rest.filter((word) => args.includes(word))];
}

/** `bun -e code` and `deno eval code` run code as Node does, and so do their files; `bun x` runs a package. */
const runtime = (name: string, file: typeof bunFile): Wrapper => ({
  names: [name],
  unwrap(args, input) {
    const at = args.findIndex((word) => /^(?:-e|--eval|-p|--print|eval)$/.test(word.text));
    const head = args.slice(0, Math.max(at, 0));
    const option = args[at];
    if (option && head.every((word) => word.text.startsWith("-"))) {
      const print = option.text.startsWith("-p") || option.text === "--print";
      const rest = args.slice(at + 1).filter((word, i) => i > 0 || !/^--?[a-z]/.test(word.text));
      const words = ["node", print ? "--print" : "--eval"].map((text) => literalField(text, option.place));
      return { self: false, inner: [{ kind: "words", fields: [...words, ...rest], external: true }] };
    }
    return execSubcommand.unwrap(args, input) ?? file(args);
  },
});

/** Wrappers for the code of interpreters. Source: threats page, class 8. */
export const codeWrappers: readonly Wrapper[] = [
  ...[...interpreters, awkInterpreter].map(codeWrapper),
  runtime("bun", bunFile),
  runtime("deno", denoFile),
];
