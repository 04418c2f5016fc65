import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";

/** The generated validators; each program gets only those that its modules import. */
export const validatorsFile = "schema/validators.generated.js";

/**
 * Modules of the launcher's program whose work is done at build time instead of in every process. Some are tables made from many
 * other modules, which with `lazyModules` then load only for a requested row; one is generated code that the program uses in
 * part. Each function returns the text that replaces the file's.
 */
export const preparedModules: Readonly<Record<string, PreparedModule>> = {
  "facts/versions.ts": versions,
  "schema/events.ts": hostNames,
  "engine/normalise.ts": canonicalHosts,
  "facts/secrets/table.ts": detectorRows,
  "facts/secrets/detectors.ts": detectorNames,
  "facts/secrets/usual-words.ts": usualWords,
  "facts/programs/registry.ts": rowsByName,
  "facts/programs/wrappers.ts": rowsByName,
  "rules/vocabulary.ts": functionsById,
  [validatorsFile]: async (root, path) => usedValidators(root, path, await filesOfRooms(root)),
};

/** Makes the text of a module. Rejects if the file does not have the form that the build expects. */
export type PreparedModule = (root: string, path: string) => Promise<string>;

/** Returns the generated validators that these modules import, without the others. */
export function validatorsFor(modules: readonly string[]): Readonly<Record<string, PreparedModule>> {
  return { [validatorsFile]: (root, path) => usedValidators(root, path, modules) };
}

/** Rooms of the launcher's program; other adapters use more of the generated validators than hooks do. */
const rooms = ["schema", "facts", "rules", "engine", "store", "adapters/one-shot", "adapters/pi"];

async function versions(root: string, path: string): Promise<string> {
  const { dataVersions } = (await imported(root, path)) as { dataVersions: Readonly<Record<string, string>> };
  return `export const dataVersions = ${JSON.stringify(dataVersions)};\n`;
}

/** Embeds the names that hosts give events, so that the hosts need not load. */
async function hostNames(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8");
  const { hostNamesOf } = (await imported(root, "schema/hosts.ts")) as { hostNamesOf(name: string): readonly string[] };
  const { eventNames } = (await imported(root, path)) as { eventNames: readonly string[] };
  const names = Object.fromEntries(eventNames.map((name) => [name, hostNamesOf(name)]));
  const line = 'import { hostNamesOf } from "./hosts.ts";\n';
  if (!text.includes(line)) throw new Error(`\`${path}\` does not ask hosts for names as the build expects`);
  const made = `const namesOnHosts = ${JSON.stringify(names)};\nconst hostNamesOf = (name) => namesOnHosts[name];\n`;
  return text.replace(line, made);
}

/** Embeds the host names that events use, so that the hosts need not load. */
async function canonicalHosts(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8");
  const { canonicalHost, hosts, otherHostNames } = (await imported(root, "schema/hosts.ts")) as {
    canonicalHost(name: string): string;
    readonly hosts: Readonly<Record<string, { readonly title: string }>>;
    readonly otherHostNames: readonly string[];
  };
  const titles = Object.values(hosts).map(({ title }) => title.toLowerCase());
  const names = [...titles, ...otherHostNames, ...Object.keys(hosts)].map((name) => [name, canonicalHost(name)]);
  const line = 'import { canonicalHost } from "../schema/hosts.ts";\n';
  if (!text.includes(line)) throw new Error(`\`${path}\` does not ask hosts for names as the build expects`);
  const made = `const hostsByName = new Map<string, string>(${JSON.stringify(names)});
const canonicalHost = (name: string): string => hostsByName.get(name) ?? hostsByName.get(name.toLowerCase()) ?? name;
`;
  return text.replace(line, made);
}

/** Returns the module of detectors with its rows as JSON, which loads faster than the code that makes them. */
async function detectorRows(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8");
  const { detectors } = (await imported(root, path)) as { detectors: readonly unknown[] };
  const json = JSON.stringify(detectors);
  const imports = /^import \{ \w+Rows \} from "\.\/rows-\w+\.ts";\n/gm;
  const list = /^export const detectors: readonly Detector\[\] = \[\n(?: {2}\.\.\.\w+Rows,\n)+\];\n/m;
  if (!list.test(text) || !isDeepStrictEqual(JSON.parse(json), detectors))
    throw new Error(`\`${path}\` has no list of rows that the build understands`);
  return text
    .replace(imports, "")
    .replace(list, () => `export const detectors = JSON.parse(${JSON.stringify(json)});\n`);
}

