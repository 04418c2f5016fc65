import type { Field } from "../shell/fields.ts";
import { type Grammar, given, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
import { isShell } from "./run-variables.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

/** Options of `npx` and of those like it, up to the program they run. */
export const npxGrammar: Grammar = {
  options: optionList(`
    -y --yes; --no; -p --package=; -c --call=; -q --quiet; -w --workspace=; --ignore-existing;
    --no-install; --prefer-offline; --from=; --spec=; --with=; --python=; --registry=
  `),
  stop: true,
};

/** Runs a package's program: the runner stays a command of its own, and the program is also judged by its name. */
const npx: Wrapper = {
  names: ["npx", "bunx", "pnpx", "uvx", "pipx-run"],
  unwrap(args) {
    const read = readArguments(npxGrammar, args);
    const text = valueOf(read, "--call");
    if (text) return { self: true, inner: [{ kind: "text", text }] };
    const [first, ...rest] = read.operands;
    if (!first || given(read, "--version")) return undefined;
    const bare = first.text.replace(/^(@?[^@]+)@.*$/s, "$1");
    return { self: true, inner: [{ kind: "words", fields: [{ ...first, text: bare }, ...rest], external: true }] };
  },
};

const shellOption: Grammar = { options: ["--script-shell="] };
const verbGrammar: Grammar = {
  options: optionList(
    "-w --workspace=; -C --prefix --dir --cwd=; --registry=; -c --shell-mode; -r --recursive; --filter=; -F=; --silent",
  ),
  stop: true,
};

function ranBy(args: readonly Field[]): Unwrapped | undefined {
  const read = readArguments(verbGrammar, args);
  const [first, ...rest] = read.operands;
  if (!first) return undefined;
  if (["exec", "x", "dlx"].includes(first.text)) {
    // A single word with blanks, or the mode of a shell, is a text.
    const words = readArguments(npxGrammar, rest).operands;
    const isText = given(read, "--shell-mode") || rest.some(({ text }) => /^(?:-c|--shell-mode)$/.test(text));
    const [only] = words;
    if (only && words.length === 1 && (isText || /\s/.test(only.text)))
      return { self: true, inner: [{ kind: "text", text: only }] };
    return npx.unwrap(rest, undefined);
  }
  const dashes = args.findIndex((word) => word.text === "--");
  if (first.text !== "explore" || dashes < 0 || dashes + 1 >= args.length) return undefined;
  return { self: true, inner: [{ kind: "words", fields: args.slice(dashes + 1), external: true }] };
}

/** `npm exec`, `pnpm dlx`, `yarn dlx`: the same behind a subcommand. `bun x` is left to the row of the runtime. */
export const execSubcommand: Wrapper = {
  names: ["npm", "pnpm", "yarn"],
  unwrap(args) {
    const found = ranBy(args);
    const inner = valuesOf(readArguments(shellOption, args), "--script-shell")
      .filter((shell) => shell.kind === "unknown" || !isShell(shell.text))
      .map((text): Inner => ({ kind: "text", text, certain: false }));
    return inner.length === 0 ? found : { self: true, inner: [...(found?.inner ?? []), ...inner] };
  },
};

/** Wrappers that fetch a package and run its program. */
export const packageRunners: readonly Wrapper[] = [npx, execSubcommand];
