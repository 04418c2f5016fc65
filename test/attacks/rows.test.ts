import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { passedCases } from "../hosts/passed.ts";
import { requirementFaults, unpassedRuns } from "../seeds/faults.ts";
import { delaysOf, readsKeys } from "./delays.ts";
import { environmentAttacks } from "./environment.ts";
import { guardAttacksOf } from "./guard/attacks.ts";
import { trailAttacks } from "./guard/trail-attacks.ts";
import { heldAttacks, hostTitles, inProcess, leftAsTheyWere } from "./held.ts";
import { attackClasses } from "./rows/row.ts";
import { attackRows } from "./rows/rows.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);

/** Attacks that a host must have held in its last run. */
function wantedOf(host: string): string[] {
  const { together, alone } = guardAttacksOf(host);
  const all = [
    ...[...delaysOf(host), readsKeys].map(({ id }) => `delay/${id}`),
    ...[...together, ...alone, ...trailAttacks].map(({ id }) => `guard/${id}`),
  ];
  return inProcess.includes(host) ? all : [...all, ...environmentAttacks.map(({ id }) => `environment/${id}`)];
}

describe("attacks", () => {
  it("that tests carry out name tests that are there", () => {
    const rows = attackRows.map(({ id, class: section, attack, tests }) => ({
      id,
      seed: "attacks",
      section,
      requirement: attack,
      tests,
    }));
    const ofRuns = rows.filter(({ tests }) => tests.some((test) => test.startsWith("test/hosts/")));
    expect(
      requirementFaults(
        rows.filter((row) => !ofRuns.includes(row)),
        read,
      ),
    ).toEqual([]);
    expect(unpassedRuns(ofRuns, passedCases())).toEqual([]);
    const goOn = ofRuns.map((row) => ({
      ...row,
      tests: row.tests.map((test) => test.replace(/ > .*/, " > host fact: a hook's timeout is open")),
    }));
    expect(unpassedRuns(goOn, passedCases())).toEqual([]);
  });

  it("name tests in `SECURITY.md` that are there, and a promise has one each", () => {
    const text = read("SECURITY.md") ?? "";
    const named = (line: string): string[] =>
      [...line.matchAll(/`((?:test|policies)\/[^`]+ > [^`]+)`/g)].map(([, one]) => one ?? "");
    const lines = text.split("\n").filter((line) => /^\| (?!promise|limit)/.test(line));
    const rows = lines.map((line, n) => ({
      id: `${n}`,
      seed: "security",
      section: "",
      requirement: line,
      tests: named(line),
    }));
    const promises = (text.split("## What is promised")[1] ?? "").split("## ")[0] ?? "";
    const promised = rows.filter(({ requirement }) => promises.includes(requirement));
    expect(promised.length).toBeGreaterThan(10);
    expect(requirementFaults(promised, read)).toEqual([]);
    const limits = rows.filter(({ requirement, tests }) => !promises.includes(requirement) && tests.length > 0);
    const ofRuns = limits.filter(({ tests }) => tests.some((test) => test.startsWith("test/hosts/")));
    expect(
      requirementFaults(
        limits.filter((row) => !ofRuns.includes(row)),
        read,
      ),
    ).toEqual([]);
    expect(unpassedRuns(ofRuns, passedCases())).toEqual([]);
  });

  it("on real hosts each held in the last run, or are known as not closable", () => {
    const held = heldAttacks();
    const wanted = hostTitles().flatMap((host) => wantedOf(host.split(" ")[0] ?? "").map((id) => `${host} ${id}`));
    const found = new Set(held.map(({ host, id }) => `${host} ${id}`));
    expect(wanted.filter((one) => !found.has(one))).toEqual([]);
  });

  it("of parts that a run leaves out are as they were, and gone where all was run", () => {
    const before = ["delay/a: control leaks", "delay: goes on", "guard/b: held and recorded"];
    expect(leftAsTheyWere(before, ["delay"]).map(({ name }) => name)).toEqual(["guard/b: held and recorded"]);
    expect(leftAsTheyWere(before, [])).toEqual([]);
    expect(leftAsTheyWere(undefined, ["delay"])).toEqual([]);
  });

  it("are at least seventy, and no id stands twice", () => {
    const ids = [...heldAttacks().map(({ host, id }) => `${host} ${id}`), ...attackRows.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(70);
    const page = read("docs/reference/attacks.md") ?? "";
    const heads = [...page.matchAll(/^## (.*) \((\d+)\)$/gm)];
    expect(heads.map(([, name]) => name?.toLowerCase())).toEqual([...attackClasses]);
    expect(new Set(attackClasses).size).toBe(attackClasses.length);
    expect(heads.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(ids.length);
  });
});
