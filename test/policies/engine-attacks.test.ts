import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { attacks, type EngineCall, engine, files, neighbours } from "./engine-attacks.ts";
import * as held from "./engine-attacks-later.ts";

/** What self-protection answers by itself, in a plan whose own policy allows all. */
const open = new TextEncoder().encode("version: 1\npolicy: open\ndefault: allow\nunknown: allow\nrules: []\n");
const judge = createEngine(compile({ files: [{ name: "open", path: "open.yaml", bytes: open, scope: "user" }] }).plan);

function outcome(call: EngineCall): string {
  const given = typeof call === "string" ? { tool: "bash", args: { command: call } } : call;
  const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev", engine, files };
  const { decision } = judge.decide({ event: "tool_call", id: "e", ...given, environment });
  return decision.outcome;
}

const named = (calls: readonly EngineCall[]) =>
  calls.map((call) => [typeof call === "string" ? call : JSON.stringify(call), call] as const);

describe.each([
  ["known", attacks],
  ["written later", held.attacks],
] as const)("attacks on what the engine is, %s", (_set, attacks) => {
  it("are at least 60", () => expect(attacks.length).toBeGreaterThanOrEqual(60));
  it.each(named(attacks))("stopped: %s", (_, call) => expect(outcome(call)).not.toBe("allow"));
});

describe.each([
  ["known", neighbours],
  ["written later", held.neighbours],
] as const)("everyday work beside them, %s", (_set, neighbours) => {
  it("is at least 60 calls", () => expect(neighbours.length).toBeGreaterThanOrEqual(60));
  it.each(named(neighbours))("free: %s", (_, call) => expect(outcome(call)).toBe("allow"));
});
