import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Metafile, type Plugin, transform } from "esbuild";
import { type PreparedModule, preparedModules } from "./prepared-modules.ts";

/**
 * Modules that begin when something of them is first used, for a program that is started anew for each event and uses a
 * part of itself each time: every module of ours becomes a function that runs once, and every use of an import goes
 * through it. What a module does when it begins, tables above all, then costs nothing where nobody asks for it. There are
 * no import circles and no module changes another when it begins (`test/tidy.test.ts`), so that order does not matter; an
 * import for its side effects alone stays where it is. Packages of others are taken as they are, and as late. `prepared`
 * has the modules that are taken as `preparedModules` makes them.
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

/** Texts that were made lazy, by what they were made of: a program is bundled twice. */
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

/** What esbuild writes before the exports of a module for CommonJS, and the exports: pairs of a name and what it is. */
const exported =
  /^[\s\S]*?__export\(stdin_exports, \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(stdin_exports\);\n/;

/** One import as esbuild writes it for CommonJS. */
const imported = /^var (import_\w+) = (__toESM\()?require\(("[^"]+")\)(?:, 1\))?\)?;$/gm;

/** A module for CommonJS, as esbuild writes it, with its imports taken at their first use and its exports made at its end. */
export function lazily(code: string): string {
  const pairs = exported.exec(code)?.[1]?.split(",\n") ?? [];
  const made = pairs.map((pair) => {
    const [name = "", value = ""] = pair.trim().split(": () => ");
    // What is passed on from another module must not begin that one.
    return value.startsWith("import_") ? `get ${name}() { return ${value}; }` : `${name}: ${value}`;
  });
  const whole = made.length === 0 ? code : `${code.replace(exported, "")}\nmodule.exports = { ${made.join(", ")} };\n`;
  const uses = new Map<string, string>();
  const declared = whole.replace(imported, (_, name: string, interop: string | undefined, from: string) => {
    const taken = interop === undefined ? `require(${from})` : `__toESM(require(${from}))`;
    if (!whole.includes(`${name}.`)) return `${taken};`;
    // A module of ours is a function by itself; what the platform or a package gives is looked up once.
    const own = interop === undefined && from.startsWith('".');
    uses.set(name, own ? taken : `${name}()`);
    return own ? "" : `var ${name}_;\nfunction ${name}() {\n  return ${name}_ ??= ${taken};\n}`;
  });
  // esbuild gives these names to nothing else in the module, and uses them for members alone.
  const text = [...uses].reduce(
    (rest, [name, use]) =>
      rest
        .replace(new RegExp(`new ${name}\\.(\\w+)`, "g"), (_, member: string) => `new (${use}.${member})`)
        .replaceAll(`${name}.`, () => `${use}.`),
    declared,
  );
  return text.includes("__toESM(") ? interop + text : text;
}

/** A module that is no ES module, as what `import` gives of it. */
const interop = `var __toESM = (m) => m && m.__esModule ? m : Object.create(m, { default: { value: m } });\n`;
