import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { type EngineCall, engine, files } from "./engine-attacks.ts";
import { changingVerbs, forged, lines, loaded, looking, starts, writing } from "./guard-runs.ts";

/** What self-protection answers to an agent that would change the guard by the guard's own program. */
const open = new TextEncoder().encode("version: 1\npolicy: open\ndefault: allow\nunknown: allow\nrules: []\n");
const judge = createEngine(compile({ files: [{ name: "open", path: "open.yaml", bytes: open, scope: "user" }] }).plan);

function outcome(call: EngineCall): string {
  const given = typeof call === "string" ? { tool: "bash", args: { command: call } } : call;
  const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev", engine, files };
  return judge.decide({ event: "tool_call", id: "e", ...given, environment }).decision.outcome;
}

const named = (calls: readonly EngineCall[]) =>
  calls.map((call) => [typeof call === "string" ? call : JSON.stringify(call), call] as const);

/** Calls of a list that the policy lets through. */
const through = (calls: readonly string[]) => calls.filter((call) => outcome(call) === "allow");

describe("an agent that would change the guard by its own program", () => {
  it.each(changingVerbs.map((verb) => [verb] as const))("is stopped by every way to start it: %s", (verb) => {
    expect(through(starts.map((start) => `${start} ${verb}`))).toEqual([]);
  });

  it.each(changingVerbs.map((verb) => [verb] as const))("is stopped by every way to run a line: %s", (verb) => {
    expect(through(lines.map((line) => line(`hookwarden ${verb}`)))).toEqual([]);
  });

  it.each(named(loaded))("is stopped where its modules are loaded: %s", (_, call) =>
    expect(outcome(call)).not.toBe("allow"),
  );

  it.each(named(forged))("is stopped where a leave is forged: %s", (_, call) =>
    expect(outcome(call)).not.toBe("allow"),
  );

  it.each(named(writing))("is stopped where a verb writes a file of the guard: %s", (_, call) =>
    expect(outcome(call)).not.toBe("allow"),
  );

  it.each(named(looking))("may look, and talk of it: %s", (_, call) => expect(outcome(call)).toBe("allow"));
});
