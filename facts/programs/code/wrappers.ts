import { type Field, literalField } from "../../shell/fields.ts";
import { bunFile, denoFile, frameworkCode } from "../code-runners.ts";
import { given, readArguments, valueOf } from "../grammar.ts";
import { behindVerb } from "../package-runners.ts";
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
      const pip = how.names.includes("python") ? moduleWords(args, valueOf(read, "-m")) : undefined;
      if (pip) return { self: false, inner: [{ kind: "words", fields: pip, external: true }] };
      const named = how.names.includes("python") ? moduleProgram(how, valueOf(read, "-m"), args) : undefined;
      const started = named ?? binProgram(how, read);
      if (started) return { self: true, inner: [{ kind: "words", fields: started, external: true }] };
      const framework = frameworkCode(read.operands);
      if (framework) return framework;
      const source = sourceOf(how, read, input, place);
      if (!source) return undefined;
      const inner = innerOf(scanSource(how, source, read, args), source.place);
      return inner.length > 0 ? { self: true, inner } : undefined;
    },
  };
}

/** Words behind `-m module`: they are the module's own, options too. */
function behindModule(args: readonly Field[], module: Field): readonly Field[] {
  const at = args.findIndex((word) => word === module || word.text === `-m${module.text}`);
  return args.slice(at < 0 ? args.length : at + 1);
}

/** `python -m pip …` is `pip …`. */
function moduleWords(args: readonly Field[], module: Field | undefined): Field[] | undefined {
  if (module?.kind !== "literal" || !/^(?:pip|uv|poetry|pipenv|pipx)$/.test(module.text)) return undefined;
  return [{ ...literalField(module.text, module.place) }, ...behindModule(args, module)];
}

/** Modules of Python's packages whose program has another name. */
const programsOfModules: Readonly<Record<string, string>> = { django: "django-admin", pre_commit: "pre-commit" };

/** `python -m alembic …` is `alembic …`: a package names its program as its module. Modules of Python itself have none. */
function moduleProgram(
  how: Interpreter,
  module: Field | undefined,
  args: readonly Field[],
): readonly Field[] | undefined {
  if (module?.kind !== "literal" || !/^[A-Za-z]\w*$/.test(module.text)) return undefined;
  if (how.language?.modules.has(module.text) || standardModules.has(module.text)) return undefined;
  const program = Object.hasOwn(programsOfModules, module.text) ? programsOfModules[module.text] : module.text;
  return [{ ...literalField(program ?? module.text, module.place) }, ...behindModule(args, module)];
}

/** Modules of Python that are run by `-m`. */
const standardModules: ReadonlySet<string> = new Set(
  `ast asyncio base64 calendar cgi code compileall cProfile dis doctest ensurepip filecmp fileinput ftplib gzip idlelib inspect
   mimetypes modulefinder nntplib pdb pickle pickletools platform poplib profile pstats pyclbr pydoc py_compile pyexpat quopri
   random runpy SimpleHTTPServer site smtpd smtplib sqlite3 symtable sysconfig tabnanny tarfile telnetlib test this timeit
   tkinter tokenize trace turtledemo unittest uuid venv virtualenv webbrowser zipapp zipfile`.split(/\s+/),
);

/** `ruby bin/rails …`, `node node_modules/.bin/prisma …`: a program that lies where programs do. */
function binProgram(how: Interpreter, read: ReturnType<typeof readArguments>): readonly Field[] | undefined {
  const [script, ...rest] = read.operands;
  if (script?.kind !== "literal" || script.content !== undefined) return undefined;
  if (!/(?:^|\/)\.?bin\/[\w.-]+$/.test(script.text)) return undefined;
  return how.inline.some((option) => given(read, option)) ? undefined : [script, ...rest];
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
    return behindVerb(name, name === "bun").unwrap(args, input) ?? file(args);
  },
});

/** Wrappers for the code of interpreters. Source: threats page, class 8. */
export const codeWrappers: readonly Wrapper[] = [
  ...[...interpreters, awkInterpreter].map(codeWrapper),
  runtime("bun", bunFile),
  runtime("deno", denoFile),
];
