import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Metafile } from "esbuild";
import { cliLauncherBundle, execaBundle, modulesBundle, probeBundle } from "./bundles.ts";
import { buildLauncher } from "./launcher.ts";
import { type BuiltProgram, buildProgram, programEntries } from "./layers.ts";
import { bundled } from "./program.ts";

/** The files of a package that run. */
export interface BuiltPrograms {
  readonly programs: readonly BuiltProgram[];
  /** Inputs of the files beside the programs, by a name. */
  readonly others: Readonly<Record<"launcher" | "command" | "modules" | "execa" | "probe", Metafile>>;
}

/** Processes that begin one module of a program, by the name of their file. */
const processes = {
  "hookwarden-judge.cjs": "adapters/judge-process/main.ts",
  "hookwarden-daemon-judge.cjs": "adapters/daemon/judge.ts",
} as const;

/** Threads of the command line. */
const threads = ["authoring/test/worker.ts", "cli/replay-worker.ts"] as const;

/** Modules that a process or thread of ours enters, and no import. */
const begun: readonly string[] = [
  ...Object.values(processes),
  ...threads,
  "adapters/one-shot/program.ts",
  "cli/main.ts",
  "compiler/compile.ts",
];

/** Sources of the modules that applications and hosts import, each as a file of that name below `dist`. */
export const importedModules: readonly string[] = Object.values(programEntries)
  .flat()
  .filter((source) => !begun.includes(source));

/** Writes all executable code into `dist`: programs and their launchers in `bin`, and the modules that others import. */
export async function buildPrograms(root: string, dist: string): Promise<BuiltPrograms> {
  const bin = join(dist, "bin");
  const { program: hook, launcher } = await buildLauncher(root, bin);
  const hosts = await buildProgram(root, bin, "hosts", { earlier: [hook] });
  const rest = await buildProgram(root, bin, "rest", { earlier: [hook, hosts] });
  const programs = [hook, hosts, rest];
  const files = Object.fromEntries(programs.map(({ name, file }) => [name, file]));
  const define = { programFiles: JSON.stringify(files) };
  const modules = await bundled({ ...modulesBundle(root), define });
  await writeFile(join(bin, "hookwarden-modules.cjs"), modules.code);
  const command = await bundled({ ...cliLauncherBundle(root), define });
  await writeFile(join(bin, "hookwarden.js"), command.code);
  await chmod(join(bin, "hookwarden.js"), 0o755);
  for (const [file, source] of Object.entries(processes))
    await writeFile(join(bin, file), `"use strict";\n${taken(programs, "./hookwarden-modules.cjs", source)};\n`);
  for (const source of [...threads, ...importedModules]) await writeModule(root, dist, source, programs);
  const { metafile: execa } = await build({ ...execaBundle(root, bin), metafile: true });
  const { metafile: probe } = await build({ ...probeBundle(root, join(dist, "adapters/install")), metafile: true });
  const others = { launcher, command: command.metafile, modules: modules.metafile, execa, probe };
  return { programs, others };
}

/** Writes a module of `dist` that re-exports its source's exports from the program that contains it. */
async function writeModule(
  root: string,
  dist: string,
  source: string,
  programs: readonly BuiltProgram[],
): Promise<void> {
  const file = join(dist, source.replace(/\.ts$/, ".js"));
  const isThread = (threads as readonly string[]).includes(source);
  const names = isThread ? [] : await exportsOf(join(root, source));
  const modules = posix.relative(posix.dirname(source), "bin/hookwarden-modules.cjs");
  const lines = [
    'import { createRequire } from "node:module";',
    "const require = createRequire(import.meta.url);",
    `const module = ${taken(programs, modules.startsWith(".") ? modules : `./${modules}`, source)};`,
    ...names.map((name) => `export ${name === "default" ? name : `const ${name} =`} module.${name};`),
    "",
  ];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, lines.join("\n"));
}

/** Returns an expression for the exports of a module. Throws an Error if no program contains the module. */
function taken(programs: readonly BuiltProgram[], modules: string, source: string): string {
  const home = programs.find((program) => program.modules.has(source));
  if (!home) throw new Error(`no program has \`${source}\``);
  return `require("${modules}").module("${home.name}", "${source}")`;
}

/** Names of what a module exports, without its types. */
async function exportsOf(file: string): Promise<readonly string[]> {
  return Object.keys((await import(pathToFileURL(file).href)) as object).sort();
}
