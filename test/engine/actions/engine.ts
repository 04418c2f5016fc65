import type { Plan } from "../../../engine/plan.ts";
import { createEngine, type Engine, type EngineOptions } from "../../../runtime.ts";
import type { ProgramAnswer, ProgramRequest, Programs } from "../../../schema/ports.ts";
import { compileTexts, withHead } from "../../literate/policies.ts";

/** The plan of a policy text; a test's own policies compile. */
export function planOf(text: string): Plan {
  const result = compileTexts({ "policy.yaml": withHead(text) });
  const errors = result.diagnostics.filter((d) => d.severity === "error");
  if (!result.plan || errors.length > 0) throw new Error(JSON.stringify(errors.map((d) => [d.code, d.message])));
  return result.plan;
}

/** An engine for a policy text. */
export function engineFor(text: string, options: EngineOptions = {}): Engine {
  return createEngine(planOf(text), options);
}

/** Where the events of these tests happen. */
export const home = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };

/** A call of the bash tool. */
export function bash(command: string, more: object = {}): Record<string, unknown> {
  return { event: "tool_call", id: "e", tool: "bash", args: { command }, environment: home, ...more };
}

/** A call of any tool. */
export function call(tool: string, args: object = {}, more: object = {}): Record<string, unknown> {
  return { event: "tool_call", id: "e", tool, args, environment: home, ...more };
}

/** An answer of a program. */
export function answer(parts: Partial<ProgramAnswer> = {}): ProgramAnswer {
  return { exit_code: 0, stdout: "", stderr: "", timed_out: false, ...parts };
}

/** An answer in JSON. */
export const json = (value: unknown): ProgramAnswer => answer({ stdout: JSON.stringify(value) });

/** Programs that answer as a test says, with every request that they got. */
export function programs(
  answers: (request: ProgramRequest) => ProgramAnswer | Promise<ProgramAnswer>,
): Programs & { readonly requests: ProgramRequest[] } {
  const requests: ProgramRequest[] = [];
  return {
    requests,
    run: async (request) => {
      requests.push(request);
      return answers(request);
    },
  };
}
