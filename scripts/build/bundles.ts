import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { addonName } from "../../store/place-folder.ts";

/**
 * What programs load only when they need it, each a file of its own in `dist/bin` with all that it needs: the compiler,
 * where no plan is cached, and what runs programs. Never by a package's name, which the folders above decide.
 */
const parts = { "hookwarden-compiler": "compiler/compile.ts", "hookwarden-execa": "execa" } as const;

type Part = keyof typeof parts;

const partFile = (part: Part): string => `${part}.mjs`;

/** CommonJS packages inside an ES module bundle ask for node builtins through `require`. */
const requireBanner = `import { createRequire as createRequireForBundle } from "node:module";
const require = createRequireForBundle(import.meta.url);`;

/** One ES module with all that an entry needs: for tests of threads, which cannot load TypeScript. */
export function threadBundle(root: string, entry: string): BuildOptions {
  return {
    ...shared(root),
    entryPoints: [join(root, entry)],
    banner: { js: requireBanner },
    external: ["execa"],
  };
}

/** What programs load only when they need it. */
export function partsBundle(root: string, outdir: string): BuildOptions {
  return {
    ...shared(root),
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    entryPoints: Object.entries(parts).map(([out, input]) => ({ in: input, out })),
    banner: { js: requireBanner },
    define: addonDefine(root, "."),
    outdir,
    outExtension: { ".js": ".mjs" },
    legalComments: "linked",
  };
}

/**
 * Where a bundle finds the addon for regular expressions, by the way from the bundle to `dist/bin`: beside the launcher, as
 * in a place that `install` filled, or in the package's own folder, never in one that npm shares between packages.
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

/** Has what is loaded only when it is needed stand in `dist/bin`, for a bundle with that way there. */
function partsOutside(toBin: string): Plugin {
  return {
    name: "parts-outside",
    setup: ({ onResolve }) => {
      const at = (part: Part) => ({ path: `${toBin}/${partFile(part)}`, external: true });
      onResolve({ filter: /\/compiler\/compile\.ts$/ }, () => at("hookwarden-compiler"));
      onResolve({ filter: /^execa$/ }, () => at("hookwarden-execa"));
    },
  };
}

/** Paths of those parts, as a bundle with that way to `dist/bin` has them. */
function partsAt(toBin: string): readonly string[] {
  return (Object.keys(parts) as Part[]).map((part) => `${toBin}/${partFile(part)}`);
}

/**
 * The command line as its launcher begins it: one text, whose modules begin when they are used (`cli.ts`). Names stay, for
 * the stack of an internal error that somebody reports.
 */
export function cliProgramBundle(root: string): BuildOptions {
  return {
    ...shared(root),
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    // Of one byte per character, which is sooner read.
    charset: "ascii",
    entryPoints: { "hookwarden.program": join(root, "cli/main.ts") },
    outdir: join(root, "dist/bin"),
    outExtension: { ".js": ".cjs" },
    // Users who export to OpenTelemetry bring its packages.
    external: ["@opentelemetry/*", `./${partFile("hookwarden-execa")}`],
    alias: { execa: `./${partFile("hookwarden-execa")}` },
    legalComments: "linked",
  };
}

/**
 * The judge behind the daemon (`adapters/daemon/judge.ts`): one file with all that it judges and compiles with, whose
 * modules begin when they are used (`judge.ts`).
 */
export function daemonJudgeBundle(root: string): BuildOptions {
  return {
    ...cliProgramBundle(root),
    entryPoints: { "hookwarden-daemon-judge": join(root, "adapters/daemon/judge.ts") },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  };
}

/** What begins it. */
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

/** Hosts that `compile` writes a guard for, as `dist/guard/<name>.mjs`; that of pi is also omp's. */
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
    // It stands in folders of hosts and projects, so it brings its own engine for regular expressions and asks for no other.
    define: { regexAddon: JSON.stringify("") },
    minifySyntax: true,
    legalComments: "inline",
  };
}

/** The program of hooks that are a process each: what their launcher begins (`launcher.ts` writes both). */
export function programBundle(root: string): BuildOptions {
  return {
    ...launcherBundle(root),
    entryPoints: { "hookwarden-hook.program": join(root, "adapters/one-shot/program.ts") },
    banner: {},
    plugins: [partsOutside(".")],
    legalComments: "linked",
  };
}

