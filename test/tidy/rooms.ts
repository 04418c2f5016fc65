import { posix } from "node:path";
import { moduleOf } from "./module.ts";
import { type Check, isSource, type Tree } from "./tree.ts";

/** Rooms, and top files that count as one, with what each may import (architecture, "Rooms"). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  diagnostics: [],
  schema: ["diagnostics/source.ts"],
  facts: ["schema"],
  rules: ["diagnostics", "schema", "facts"],
  engine: ["schema", "facts/meter.ts", "facts/find-text.ts"],
  compiler: ["diagnostics", "schema", "facts", "rules", "engine/plan.ts", "engine/canonical.ts"],
  "runtime.ts": ["engine", "rules", "facts", "schema"],
  // Of the hook runtime types alone: modules written for omp import those from a package's root.
  "index.ts": [
    "diagnostics",
    "schema",
    "facts",
    "rules",
    "engine",
    "compiler",
    "runtime.ts",
    "adapters/hooks/index.ts",
  ],
  store: ["diagnostics", "schema", "engine"],
  adapters: ["runtime.ts", "store", "schema"],
  authoring: [
    "adapters",
    "store",
    "index.ts",
    "runtime.ts",
    "compiler",
    "engine",
    "rules",
    "facts",
    "schema",
    "diagnostics",
  ],
  cli: [
    "authoring",
    "adapters",
    "store",
    "index.ts",
    "runtime.ts",
    "compiler",
    "engine",
    "rules",
    "facts",
    "schema",
    "diagnostics",
  ],
};

/** What a room may load on demand only: a hook that finds its plan in the cache never pays for these. */
const mayLoad: Readonly<Record<string, readonly string[]>> = { adapters: ["compiler", "index.ts"] };

/** The room of a path: its top folder, or the file itself at the top. */
export function roomOf(path: string): string {
  return path.split("/")[0] as string;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly dynamic: boolean;
  readonly line: number;
}

/** Relative imports between TypeScript files of a tree, resolved to paths. */
function edges(tree: Tree): Edge[] {
  const found: Edge[] = [];
  for (const [path, text] of tree) {
    if (!isSource(path, text)) continue;
    for (const { specifier, dynamic, line } of moduleOf(path, text).imports) {
      if (!specifier.startsWith(".")) continue;
      found.push({ from: path, to: posix.join(posix.dirname(path), specifier), dynamic, line });
    }
  }
  return found;
}

const covers = (allowed: readonly string[], path: string): boolean =>
  allowed.some((entry) => path === entry || path.startsWith(`${entry}/`));

/** Invariant 1: imports between rooms go one way, types included. */
export const importOrder: Check = {
  name: "rooms import only what is below them",
  run: (tree) =>
    edges(tree).flatMap(({ from, to, dynamic, line }) => {
      const room = roomOf(from);
      const allowed = Object.hasOwn(mayImport, room) ? (mayImport[room] as readonly string[]) : undefined;
      if (!allowed || room === roomOf(to) || covers(allowed, to)) return [];
      if (dynamic && covers(mayLoad[room] ?? [], to)) return [];
      return [`${from}:${line} imports ${to}`];
    }),
};

/** Invariant 1: no module needs itself to be loaded. A dynamic import is loaded later and closes no circle. */
export const noCycles: Check = {
  name: "there is no import circle",
  run(tree) {
    const next = new Map<string, string[]>();
    for (const { from, to, dynamic } of edges(tree)) {
      if (!dynamic) next.set(from, [...(next.get(from) ?? []), to]);
    }
    return circles(next).map((circle) => circle.join(" -> "));
  },
};

/** Depth first; a path that comes back to a file on it is a circle, told once from its smallest name. */
function circles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const found = new Map<string, string[]>();
  const walk = (at: string, path: readonly string[]): void => {
    const start = path.indexOf(at);
    if (start >= 0) {
      const circle = path.slice(start);
      found.set([...circle].sort().join(), [...circle, at]);
    }
    if (start >= 0 || done.has(at)) return;
    for (const to of next.get(at) ?? []) walk(to, [...path, at]);
    done.add(at);
  };
  for (const from of [...next.keys()].sort()) walk(from, []);
  return [...found.values()];
}

const dispatcher = ["engine/dispatch.ts", "engine/combine.ts"];

/** Invariant 9: the dispatcher fits on a page and depends on nothing. */
export const smallDispatcher: Check = {
  name: "dispatch and combine are at most 200 lines together and import only schema and engine",
  run(tree) {
    const lines = dispatcher.map((path) => (tree.get(path) ?? "").split("\n").length - 1);
    const total = lines.reduce((sum, n) => sum + n, 0);
    const missing = dispatcher.filter((path) => !tree.has(path)).map((path) => `${path} is missing`);
    const outside = dispatcher.flatMap((path) =>
      moduleOf(path, tree.get(path) ?? "")
        .imports.filter(({ specifier }) => !/^(\.|\.\.\/schema)\//.test(specifier))
        .map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
    );
    return [...missing, ...(total > 200 ? [`${total} lines`] : []), ...outside];
  },
};
