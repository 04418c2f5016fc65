import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Metafile, type Plugin, transform } from "esbuild";
import { type PreparedModule, preparedModules } from "./prepared-modules.ts";

/**
 * Plugin that loads each module at its first use, for a program that starts for each event and uses only part of its code. Every
 * module of ours becomes a function that runs once, and every use of an import calls it. So the start of an unused module, for
 * example its tables, costs nothing. There are no import cycles, and no module changes another at its start
 * (`test/tidy.test.ts`), so order does not matter. An import for side effects only stays in place. Third-party packages are
 * unchanged, but also load late. `prepared` holds the modules whose text `preparedModules` makes.
 */
export function lazyModules(
  root: string,
  define: Readonly<Record<string, string>>,
  prepared: Readonly<Record<string, PreparedModule>> = preparedModules,
): readonly Plugin[] {
  const lazy: Plugin = {
    name: "lazy-modules",
    setup: ({ onResolve, onLoad }) => {
      // Not as files: the package says that those are ES modules.
      onResolve({ filter: /\.[jt]s$/ }, ({ path, resolveDir, kind }) => {
        if (kind !== "entry-point" && !path.startsWith(".")) return undefined;
        const file = resolve(resolveDir, path);
        return file.includes(`${sep}node_modules${sep}`) ? undefined : { path: relative(root, file), namespace };
      });
      onLoad({ filter: /./, namespace }, async ({ path }) => {
        const file = join(root, path);
        const text = await (prepared[path]?.(root, path) ?? readFile(file, "utf8"));
        return { contents: await lazyText(path, text, define), loader: "js", resolveDir: dirname(file) };
      });
    },
  };
  return [lazy];
}

const namespace = "lazy";

/** Lazy module texts by their inputs, kept because a program is bundled twice. */
const made = new Map<string, Promise<string>>();

function lazyText(path: string, text: string, define: Readonly<Record<string, string>>): Promise<string> {
  const key = JSON.stringify([path, text, define]);
  const known = made.get(key);
  if (known) return known;
  const options = { format: "cjs", platform: "node", target: "node20.19", define: { ...define } } as const;
  const loader = path.endsWith(".ts") ? "ts" : "js";
  const fresh = transform(text, { ...options, loader }).then(({ code }) => lazily(code));
  made.set(key, fresh);
  return fresh;
}

/** Paths of the modules in a bundle that were made lazy. */
export function lazyPaths(metafile: Metafile): readonly string[] {
  const prefix = `${namespace}:`;
  return Object.keys(metafile.inputs).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
}

/** Matches the code that esbuild writes before the exports of a CommonJS module, and the exports as pairs of a name and a value. */
const exported =
  /^[\s\S]*?__export\(stdin_exports, \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(stdin_exports\);\n/;

/** One import as esbuild writes it for CommonJS. */
const imported = /^var (import_\w+) = (__toESM\()?require\(("[^"]+")\)(?:, 1\))?\)?;$/gm;

/** Rewrites a CommonJS module of esbuild: imports load at their first use, and exports are set at the end. */
export function lazily(code: string): string {
  const pairs = exported.exec(code)?.[1]?.split(",\n") ?? [];
  const made = pairs.map((pair) => {
    const [name = "", value = ""] = pair.trim().split(": () => ");
    // A re-export must not load the module that it comes from.
    return value.startsWith("import_") ? `get ${name}() { return ${value}; }` : `${name}: ${value}`;
  });
  const whole = made.length === 0 ? code : `${code.replace(exported, "")}\nmodule.exports = { ${made.join(", ")} };\n`;
  const uses = new Map<string, string>();
  const declared = whole.replace(imported, (_, name: string, interop: string | undefined, from: string) => {
    const taken = interop === undefined ? `require(${from})` : `__toESM(require(${from}))`;
    if (!whole.includes(`${name}.`)) return `${taken};`;
    // A module of ours is already a function; a platform module or package is looked up once.
    const own = interop === undefined && from.startsWith('".');
    uses.set(name, own ? taken : `${name}()`);
    return own ? "" : `var ${name}_;\nfunction ${name}() {\n  return ${name}_ ??= ${taken};\n}`;
  });
  // esbuild uses these names for nothing else in the module, and only before a member.
  const text = [...uses].reduce(
    (rest, [name, use]) =>
      rest
        .replace(new RegExp(`new ${name}\\.(\\w+)`, "g"), (_, member: string) => `new (${use}.${member})`)
        .replaceAll(`${name}.`, () => `${use}.`),
    declared,
  );
  return text.includes("__toESM(") ? interop + text : text;
}

/** Converts a CommonJS module to the form that `import` gives. */
const interop = `var __toESM = (m) => m && m.__esModule ? m : Object.create(m, { default: { value: m } });\n`;