/** An extension of a host as one file (`extensions.ts`). */
export function extensionBundle(root: string, host: string, module: string, outdir: string): BuildOptions {
  return {
    ...shared(root),
    format: "cjs",
    // Of one byte per character, which is sooner read; names stay, for profiles.
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    entryPoints: { [module]: join(root, "adapters", host, `${module}.ts`) },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    define: { "import.meta.url": "moduleUrl", ...addonDefine(root, "../../bin") },
    outdir,
    outExtension: { ".js": ".cjs" },
    plugins: [partsOutside("../../bin")],
    legalComments: "linked",
  };
}

/** What canaries start besides hooks, each as one file in place of the module that `tsc` wrote. */
export function probeBundle(root: string): BuildOptions {
  const names = ["probe", "canary-server"];
  return {
    ...shared(root),
    entryPoints: names.map((out) => ({ in: `adapters/install/${out}.ts`, out })),
    outdir: join(root, "dist/adapters/install"),
    allowOverwrite: true,
  };
}

/** The judge process of guards that live in a host's process (decision 14), as one file. */
export function judgeBundle(root: string): BuildOptions {
  return {
    ...shared(root),
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    entryPoints: { "hookwarden-judge": join(root, "adapters/judge-process/main.ts") },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    define: { "import.meta.url": "moduleUrl", ...addonDefine(root, ".") },
    outdir: join(root, "dist/bin"),
    outExtension: { ".js": ".cjs" },
    plugins: [partsOutside(".")],
    legalComments: "linked",
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

/** Why `compile` could not fill this guard; empty when it can. */
export function placeFaults(guard: string): string[] {
  return placeholders.flatMap((name) => {
    const places = guard.split(`"${name}"`).length - 1;
    return places === 1 ? [] : [`guard has ${places} places for ${name}`];
  });
}

/** What must never be carried into, or loaded by, the guard (architecture, invariant 3). */
const forbiddenInGuard = ["ajv", "chevrotain", "commander", "lodash-es", "yaml"];

/** Why a guard with these inputs and outputs may not be shipped; empty when it may. */
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

/** Why a launcher with these inputs may not be shipped: what it must not carry is what a guard must not. */
export function launcherFaults(metafile: Metafile): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const known = partsAt(".");
  return [
    ...carried(metafile, "launcher"),
    ...loaded.filter((path) => !path.startsWith("node:") && !known.includes(path)).map((p) => `launcher imports ${p}`),
    ...(Object.keys(metafile.outputs).filter((path) => path.endsWith(".cjs")).length === 2
      ? []
      : ["launcher and program are not one file each"]),
  ];
}

/**
 * Why an extension, or the judge behind one, with these inputs may not be shipped: what it must not carry is what a guard must
 * not. `toBin` is the way from its folder to `dist/bin`.
 */
export function extensionFaults(metafile: Metafile, toBin = "../../bin"): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const known = partsAt(toBin);
  return [
    ...carried(metafile, "extension"),
    ...loaded.filter((path) => !isBuiltin(path) && !known.includes(path)).map((path) => `extension imports ${path}`),
  ];
}

/** Why a bundle with this text may not be shipped: it asks for the addon by name, since its build did not say where that is. */
export function addonFaults(name: string, text: string): string[] {
  return text.includes('("re2")') ? [`${name} loads re2 by its name`] : [];
}

/** Why parts with these outputs may not be shipped: what is loaded later finds no package of a project either. */
export function partFaults(metafile: Metafile): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return loaded.filter((path) => !isBuiltin(path)).map((path) => `part imports ${path}`);
}

/** Why a command line with these outputs may not be shipped: what users of OpenTelemetry bring is all that has a name. */
export function cliFaults(metafile: Metafile): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const isKnown = (path: string): boolean =>
    isBuiltin(path) || path.startsWith("@opentelemetry/") || path === `./${partFile("hookwarden-execa")}`;
  return loaded.filter((path) => !isKnown(path)).map((path) => `command line imports ${path}`);
}

/** The package that an input path of a metafile belongs to, or undefined for a file of ours. */
export function packageOf(input: string): string | undefined {
  const rest = input.split("node_modules/").at(-1);
  if (rest === undefined || rest === input) return undefined;
  const parts = rest.split("/");
  return rest.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}
