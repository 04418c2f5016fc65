import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join, posix } from "node:path";
import type { BuildOptions, Metafile } from "esbuild";
import type { ProgramName } from "../../adapters/one-shot/start/program-file.ts";
import { addonName } from "../../store/place-folder.ts";

/** CommonJS packages inside an ES module bundle ask for node builtins through `require`. */
const requireBanner = `import { createRequire as createRequireForBundle } from "node:module";
const require = createRequireForBundle(import.meta.url);`;

/** Bundle of one ES module with everything an entry needs, for tests of threads, which cannot load TypeScript. */
export function threadBundle(root: string, entry: string): BuildOptions {
  return {
    ...shared(root),
    entryPoints: [join(root, entry)],
    banner: { js: requireBanner },
    external: ["execa"],
  };
}

/** `execa`, which runs programs, as a file of its own: few calls need it, and its packages are ES modules. */
export function execaBundle(root: string, outdir: string): BuildOptions {
  return {
    ...shared(root),
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    entryPoints: [{ in: "execa", out: basename(execaFile, ".mjs") }],
    banner: { js: requireBanner },
    outdir,
    outExtension: { ".js": ".mjs" },
    legalComments: "linked",
  };
}

const execaFile = "hookwarden-execa.mjs";

/** The file by which a hook finds modules of other programs. */
export const modulesFile = "./hookwarden-modules.cjs";

/**
 * Returns the define with the paths of the regex addon; `toBin` is the path from the bundle to `dist/bin`. The addon is beside
 * the launcher, as `install` places it, or in the package's own folder, never in a folder that npm shares between packages.
 */
export function addonDefine(root: string, toBin: string): Record<string, string> {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    optionalDependencies: { re2: string };
  };
  const version = manifest.optionalDependencies.re2;
  const own = posix.join(toBin, "../../node_modules/re2/build/Release/re2.node");
  const files = [posix.join(toBin, addonName(version)), own].map((file) => (file.startsWith(".") ? file : `./${file}`));
  return { regexAddon: JSON.stringify([version, ...files].join("\n")) };
}

/** Imports that are resolved at run time: packages of OpenTelemetry's users, and files of this package. */
const foundLater = ["@opentelemetry/*", "jiti", `./${execaFile}`];

/**
 * A program as one text for its launcher; each module starts at its first use (`layers.ts`). Names are kept, so that the stack of
 * a reported internal error is readable.
 */
export function programBundle(root: string, name: string): BuildOptions {
  return {
    ...shared(root),
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    // Of one byte per character, which is sooner read.
    charset: "ascii",
    entryPoints: { [`${name}.program`]: programEntry },
    outdir: join(root, "dist/bin"),
    outExtension: { ".js": ".cjs" },
    external: [...foundLater, modulesFile],
    alias: { execa: `./${execaFile}` },
    legalComments: "linked",
  };
}

/** Name of a program's entry, which is generated and not a file. */
export const programEntry = "hookwarden:program";

/** Bundle of the launcher of the command line. */
export function cliLauncherBundle(root: string): BuildOptions {
  return {
    ...shared(root),
    entryPoints: { hookwarden: join(root, "cli/launcher.ts") },
    banner: { js: "#!/usr/bin/env node" },
    outdir: join(root, "dist/bin"),
    minifyWhitespace: true,
    minifySyntax: true,
  };
}

/** Hosts that `compile` writes a guard for; that of pi is also omp's. */
export const guardHosts = ["pi", "opencode"] as const;

/**
 * The guard: what `compile --target` fills with a plan, one file for any host process. It carries
 * everything, so every licence text it needs stays inside.
 */
export function guardBundle(root: string, host: (typeof guardHosts)[number]): BuildOptions {
  return {
    ...shared(root),
    entryPoints: { [host]: join(root, "adapters", host, "standalone.ts") },
    // `var`, since some hosts wrap a module into a function that has a `require` already. The judge process of a guard whose
    // name ends in no usual way begins it from a `data:` address, from which nothing is required but builtins.
    banner: {
      js: requireBanner
        .replace("const require", "var require")
        .replace("(import.meta.url)", '(import.meta.url.startsWith("data:") ? process.execPath : import.meta.url)'),
    },
    outdir: join(root, "dist/guard"),
    outExtension: { ".js": ".mjs" },
    // It is placed in folders of hosts and projects, so it includes its own regex engine and loads no addon.
    define: { regexAddon: JSON.stringify("") },
    minifySyntax: true,
    legalComments: "inline",
  };
}

