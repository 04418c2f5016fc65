import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import type { Normalised } from "../../../engine/normalise.ts";
import { programOf } from "../../../facts/programs/registry.ts";
import { wrapperNames, wrapperOf } from "../../../facts/programs/wrappers.ts";
import { detectorIds, selectDetectors } from "../../../facts/secrets/detectors.ts";
import { detectors } from "../../../facts/secrets/table.ts";
import { usualWords } from "../../../facts/secrets/usual-words.ts";
import { dataVersions } from "../../../facts/versions.ts";
import { functions } from "../../../rules/vocabulary.ts";
import { eventNames, events } from "../../../schema/events.ts";
import { canonicalHost, hostNames, hosts, otherHostNames } from "../../../schema/hosts.ts";
import { lazily } from "../../../scripts/build/lazy-modules.ts";
import { preparedModules } from "../../../scripts/build/prepared-modules.ts";

const root = join(import.meta.dirname, "../../..");

/** A module made lazy, run with modules of the test's own; `begun` names those that have begun, in their order. */
async function run(text: string, modules: Readonly<Record<string, unknown>>) {
  const { code } = await transform(text, { loader: "ts", format: "cjs", platform: "node", target: "node20.19" });
  const begun: string[] = [];
  const load = (name: string): unknown => {
    if (!begun.includes(name)) begun.push(name);
    return modules[name];
  };
  const made = { exports: {} as Record<string, unknown> };
  new Function("require", "module", "exports", lazily(code))(load, made, made.exports);
  return { exports: made.exports, begun };
}

describe("a module made lazy", () => {
  it("begins what it imports when that is first used", async () => {
    const text = `import { a } from "./a.ts"; import { B } from "./b.ts"; import type { T } from "./t.ts";
      export const useA = (): T => a(1); export function useB(): unknown { return new B("x").value; }
      export class C extends Array {} export const own = [1, 2];`;
    const B = class {
      readonly value: string;
      constructor(value: string) {
        this.value = value;
      }
    };
    const { exports, begun } = await run(text, { "./a.ts": { a: (n: number) => n + 1 }, "./b.ts": { B } });
    expect([Object.keys(exports), begun]).toEqual([["C", "own", "useA", "useB"], []]);
    expect([(exports["useA"] as () => unknown)(), begun]).toEqual([2, ["./a.ts"]]);
    expect([(exports["useB"] as () => unknown)(), begun]).toEqual(["x", ["./a.ts", "./b.ts"]]);
  });

  it("begins what it imports for its effects alone at once", async () => {
    const { begun } = await run(`import "./first.ts"; import { a } from "./a.ts"; export const f = () => a;`, {});
    expect(begun).toEqual(["./first.ts"]);
  });

  it("passes on what another exports without beginning it", async () => {
    const { exports, begun } = await run(`export { a, b as c } from "./a.ts";`, { "./a.ts": { a: 1, b: 2 } });
    expect(begun).toEqual([]);
    expect([exports["a"], exports["c"]]).toEqual([1, 2]);
  });

  it("has the default of a module that is none of ours", async () => {
    const { exports } = await run(`import thing, { part } from "thing"; export const f = () => [thing.part, part];`, {
      thing: { part: 3 },
    });
    expect((exports["f"] as () => unknown)()).toEqual([3, 3]);
  });
});

/** A prepared module as the program has it, with the modules that it asks for. */
async function prepared(path: string): Promise<Record<string, unknown>> {
  const text = await (preparedModules[path] as (root: string, path: string) => Promise<string>)(root, path);
  const found = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, from = ""]) => from);
  const folder = pathToFileURL(join(root, path));
  const modules = await Promise.all(
    found.map(async (from) => [from, await import(new URL(from, folder).href)] as const),
  );
  return (await run(text, Object.fromEntries(modules))).exports;
}

