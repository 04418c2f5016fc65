import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { failedProgram, failingPolicy, programFailures } from "../failing-programs.ts";
import { bash, finished, last, type Try, told, withFile } from "../gastown-try.ts";
import type { Cases } from "../report.ts";

/** What the seed says of a hook that fails: it goes on, says so in the log, and closes nothing. */
export async function failingHooks(attempt: Try, cases: Cases): Promise<void> {
  attempt.program("slow", "exec sleep 20");
  attempt.program("broken", "exit 1");
  attempt.program("garbage", "echo 'this is { no answer'");
  const group = { matcher: "*", hooks: [{ type: "command", command: "slow", timeout: 1 }] };
  attempt.scratch.write("project/slow.json", JSON.stringify({ hooks: { PreToolUse: [group] } }));
  const slow = await attempt.run([bash("touch HARMLESS"), finished], { args: ["--hooks-config", "slow.json"] });
  cases.check("a hook that hangs is cut off", attempt.has("HARMLESS"), told(slow));
  cases.check("and the log says so", attempt.log().includes("took too long and was ended"), attempt.log());
  for (const name of ["broken", "garbage"]) {
    const run = await attempt.run([bash(`echo ${name}`), finished], withFile(attempt, { PreToolUse: [name] }));
    const seen = run.exitCode === 0 && run.requests.length === 2;
    cases.check(`a hook that is ${name} lets the call go on`, seen && !last(run).includes("blocked"), told(run));
    cases.check(`and the log names the ${name} one`, attempt.log().includes(`"command":"${name}"`), attempt.log());
  }
}

/** A policy behind the hooks is closed where its program fails, whatever a hook said. */
export async function failingPolicies(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("yes", { decision: "allow" });
  const folder = join(attempt.scratch.home, ".config/hookwarden");
  mkdirSync(folder, { recursive: true });
  for (const failure of programFailures) {
    copyFileSync(failingPolicy(attempt.scratch, failure), join(folder, "policy.yaml"));
    const run = await attempt.run([bash("touch HARMLESS"), finished], withFile(attempt, { PreToolUse: ["yes"] }));
    cases.check(`a program of a rule that ${failure} blocks the call`, !attempt.has("HARMLESS"), told(run));
    cases.check(
      `a program of a rule that ${failure}: and the model is told`,
      last(run).includes(failedProgram),
      told(run),
    );
  }
}