/** Programs that canaries start besides hooks, each as one file in a folder. */
export function probeBundle(root: string, outdir: string): BuildOptions {
  const names = ["probe", "canary-server"];
  return {
    ...shared(root),
    entryPoints: names.map((out) => ({ in: `adapters/install/${out}.ts`, out })),
    outdir,
  };
}

/** The file from which others of this package take modules (`adapters/one-shot/start/modules.ts`). */
export function modulesBundle(root: string): BuildOptions {
  return {
    ...launcherBundle(root),
    entryPoints: { "hookwarden-modules": join(root, "adapters/one-shot/start/modules.ts") },
    banner: {},
  };
}

/** The launcher: one CommonJS file, which starts faster than a module, and is small, since Node compiles it for every event. */
export function launcherBundle(root: string): BuildOptions {
  return {
    ...shared(root),
    format: "cjs",
    // Of one byte per character, which is sooner read.
    minify: true,
    charset: "ascii",
    entryPoints: { "hookwarden-hook": join(root, "adapters/one-shot/launcher.ts") },
    outdir: join(root, "dist/bin"),
    outExtension: { ".js": ".cjs" },
    banner: { js: "#!/usr/bin/env node" },
  };
}

function shared(root: string): BuildOptions & { metafile: true } {
  return {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    metafile: true,
    charset: "utf8",
    logLevel: "warning",
  };
}

/** String literals in the guard that `compile` fills: the plan, and the path of the audit trail. */
const placeholders = ["__HOOKWARDEN_PLAN__", "__HOOKWARDEN_AUDIT__"];

/** Returns the reasons why `compile` cannot fill this guard; empty if it can. */
export function placeFaults(guard: string): string[] {
  return placeholders.flatMap((name) => {
    const places = guard.split(`"${name}"`).length - 1;
    return places === 1 ? [] : [`guard has ${places} places for ${name}`];
  });
}

/** Packages that the guard must never include or load (architecture, invariant 3). */
const forbiddenInGuard = ["ajv", "chevrotain", "commander", "lodash-es", "yaml"];

/** Returns the reasons why a guard with these inputs and outputs may not be shipped; empty if it may. */
export function guardFaults(metafile: Metafile): string[] {
  const faults = carried(metafile, "guard");
  for (const output of Object.values(metafile.outputs)) {
    for (const { path } of output.imports) {
      if (!isBuiltin(path)) faults.push(`guard imports ${path}`);
    }
  }
  if (Object.keys(metafile.outputs).length !== 1) faults.push("guard is not one file");
  return faults;
}

function carried(metafile: Metafile, what: string): string[] {
  const faults: string[] = [];
  for (const input of Object.keys(metafile.inputs)) {
    const name = packageOf(input);
    if (name && forbiddenInGuard.includes(name)) faults.push(`${what} carries ${name} (${input})`);
    if (/(^|[/:])(compiler|authoring|cli|test|scripts)\//.test(input) && !name) faults.push(`${what} carries ${input}`);
  }
  return faults;
}

/**
 * Returns the reasons why programs with these inputs may not be shipped. They must not include what a guard must not, and load
 * nothing by a name that parent folders resolve, except packages of users.
 */
export function programFaults(program: ProgramName, metafile: Metafile): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const mayLoad = program === "rest" ? foundLater : [`./${execaFile}`, ...(program === "hook" ? [modulesFile] : [])];
  const isKnown = (path: string): boolean =>
    isBuiltin(path) ||
    mayLoad.some((known) => (known.endsWith("*") ? path.startsWith(known.slice(0, -1)) : path === known));
  return [
    ...(program === "rest" ? [] : carried(metafile, program)),
    ...loaded.filter((path) => !isKnown(path)).map((path) => `${program} imports ${path}`),
  ];
}

/** Returns the faults of a bundle that loads the addon by name, because its build did not define the addon's path. */
export function addonFaults(name: string, text: string): string[] {
  return text.includes('("re2")') ? [`${name} loads re2 by its name`] : [];
}

/** Returns the reasons why the program runner may not be shipped: it must not load packages of a project. */
export function execaFaults(metafile: Metafile): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return loaded.filter((path) => !isBuiltin(path)).map((path) => `what runs programs imports ${path}`);
}

/** Returns the package of an input path of a metafile; undefined for a file of ours. */
export function packageOf(input: string): string | undefined {
  const rest = input.split("node_modules/").at(-1);
  if (rest === undefined || rest === input) return undefined;
  const parts = rest.split("/");
  return rest.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}
