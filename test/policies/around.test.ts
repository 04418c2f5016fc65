import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import * as attacks from "./around-attacks.ts";
import * as found from "./around-attacks-found.ts";
import * as held from "./around-attacks-later.ts";
import * as beside from "./around-neighbours.ts";
import type { EngineCall } from "./engine-attacks.ts";

/** What self-protection answers by itself, in a plan whose own policy allows all. */
const open = new TextEncoder().encode("version: 1\npolicy: open\ndefault: allow\nunknown: allow\nrules: []\n");
const judge = createEngine(compile({ files: [{ name: "open", path: "open.yaml", bytes: open, scope: "user" }] }).plan);

function outcome(call: EngineCall, files: Readonly<Record<string, unknown>>): string {
  const given = typeof call === "string" ? { tool: "bash", args: { command: call } } : call;
  const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev", files };
  return judge.decide({ event: "tool_call", id: "e", ...given, environment }).decision.outcome;
}

const nameOf = (call: EngineCall) => (typeof call === "string" ? call : JSON.stringify(call));
const named = (calls: readonly EngineCall[]) => calls.map((call) => [nameOf(call), call] as const);

const { homeWired, projectWired } = attacks;
const known = { ...attacks, ...beside };
const classesOf = (set: typeof held) =>
  [
    ["folders that hold what wires a host", set.folders, homeWired],
    ["a project that is wired by a file of its own", set.projects, projectWired],
    ["agents without the hooks, or with another configuration", set.agents, homeWired],
    ["services and processes by another name", set.processes, homeWired],
    ["keys that are typed, and terminals of the agent's own", set.typed, homeWired],
    ["what runs later or sets a later environment", set.later, homeWired],
  ] as const;

describe.each([
  ["known", known, 200],
  ["written later", held, 100],
  ["found by attackers", found, 200],
] as const)("calls around the guard, %s", (_set, set, least) => {
  const classes = classesOf(set);
  it("are many, and none stands twice", () => {
    const names = classes.flatMap(([name, calls]) => calls.map(([, call]) => `${name}: ${nameOf(call)}`));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(least);
  });

  describe.each(classes)("%s", (_class, calls, files) => {
    it.each(calls.map(([expected, call]) => [nameOf(call), expected, call] as const))("held: %s", (_, expected, call) =>
      expect(outcome(call, files)).toBe(expected),
    );
  });

  describe.each([
    ["without hooks of its own", homeWired, [...set.neighbours, ...set.ordinary]],
    ["with hooks of its own", projectWired, set.neighbours],
  ] as const)("everyday work in a project %s", (_world, files, calls) => {
    it.each(named(calls))("free: %s", (_, call) => expect(outcome(call, files)).toBe("allow"));
  });
});
