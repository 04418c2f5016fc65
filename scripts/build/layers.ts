import { relative, resolve } from "node:path";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import type { ProgramName } from "../../adapters/one-shot/start/program-file.ts";
import { addonDefine, modulesFile, programBundle, programEntry } from "./bundles.ts";
import { lazyModules, lazyPaths } from "./lazy-modules.ts";
import { type PreparedModule, preparedModules, validatorsFile, validatorsFor } from "./prepared-modules.ts";
import { type Bundled, bundled, writeProgram } from "./program.ts";

/** A program that was written, with the modules that later ones take from it. */
export interface BuiltProgram {
  readonly name: ProgramName;
  /** Name of its file. */
  readonly file: string;
  /** Paths of its modules. */
  readonly modules: ReadonlySet<string>;
  readonly bundled: Bundled;
}

/** Modules by which each program is entered; those that they import and no earlier program has are in it too. */
export const programEntries = {
  hook: ["adapters/one-shot/program.ts"],
  hosts: [
    "adapters/pi/entry.ts",
    "adapters/omp/entry.ts",
    "adapters/gastown/entry.ts",
    "adapters/opencode/plugin.ts",
    "adapters/judge-process/main.ts",
    "adapters/daemon/judge.ts",
  ],
  rest: [
    "compiler/compile.ts",
    "cli/main.ts",
    "cli/replay-worker.ts",
    "authoring/test/worker.ts",
    "index.ts",
    "runtime.ts",
    "store/audit-file.ts",
    "adapters/frameworks/index.ts",
    "adapters/hooks/index.ts",
    "adapters/opta/index.ts",
  ],
} as const satisfies Record<ProgramName, readonly string[]>;

const fileNames: Readonly<Record<ProgramName, string>> = {
  hook: "hookwarden-hook",
  hosts: "hookwarden-hosts",
  rest: "hookwarden",
};

/** How the text of a program is made. */
export interface ProgramOptions {
  /** Programs written earlier, from which this one takes their modules. */
  readonly earlier?: readonly BuiltProgram[];
  readonly plugins?: readonly Plugin[];
  readonly minify?: boolean;
}

/**
 * Writes a program, which a launcher or `hookwarden-modules.cjs` begins, into a folder. It is bundled twice: the first time
 * tells which modules it has, so that the second can give each by its path.
 */
export async function buildProgram(
  root: string,
  folder: string,
  name: ProgramName,
  { earlier = [], plugins = [], minify }: ProgramOptions = {},
): Promise<BuiltProgram> {
  const made = (modules: readonly string[], prepared: Readonly<Record<string, PreparedModule>>): BuildOptions => ({
    ...programBundle(root, fileNames[name]),
    ...(minify === true && { minify, lineLimit: 0 }),
    plugins: [
      entry(root, entryText(name, modules)),
      elsewhere(root, earlier),
      ...plugins,
      ...lazyModules(root, { "import.meta.url": "launched.url", ...addonDefine(root, ".") }, prepared),
    ],
  });
  const own = name === "hook" ? preparedModules : {};
  const entries = programEntries[name];
  const found = lazyPaths((await bundled(made(entries, own))).metafile);
  const prepared = name === "hosts" ? validatorsFor(found.filter((path) => path.endsWith(".ts"))) : own;
  const modules = found.filter((path) => path !== validatorsFile);
  const program = await bundled(made(modules, prepared));
  const file = await writeProgram(folder, fileNames[name], program);
  return { name, file, modules: new Set(modules), bundled: program };
}

/** The entry of a program, which gives its modules to others. That of hooks answers a hook, unless it is asked for modules. */
function entryText(name: ProgramName, modules: readonly string[]): string {
  const rows = [...modules].sort().map((path) => `${JSON.stringify(path)}: () => require("./${path}"),\n`);
  const begin = name === "hook" ? `if (launched.asModules !== true) require("./${programEntries.hook[0]}");\n` : "";
  return `let modules;
const all = () => ({\n__proto__: null,\n${rows.join("")}});
launched.begun.${name} = (path) => {
  modules ??= all();
  if (modules[path] === undefined) throw new Error("hookwarden has no module \`" + path + "\`");
  return modules[path]();
};
${begin}`;
}

function entry(root: string, contents: string): Plugin {
  return {
    name: "entry",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: new RegExp(`^${programEntry}$`) }, () => ({ path: "entry", namespace: "program" }));
      onLoad({ filter: /./, namespace: "program" }, () => ({ contents, loader: "js", resolveDir: root }));
    },
  };
}

const compiler = "compiler/compile.ts";

/** Has what another program has be taken from there: from an earlier one, and the compiler, which hooks seldom need, from the last. */
function elsewhere(root: string, earlier: readonly BuiltProgram[]): Plugin {
  return {
    name: "elsewhere",
    setup: ({ onResolve, onLoad, initialOptions }) => {
      const isRest = Object.keys(initialOptions.entryPoints ?? {}).includes(`${fileNames.rest}.program`);
      onResolve({ filter: /^\.\.?\/.*\.[jt]s$/ }, ({ path, resolveDir }) => {
        const file = relative(root, resolve(resolveDir, path));
        const home = file === compiler && !isRest ? "rest" : earlier.find(({ modules }) => modules.has(file))?.name;
        return home && { path: `${home} ${file}`, namespace: "elsewhere" };
      });
      onLoad({ filter: /./, namespace: "elsewhere" }, ({ path }) => {
        const [home = "", file = ""] = path.split(" ");
        // A hook that was launched has no modules but its own until it asks for others.
        const from = earlier.length === 0 ? `require("${modulesFile}").joined(launched)` : "launched.module";
        const contents = `module.exports = ${from}(${JSON.stringify(home)}, ${JSON.stringify(file)});`;
        return { contents, loader: "js", resolveDir: root };
      });
    },
  };
}

/** Inputs and outputs of each program, as esbuild lists them. */
export function metafilesOf(programs: readonly BuiltProgram[]): readonly Metafile[] {
  return programs.map(({ bundled: { metafile } }) => metafile);
}
