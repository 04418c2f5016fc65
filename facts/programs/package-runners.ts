import { type Grammar, given, optionList, readArguments, valueOf } from "./grammar.ts";
import type { Wrapper } from "./wrapper.ts";

/** Options of `npx` and of those like it, up to the program they run. */
export const npxGrammar: Grammar = {
  options: optionList(`
    -y --yes; --no; -p --package=; -c --call=; -q --quiet; -w --workspace=; --ignore-existing;
    --no-install; --prefer-offline; --from=; --spec=; --with=; --python=; --registry=
  `),
  stop: true,
};

/** Runs a package's program: the runner stays a command of its own, the program is judged by its name besides. */
const npx: Wrapper = {
  names: ["npx", "bunx", "pnpx", "uvx", "pipx-run"],
  unwrap(args) {
    const read = readArguments(npxGrammar, args);
    const text = valueOf(read, "--call");
    if (text) return { self: true, inner: [{ kind: "text", text }] };
    const [first, ...rest] = read.operands;
    if (!first || given(read, "--version")) return undefined;
    const bare = first.text.replace(/^(@?[^@]+)@.*$/, "$1");
    return { self: true, inner: [{ kind: "words", fields: [{ ...first, text: bare }, ...rest], external: true }] };
  },
};

/** `npm exec`, `pnpm dlx`, `yarn dlx`: the same behind a subcommand. `bun x` is left to the row of the runtime. */
export const execSubcommand: Wrapper = {
  names: ["npm", "pnpm", "yarn"],
  unwrap(args) {
    const [first, ...rest] = args;
    if (!first || !["exec", "x", "dlx"].includes(first.text)) return undefined;
    return npx.unwrap(rest, undefined);
  },
};

/** Wrappers that fetch a package and run its program. */
export const packageRunners: readonly Wrapper[] = [npx, execSubcommand];
