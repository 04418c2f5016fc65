import type { Engine } from "../../runtime.ts";
import type { WireEvent } from "../../schema/generated.ts";
import type { ProgramAnswer, Programs } from "../../schema/ports.ts";

/** True if a rule for this event may need a program's answer. */
export function runsPrograms(plan: NonNullable<Engine["plan"]>, event: WireEvent): boolean {
  return plan.rules.some(
    ({ events, actions }) =>
      (events as readonly string[]).includes(event.event) && actions.some(({ action }) => action === "run"),
  );
}

/** Runs the programs whose answers are needed and keeps the answers. Background programs are left to the judgement itself. */
export function recording(programs: Programs, answers: Map<string, ProgramAnswer>): Programs {
  const later: ProgramAnswer = { exit_code: null, stdout: "", stderr: "", timed_out: false };
  return {
    run: async (request) => {
      if (request.background) return later;
      const answer = await programs.run(request);
      answers.set(request.key, answer);
      return answer;
    },
  };
}