/** Embeds the ids of detectors, so that the rows need not load. */
async function detectorNames(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8");
  const { detectorIds } = (await imported(root, path)) as { detectorIds: readonly string[] };
  const line = "export const detectorIds: readonly string[] = detectors.map(({ id }) => id);\n";
  if (!text.includes(line)) throw new Error(`\`${path}\` has no list of ids that the build understands`);
  return text.replace(line, `export const detectorIds = ${JSON.stringify(detectorIds.join(" "))}.split(" ");\n`);
}

/** Embeds the keywords of secrets, so that neither the rows nor an index of them are made for each event. */
async function usualWords(root: string, path: string): Promise<string> {
  const { usualWords: made } = (await imported(root, path)) as { usualWords(): unknown };
  return `export const usualWords = () => (${JSON.stringify(made())});\n`;
}

async function filesOfRooms(root: string): Promise<readonly string[]> {
  const found = rooms.map(async (room) =>
    (await readdir(join(root, room), { recursive: true })).map((name) => join(room, name)),
  );
  return (await Promise.all(found)).flat().filter((name) => name.endsWith(".ts"));
}

async function usedValidators(root: string, path: string, modules: readonly string[]): Promise<string> {
  const asked = /^import \{([^}]*)\} from "[^"]*\/validators\.generated\.js";$/gm;
  const validators = new Set<string>();
  for (const name of modules)
    for (const [, names = ""] of (await readFile(join(root, name), "utf8")).matchAll(asked))
      for (const one of names.split(",")) if (!one.trim().startsWith("type ")) validators.add(one.trim());
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${[...validators].join(", ")} } from "./${basename(path)}";`,
      resolveDir: dirname(join(root, path)),
    },
    bundle: true,
    treeShaking: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** The table of a registry: rows of several lists, by their names. */
const table =
  /^const byName: ReadonlyMap<string, (\w+)> = new Map\(\n {2}\[\n([^\]]*)\]\.flatMap\(\((\w+)\) => \3\.names\.map\(\(name\) => \[name, \3\] as const\)\),\n\);\n/m;

/** Rewrites a registry so that it knows the list of each row before it loads that list. */
async function rowsByName(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8");
  const found = table.exec(text);
  if (!found) throw new Error(`\`${path}\` has no table of rows by name that the build understands`);
  const lists = (found[2] ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const homes = new Map<string, readonly [list: number, row: number]>();
  for (const [i, one] of lists.entries()) {
    const name = one.replace("...", "");
    const from = new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)";$`, "m").exec(text)?.[1];
    if (from === undefined) throw new Error(`\`${path}\` does not import \`${name}\``);
    const value = (await imported(root, join(dirname(path), from)))[name] as Row | readonly Row[];
    const rows = one === name ? [value as Row] : (value as readonly Row[]);
    for (const [row, { names }] of rows.entries()) for (const known of names) homes.set(known, [i, row]);
  }
  if ([...homes.keys()].some((name) => /\s/.test(name))) throw new Error(`a name in \`${path}\` holds white space`);
  return late(text.replace(table, () => lazyTable(found[1] ?? "", lists, homes)));
}

/** Makes exported lists of names lazy, because few callers need all names. */
function late(text: string): string {
  const exported = /^export const (\w+): readonly string\[\] = (\[\.\.\..+\]);$/gm;
  return `${text.replace(exported, "export const $1 = lateList(() => $2);")}
function lateList(make: () => readonly string[], known?: readonly string[]): readonly string[] {
  const list = () => (known ??= make());
  return new Proxy([], { get: (_, key) => Reflect.get(list(), key), has: (_, key) => Reflect.has(list(), key) });
}
`;
}

interface Row {
  readonly names: readonly string[];
}

/** Number of lookups in the text of a table before the table itself is made. */
const fewLooks = 64;

