import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { BuildOptions, Metafile, PluginBuild } from "esbuild";

/** Packages that stay outside every bundle: the addon is optional and native, execa is loaded only to run programs. */
const outside = ["re2", "execa"];

/** CommonJS packages inside an ES module bundle ask for node builtins through `require`. */
const requireBanner = `import { createRequire as createRequireForBundle } from "node:module";
const require = createRequireForBundle(import.meta.url);`;

/** One ES module with all that an entry needs: for tests of threads, which cannot load TypeScript. */
export function threadBundle(root: string, entry: string): BuildOptions {
  return {
    ...shared(root),
    entryPoints: [join(root, entry)],
    banner: { js: requireBanner },
    external: outside,
  };
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
    external: [...outside, "@opentelemetry/*"],
    legalComments: "linked",
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
    // `var`, since some hosts wrap a module into a function that has a `require` already.
    banner: { js: requireBanner.replace("const require", "var require") },
    outdir: join(root, "dist/guard"),
    outExtension: { ".js": ".mjs" },
    external: ["re2"],
    legalComments: "inline",
  };
}

/**
 * The program of hooks that are a process each: what their launcher begins (`launcher.ts` writes both). The compiler stays
 * outside, in `dist/compiler`, and is loaded when no plan is cached.
 */
export function programBundle(root: string): BuildOptions {
  return {
    ...launcherBundle(root),
    entryPoints: { "hookwarden-hook.program": join(root, "adapters/one-shot/program.ts") },
    banner: {},
    external: outside,
    plugins: [{ name: "compiler-outside", setup: (plugin) => compilerOutside(plugin, "../compiler/compile.js") }],
    legalComments: "linked",
  };
}

/**
 * An extension of a host as one file (`extensions.ts`). Like the program of hooks it leaves the compiler outside, which is
 * loaded when no plan is cached.
 */
export function extensionBundle(root: string, host: string, outdir: string): BuildOptions {
  return {
    ...shared(root),
    format: "cjs",
    // Of one byte per character, which is sooner read; names stay, for profiles.
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    entryPoints: { entry: join(root, "adapters", host, "entry.ts") },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    define: { "import.meta.url": "moduleUrl" },
    outdir,
    outExtension: { ".js": ".cjs" },
    external: outside,
    plugins: [{ name: "compiler-outside", setup: (plugin) => compilerOutside(plugin, "../../compiler/compile.js") }],
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

function compilerOutside({ onResolve }: PluginBuild, path: string): void {
  onResolve({ filter: /\/compiler\/compile\.ts$/ }, () => ({ path, external: true }));
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
  const known = [...outside, "../compiler/compile.js"];
  return [
    ...carried(metafile, "launcher"),
    ...loaded.filter((path) => !path.startsWith("node:") && !known.includes(path)).map((p) => `launcher imports ${p}`),
    ...(Object.keys(metafile.outputs).filter((path) => path.endsWith(".cjs")).length === 2
      ? []
      : ["launcher and program are not one file each"]),
  ];
}

/** Why an extension with these inputs may not be shipped: what it must not carry is what a guard must not. */
export function extensionFaults(metafile: Metafile): string[] {
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const known = [...outside, "../../compiler/compile.js"];
  return [
    ...carried(metafile, "extension"),
    ...loaded.filter((path) => !isBuiltin(path) && !known.includes(path)).map((path) => `extension imports ${path}`),
  ];
}

/** The package that an input path of a metafile belongs to, or undefined for a file of ours. */
export function packageOf(input: string): string | undefined {
  const rest = input.split("node_modules/").at(-1);
  if (rest === undefined || rest === input) return undefined;
  const parts = rest.split("/");
  return rest.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}
