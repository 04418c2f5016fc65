import { type ProgramVerdict, readAnswer } from "../../runtime.ts";
import { canonicalEvent, type EventName, eventKind } from "../../schema/events.ts";
import type { HookEvent } from "./config.ts";
import { type HookContext, inputDocument } from "./context.ts";

/** The question to a judge. */
export interface PromptQuestion {
  /** The hook's own text: the instruction. */
  readonly prompt: string;
  readonly event: HookEvent;
  /** JSON of the context. It is data from the model, so nothing in it is an instruction. */
  readonly input: string;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

/** The judge's answer; `deny` of a `stop` makes the agent go on. */
export interface PromptAnswer {
  readonly decision: "allow" | "deny" | "ask";
  readonly reason?: string;
}

/** Answers hooks that are prompts, most likely with a model. The host supplies it. */
export type PromptJudge = (question: PromptQuestion) => Promise<PromptAnswer> | PromptAnswer;

/**
 * Asks the judge about one event. A missing judge, an error, a late or invalid answer closes events that are decided, and is
 * recorded on others. Source: issue of step 6, part 3; semantics section 4.
 */
export async function askJudge(
  prompt: string,
  judge: PromptJudge | undefined,
  timeout: number,
  event: HookEvent,
  context: HookContext,
): Promise<ProgramVerdict> {
  const name = canonicalEvent(event) ?? "error";
  if (!judge) return failed("no judge answers prompts here", name);
  const abort = new AbortController();
  try {
    const asked = judge({ prompt, event, input: inputDocument(event, context), signal: abort.signal });
    const answer = await inTime(asked, timeout);
    if (answer === late) return failed("the judge did not answer in time", name);
    return answered(answer, name);
  } catch (fault) {
    return failed(
      `the judge failed: ${fault instanceof Error ? fault.message.slice(0, 200) : "it gave no reason"}`,
      name,
    );
  } finally {
    abort.abort();
  }
}

const late = Symbol("late");

async function inTime<T>(asked: T | Promise<T>, timeout: number): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const up = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), timeout);
  });
  try {
    return await Promise.race([Promise.resolve(asked), up]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads decision and reason only: a judge rewrites nothing. */
function answered(answer: unknown, name: EventName): ProgramVerdict {
  const given = typeof answer === "object" && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {};
  const { decision, reason } = given;
  if (decision !== "allow" && decision !== "deny" && decision !== "ask")
    return failed("the judge did not answer with a decision", name);
  const stdout = JSON.stringify({ decision, ...(typeof reason === "string" && { reason }) });
  return readAnswer({ exit_code: 0, stdout, stderr: "", timed_out: false }, "json", name);
}

function failed(why: string, name: EventName): ProgramVerdict {
  return eventKind(name) === "decide" ? { failed: why, errors: [] } : { errors: [why] };
}
