import { answerOf, attempt, type Chain, errorText, fault, fieldsOf, policyPath } from "../chain.ts";
import type { UserBashEvent, UserPythonEvent } from "../events.ts";
import type { UserCommandVerdict } from "../policy-gate.ts";
import type { BashOperations, UserBashResult, UserCommandOutcome } from "../results.ts";
import { snapshot, withheldMarker } from "../snapshot.ts";
import { shownText } from "./tool-call.ts";

/** Makes the result of a command of the human that is blocked. Source: semantics page, section 1 (`user_bash`). */
export function blockedCommand(reason: string): UserBashResult {
  return { output: reason, exitCode: 1, cancelled: true, truncated: false };
}

/** Runs the `user_bash` handlers; the first result or operations win (hosts page, section 2). The policy judges last. */
export async function emitUserBash(chain: Chain, event: UserBashEvent): Promise<UserCommandOutcome> {
  const handled = await firstAnswer(chain, "user_bash", event, event.command);
  const policy = chain.policy;
  return policy === undefined
    ? handled
    : judge(chain, "user_bash", handled, () => policy.userBash(Object.freeze({ ...event })));
}

/** Like `emitUserBash`, for Python code of the human (omp). */
export async function emitUserPython(chain: Chain, event: UserPythonEvent): Promise<UserCommandOutcome> {
  const handled = await firstAnswer(chain, "user_python", event, event.code);
  const policy = chain.policy;
  return policy === undefined
    ? handled
    : judge(chain, "user_python", handled, () => policy.userPython?.(Object.freeze({ ...event })));
}

async function firstAnswer(chain: Chain, name: string, event: object, command: string): Promise<UserCommandOutcome> {
  for (const registration of chain.handlers(name)) {
    const answer = await attempt(chain, registration, event);
    const fields = answer === fault ? fault : fieldsOf(chain, registration, answer, ["operations", "result"]);
    if (fields === fault) {
      if (chain.faults === "closed") return { command, result: blockedCommand("a hook module failed") };
      continue;
    }
    const result = answerOf(fields?.result);
    if (result !== undefined) return { command, result: result as unknown as UserBashResult };
    const operations = answerOf(fields?.operations);
    if (operations !== undefined) return { command, operations: operations as unknown as BashOperations };
  }
  return { command };
}

async function judge(
  chain: Chain,
  name: string,
  handled: UserCommandOutcome,
  ask: () => Promise<UserCommandVerdict | undefined> | UserCommandVerdict | undefined,
): Promise<UserCommandOutcome> {
  try {
    const verdict = await ask();
    if (verdict?.result !== undefined) return { command: handled.command, result: verdict.result };
    const final = verdict?.command === undefined ? handled : { ...handled, command: verdict.command };
    return final.result === undefined ? final : { ...final, result: shownResult(chain, final.result) };
  } catch (error) {
    chain.report(policyPath, name, error);
    const reason = `the policy could not judge this command: ${errorText(error)}`;
    return { command: handled.command, result: blockedCommand(reason) };
  }
}

/** Makes a private copy of a module's result for the model, with its output redacted by the policy. */
function shownResult(chain: Chain, result: UserBashResult): UserBashResult {
  const taken = snapshot(result, { unfit: "withhold" });
  if (!taken.ok) return blockedCommand(withheldMarker(taken.reason));
  const copy = taken.value as UserBashResult;
  return { ...copy, output: shownText(chain, String(copy.output ?? "")) };
}
