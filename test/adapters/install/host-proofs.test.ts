import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HostRow } from "../../../schema/hosts/row.ts";
import { type HostName, hostNames, hosts } from "../../../schema/hosts.ts";
import { type CapabilityName, capabilityNames, recorded, runs } from "../../../scripts/pages/host-proof-cases.ts";
import { caseName, type Known, knownOf, proofFaults } from "../../../scripts/pages/host-proofs.ts";
import { passedCases } from "../../hosts/passed.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
const passed = passedCases();
const cells = hostNames.flatMap((host) => capabilityNames.map((name) => [host, name] as const));

describe("the table of proofs", () => {
  it.each(cells)("%s, %s: names a case that is there and passed", (host, name) => {
    expect(proofFaults(knownOf(host, name), read, passed)).toEqual([]);
  });

  it("says run only of hosts whose facts are from a run", () => {
    const named = Object.keys(runs) as (keyof typeof runs)[];
    expect(named.filter((host) => (hosts[host] as HostRow).evidence !== "run")).toEqual([]);
  });

  it("has no proof that no cell shows", () => {
    const shown = (host: HostName, name: CapabilityName, proof: object): boolean => {
      const known = knownOf(host, name);
      return "proof" in known && known.proof === proof;
    };
    const unshown = [runs, recorded].flatMap((table) =>
      Object.entries(table).flatMap(([host, proofs]) =>
        Object.entries(proofs)
          .filter(([name, proof]) => !shown(host as HostName, name as CapabilityName, proof as object))
          .map(([name]) => `${host}, ${name}`),
      ),
    );
    expect(unshown).toEqual([]);
  });
});

describe("proofFaults", () => {
  const files: Readonly<Record<string, string>> = {
    "a.test.ts": 'it("one", () => {});\nit.each([["row", 1]])("%s", () => {});\n',
    "driver.ts": 'cases.check("it holds", true);\n',
  };
  const faults = (known: Known, held = {}) => proofFaults(known, (path) => files[path], held);
  const of = (title: string, row?: string, file = "a.test.ts"): Known => ({
    level: "recorded payload",
    proof: { file, title, ...(row !== undefined && { row }) },
  });
  const run = (title: string, on = ["x 1"]): Known => ({
    level: "run",
    proof: { file: "driver.ts", host: "x", title, on },
  });

  it.each([
    ["a case that is there", of("one"), []],
    ["a row that is there", of("%s", "row"), []],
    ["a cell that the host has no way for", { level: "not possible", why: "not delivered" } as const, []],
    [
      "a cell without a case",
      { level: "documents" } as const,
      ["no case shows it: the host's documents alone are no proof"],
    ],
    ["a case that is not there", of("two"), ['a.test.ts has no case "two"']],
    ["a row that is not there", of("%s", "none"), ['a.test.ts has no case "none"']],
    ["a file that is not there", of("one", undefined, "b.test.ts"), ["b.test.ts is not there"]],
  ])("%s", (_title, known, expected) => {
    expect(faults(known)).toEqual(expected);
  });

  it("a run counts when the case passed on every version", () => {
    expect(faults(run("it holds", ["x 1", "x 2"]), { x: { "x 1": ["it holds"], "x 2": ["it holds"] } })).toEqual([]);
    expect(faults(run("it holds (--hook)"), { x: { "x 1": ["it holds (--hook)"] } })).toEqual([]);
  });

  it.each([
    ["one version did not pass", run("it holds", ["x 1", "x 2"]), { x: { "x 1": ["it holds"], "x 2": [] } }, 1],
    ["it was never run", run("it holds"), {}, 1],
    ["it is not in the driver any more", run("it held"), { x: { "x 1": ["it held"] } }, 1],
    ["no version is named", run("it holds", []), { x: {} }, 1],
  ])("a run does not count when %s", (_title, known, held, count) => {
    expect(faults(known, held)).toHaveLength(count);
  });

  it("names a case of a table by its row", () => {
    expect(caseName({ file: "f", title: "%s that is blocked", row: "input" })).toBe("input that is blocked");
    expect(caseName({ file: "f", title: "%# are read", row: "x" })).toBe("%# are read (x)");
  });
});