describe("a module that is prepared at build time", () => {
  it("knows every program and wrapper by every name", async () => {
    const programs = await prepared("facts/programs/registry.ts");
    const own = programs["programOf"] as typeof programOf;
    const names = programs["knownNames"] as readonly string[];
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name) => name === "git")).toEqual(["git"]);
    for (const name of [
      ...names,
      "python3.12",
      "constructor",
      "__proto__",
      "no-such-program",
      "",
      " ",
      "git 1",
      "ls\n",
    ])
      expect(own(name)).toBe(programOf(name));
    const wrappers = await prepared("facts/programs/wrappers.ts");
    expect([...(wrappers["wrapperNames"] as readonly string[])]).toEqual(wrapperNames);
    for (const name of [...wrapperNames, "toString"])
      expect((wrappers["wrapperOf"] as typeof wrapperOf)(name)).toBe(wrapperOf(name));
  });

  it("has every row of the detectors as data", async () => {
    expect((await prepared("facts/secrets/table.ts"))["detectors"]).toEqual(detectors);
    const made = await prepared("facts/secrets/detectors.ts");
    expect(made["detectorIds"]).toEqual(detectorIds);
    const select = made["selectDetectors"] as typeof selectDetectors;
    for (const names of [["secrets/*"], ["pii/card", "secrets/aws-*"], ["no/such"]]) {
      const [own, source] = [select(names), selectDetectors(names)];
      expect([own.unknown, own.selected.ids, own.selected.key]).toEqual([
        source.unknown,
        source.selected.ids,
        source.selected.key,
      ]);
      expect(own.selected.rows).toEqual(source.selected.rows);
    }
  });

  it("has the keywords of all secrets", async () => {
    const made = (await prepared("facts/secrets/usual-words.ts"))["usualWords"] as typeof usualWords;
    expect(made()).toEqual(usualWords());
  });

  it("has the versions of all tables, and the names of all events", async () => {
    expect((await prepared("facts/versions.ts"))["dataVersions"]).toEqual(dataVersions);
    const made = await prepared("schema/events.ts");
    expect(made["events"]).toEqual(events);
    expect(made["eventNames"]).toEqual(eventNames);
  });

  it("gives a host the name that events have for it", async () => {
    const normalise = (await prepared("engine/normalise.ts"))["normalise"] as (wire: object) => Partial<Normalised>;
    const titles = Object.values(hosts).map(({ title }) => title);
    for (const name of [...titles, ...hostNames, ...otherHostNames, "constructor", "Nobody's", ""])
      expect([name, normalise({ event: "tool_call", host: name, tool: "bash", args: {} }).event?.host]).toEqual([
        name,
        canonicalHost(name),
      ]);
  });

  it("finds each function of the vocabulary in its own family, and the others among all", async () => {
    const path = "rules/vocabulary.ts";
    const text = await (preparedModules[path] as (root: string, path: string) => Promise<string>)(root, path);
    const own = (await prepared(path))["functions"] as typeof functions;
    for (const [id, code] of functions) {
      const { id: known, run: runs, prepare } = own.get(id) ?? {};
      expect([known, runs?.length, typeof prepare]).toEqual([id, code.run.length, typeof code.prepare]);
      expect(own.get(id)).toBe(own.get(id));
      if (text.includes(`\\n${id} `)) expect(own.get(id)).toBe(code);
    }
    expect([...own.keys()]).toEqual([...functions.keys()]);
    expect([own.get("constructor"), own.get(""), own.get(" "), own.has("no-such")]).toEqual([
      undefined,
      undefined,
      undefined,
      false,
    ]);
    const { begun, exports } = await run(
      text,
      Object.fromEntries([...text.matchAll(/from "(\.[^"]+)"/g)].map(([, from = ""]) => [from, lists])),
    );
    (exports["functions"] as typeof functions).get("list.in");
    expect(begun).toEqual(["./functions/list.ts"]);
    expect(own.get("equal")).toBe(functions.get("equal"));
  });
});

/** Any family of functions, as far as it matters that one is asked for. */
const lists = new Proxy({}, { get: () => new Proxy({}, { get: () => [] }) });
