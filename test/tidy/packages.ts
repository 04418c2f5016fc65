import { builtinModules } from "node:module";
import { moduleOf } from "./module.ts";
import { roomOf } from "./rooms.ts";
import { type Check, isSource, type Tree } from "./tree.ts";

/** Where each package may be imported (architecture, invariant 2): a file, or a folder with a final slash. */
const homes: Readonly<Record<string, string>> = {
  "@humanwhocodes/momoa": "adapters/install/jsonc.ts",
  "@opentelemetry/api-logs": "cli/audit/otlp.ts",
  "@opentelemetry/otlp-transformer": "cli/audit/otlp.ts",
  "@opentelemetry/resources": "cli/audit/otlp.ts",
  "@opentelemetry/sdk-logs": "cli/audit/otlp.ts",
  chevrotain: "compiler/parse/",
  commander: "cli/",
  execa: "adapters/run.ts",
  jiti: "adapters/hooks/module-code.ts",
  picocolors: "cli/",
  re2: "facts/regex.ts",
  re2js: "facts/regex.ts",
  "smol-toml": "authoring/import/toml.ts",
  "sorted-btree": "facts/shell/interpret/table.ts",
  unbash: "facts/shell/",
  yaml: "compiler/read.ts",
};

/** Builtins that a room without input and output may still use: hashing, and loading the optional addon. */
const pureBuiltins: Readonly<Record<string, readonly string[]>> = {
  "diagnostics/": [],
  "schema/": [],
  "facts/": [],
  "facts/regex.ts": ["node:module"],
  "rules/": [],
  "engine/": ["node:crypto"],
};

const builtins = new Set(builtinModules);
const outsideRooms = new Set(["test", "scripts", "vitest.config.ts"]);

interface Use {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

/** Packages used per file: imported, or named in a call such as `require("re2")`. */
function uses(tree: Tree): Use[] {
  const found: Use[] = [];
  for (const [path, text] of tree) {
    if (!isSource(path, text)) continue;
    const { imports, callTexts } = moduleOf(path, text);
    for (const { specifier, line } of imports) {
      if (specifier.startsWith(".") || specifier.startsWith("node:")) continue;
      found.push({ path, line, name: packageName(specifier) });
    }
    if (outsideRooms.has(roomOf(path))) continue;
    for (const { text: given, line } of callTexts) {
      if (Object.hasOwn(homes, given)) found.push({ path, line, name: given });
    }
  }
  return found;
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] as string);
}

/** Invariant 2: a package is known to one file or folder, so that it can be replaced there. */
export const thirdPartyHomes: Check = {
  name: "every package has one home",
  run: (tree) =>
    uses(tree).flatMap(({ path, line, name }) => {
      if (outsideRooms.has(roomOf(path))) return [];
      if (builtins.has(name)) return [`${path}:${line} imports ${name} without \`node:\``];
      const home = Object.hasOwn(homes, name) ? (homes[name] as string) : undefined;
      if (home === undefined) return [`${path}:${line} uses ${name}, which has no home`];
      return path === home || (home.endsWith("/") && path.startsWith(home)) ? [] : [`${path}:${line} uses ${name}`];
    }),
};

/** `unbash` and `yaml` are whole parsers: one file each stands between them and us. */
export const oneShellParserFile: Check = {
  name: "the shell parser is known to one file",
  run(tree) {
    const files = new Set(
      uses(tree).flatMap(({ path, name }) => (name === "unbash" && roomOf(path) === "facts" ? [path] : [])),
    );
    return files.size > 1 ? [[...files].join(", ")] : [];
  },
};

/** Packages that users of a build get installed; the programs carry all others that the code imports. */
const foundAtRunTime: ReadonlySet<string> = new Set(["jiti"]);

/** What `package.json` promises to install is what the code imports at run time, no less and no more. */
export const dependenciesAreImports: Check = {
  name: "dependencies in package.json equal imports",
  run(tree) {
    const manifest = JSON.parse(tree.get("package.json") ?? "{}");
    const installed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    // What users bring themselves is named with a range, and pinned among the development packages.
    const declared = { ...installed, ...manifest.peerDependencies };
    const development = manifest.devDependencies ?? {};
    const wanted = new Set([...foundAtRunTime, ...Object.keys(manifest.optionalDependencies ?? {})]);
    const inside = new Set<string>();
    const found: string[] = [];
    for (const { path, line, name } of uses(tree)) {
      const outside = outsideRooms.has(roomOf(path));
      if (!outside) inside.add(name);
      const known = Object.hasOwn(declared, name) || Object.hasOwn(development, name);
      if (!known) found.push(`${path}:${line} imports ${name}, which package.json does not name`);
    }
    const unused = Object.keys(declared).filter((name) => !inside.has(name));
    const carried = Object.keys(installed).filter((name) => !wanted.has(name) && inside.has(name));
    const loose = Object.entries({ ...installed, ...development }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)),
    );
    return [
      ...found,
      ...unused.map((name) => `package.json names ${name}, which nothing imports`),
      ...carried.map((name) => `package.json installs ${name}, which the programs carry`),
      ...loose.map(([name, version]) => `package.json gives ${name} as ${version}, not as an exact version`),
    ];
  },
};

interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * `npm ci` refuses a lock file that leaves out a package for another platform, and npm leaves one out when its
 * registry does not know it; so every dependency of every package has its entry.
 */
export const completeLock: Check = {
  name: "the lock file has every package for every platform",
  run(tree) {
    const lock: { packages?: Record<string, LockEntry> } = JSON.parse(tree.get("package-lock.json") ?? "{}");
    const packages = lock.packages ?? {};
    return Object.entries(packages).flatMap(([path, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter((name) => !lookupPaths(path, name).some((place) => Object.hasOwn(packages, place)))
        .map((name) => `${path === "" ? "package.json" : path} needs ${name}, which the lock file does not have`),
    );
  },
};

/** Where Node looks for a package that the package at `path` needs, nearest first. */
function lookupPaths(path: string, name: string): string[] {
  const parts = path === "" ? [] : path.split("/node_modules/");
  return [
    ...parts.map((_, i) => [...parts.slice(0, parts.length - i), name].join("/node_modules/")),
    `node_modules/${name}`,
  ];
}

const impure =
  /^(Date\.now|new Date\(\)|Math\.random|performance(\..*)?|process\..*|fetch|setTimeout|setInterval|setImmediate|globalThis\.(process|fetch))$/;

/** Invariants 4 and 6: the rooms that make a decision have no input, output, clock or chance. */
export const pureRooms: Check = {
  name: "facts, rules and engine have no input, output, clock or chance",
  run: (tree) =>
    [...tree].flatMap(([path, text]) => {
      const allowed = pureBuiltins[path] ?? pureBuiltins[`${roomOf(path)}/`];
      if (!allowed || !isSource(path, text)) return [];
      const { imports, names } = moduleOf(path, text);
      const outside = imports.filter(({ specifier: s }) => s.startsWith("node:") && !allowed.includes(s));
      return [
        ...outside.map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
        ...names.filter((n) => impure.test(n.text)).map((n) => `${path}:${n.line} uses ${n.text}`),
      ];
    }),
};