/** Returns code with a text instead of a table: the text costs nothing at start, and a hook looks up few names. */
function lazyTable(type: string, lists: readonly string[], homes: Homes): string {
  const loaded = lists.map((one) => (one.startsWith("...") ? `() => ${one.slice(3)}` : `() => [${one}]`));
  const text = [...homes].map(([name, [list, row]]) => `${name} ${list} ${row}`).join("\n");
  return `const homes = ${JSON.stringify(`\n${text}\n`)};
const lists: readonly (() => readonly ${type}[])[] = [${loaded.join(", ")}];
const places = new Map<string, readonly number[]>();
const placeOf = (line: string): readonly number[] => line.split(" ").map(Number);
const byName = {
  looked: 0,
  get(name: string): ${type} | undefined {
    const [list, row] = this.placed(name) ?? [];
    return lists[list as number]?.()[row as number];
  },
  placed(name: string): readonly number[] | undefined {
    if (this.looked++ < ${fewLooks}) {
      const at = /\\s/.test(name) ? -1 : homes.indexOf(\`\\n\${name} \`);
      return at < 0 ? undefined : placeOf(homes.slice(at + name.length + 2, homes.indexOf("\\n", at + 1)));
    }
    if (places.size === 0) for (const line of homes.trim().split("\\n")) places.set(line.slice(0, line.indexOf(" ")), placeOf(line.slice(line.indexOf(" ") + 1)));
    return places.get(name);
  },
  keys: (): readonly string[] => homes.trim().split("\\n").map((line) => line.slice(0, line.indexOf(" "))),
};
`;
}

type Homes = ReadonlyMap<string, readonly [list: number, row: number]>;

/** The list of families of a vocabulary, and what it makes of them. */
const single = "new Map<string, FunctionCode>([[equality.id, equality]])";
const familyList = /^const families: readonly [^\n]* = \[\n([^\]]*)\];\n/m;
const collected = "export const functions: ReadonlyMap<string, FunctionCode> = collect();\n";

/**
 * Rewrites the vocabulary so that it knows the family of each function, and loads only the families that a rule uses. Functions
 * made of several families, such as dispatchers, still load all of them.
 */
async function functionsById(root: string, path: string): Promise<string> {
  const text = await readFile(join(root, path), "utf8");
  const found = familyList.exec(text);
  if (!found || !text.includes(collected) || !text.includes(single) || text.split("families.flatMap(").length !== 2)
    throw new Error(`\`${path}\` has no families of functions that the build understands`);
  const names = (found[1] ?? "").match(/\w+/g) ?? [];
  const { functions } = (await imported(root, path)) as { functions: ReadonlyMap<string, unknown> };
  const { equality } = (await imported(root, "rules/operators/comparison.ts")) as { equality: { readonly id: string } };
  const homes: string[] = [];
  for (const [i, family] of names.entries()) {
    const from = new RegExp(`^import \\{[^}]*\\b${family}\\b[^}]*\\} from "([^"]+)";$`, "m").exec(text)?.[1];
    if (from === undefined) throw new Error(`\`${path}\` does not import \`${family}\``);
    const lists = (await imported(root, join(dirname(path), from)))[family] as Readonly<
      Record<string, readonly { id: string }[]>
    >;
    for (const [name, codes] of Object.entries(lists))
      for (const [at, code] of codes.entries())
        if (functions.get(code.id) === code) homes.push(`${code.id} ${i} ${name} ${at}`);
  }
  if (homes.some((home) => !/^\S+ \d+ \S+ \d+$/.test(home))) throw new Error(`an id in \`${path}\` holds white space`);
  return text
    .replace(familyList, () => `const families = [${names.map((name) => `() => ${name}`).join(", ")}];\n`)
    .replace("families.flatMap(", "families.map((family) => family()).flatMap(")
    .replace(collected, () => lateFunctions(homes, equality.id));
}

/** Returns code that finds a function by id in its family; any other use of the map loads all families. */
function lateFunctions(homes: readonly string[], alone: string): string {
  return `const homes = ${JSON.stringify(`\n${homes.join("\n")}\n`)};
let whole: ReadonlyMap<string, FunctionCode> | undefined;
const all = () => (whole ??= collect());
const byId = (id) => {
  const at = /\\s/.test(id) ? -1 : homes.indexOf(\`\\n\${id} \`);
  if (at < 0 && id === "${alone}") return equality;
  if (at < 0) return all().get(id);
  const [family, name, place] = homes.slice(at + id.length + 2, homes.indexOf("\\n", at + 1)).split(" ");
  return families[family]()[name][place];
};
export const functions = new Proxy({}, {
  get: (_, key) => {
    if (key === "get") return byId;
    const value = Reflect.get(all(), key);
    return typeof value === "function" ? value.bind(all()) : value;
  },
});
`;
}

function imported(root: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(join(root, path)).href) as Promise<Readonly<Record<string, unknown>>>;
}
