import { expect } from "vitest";
import { formatPolicy } from "../../../authoring/fmt/format.ts";
import type { Imported } from "../../../authoring/import/imported.ts";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import { compile } from "../../../compiler/compile.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine, type Verdict } from "../../../runtime.ts";
import { exampleEnvironment } from "../../../schema/example-environment.ts";

const regex = createRegexEngine();

function compiled({ policy }: Imported) {
  const file = { name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy ?? "") };
  return { file, result: compile({ files: [file], regex }) };
}

/** An engine for an imported policy; every event gets the surroundings that examples have. */
export function engineOf(imported: Imported): { decide(event: object): Verdict } {
  const { plan, diagnostics } = compiled(imported).result;
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  if (!plan) throw new Error("the policy does not load");
  const engine = createEngine(plan, { regex });
  return { decide: (event) => engine.decide({ environment: exampleEnvironment, ...event }) };
}

/** A shell command as a call of Claude Code's tool. */
export function bash(command: string): object {
  return { event: "tool_call", tool: "Bash", args: { command } };
}

/**
 * What is wrong with an imported policy: errors of `check --strict`, examples that do not hold, and a form that `fmt` would
 * change.
 */
export function findingsOf(imported: Imported): readonly string[] {
  const { file } = compiled(imported);
  const { diagnostics } = checkPolicies([file], { scope: "user", strict: true });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const changed = formatPolicy(file).output === imported.policy ? [] : ["it is not formatted"];
  return [...errors.map(({ code, message }) => (code === "HW403" ? message : `${code} ${message}`)), ...changed];
}
