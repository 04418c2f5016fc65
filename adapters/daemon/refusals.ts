import { type HookReply, isPayload, type Payload } from "../one-shot/dialect.ts";
import { refusal } from "../one-shot/hook.ts";
import { ownRefusal, refusalOfLine, wiredEvent } from "../one-shot/own-refusal.ts";
import { dialectOf } from "../one-shot/registry.ts";
import { argumentsOf, type HookRequest, markOf, readRequest, replyText } from "./request.ts";

/** Time budget for an unknown host, in milliseconds. */
const unknownBudget = 5_000;

/** Returns the time limit for a hook with these arguments, in milliseconds. */
export function budgetOf(given: readonly string[]): number {
  const at = given.indexOf("--budget");
  const budget = at < 0 ? Number.NaN : Number(given[at + 1]);
  return Number.isFinite(budget) && budget > 0 ? budget : (dialectOf(given[0] ?? "")?.budget ?? unknownBudget);
}

/**
 * Returns the host's own refusal, as the hook reads it, of a request that no judge has answered. It needs only the payload,
 * since hosts have a form for each event. Never throws: if the payload cannot be read, the command line gives the event. If
 * that cannot be read either, an exit code refuses.
 */
export function refusalOf(bytes: Buffer, why: string): string {
  const text = bytes.toString("utf8");
  const mark = markOf(text) ?? "";
  const reply = refused(readRequest(text, mark), bytes, refusal(why));
  const spoiled = `${reply.stdout}\n${reply.stderr}`.includes(mark);
  return replyText(spoiled ? refusalOfLine(argumentsOf(bytes), refusal(why)) : reply, mark);
}

function refused(request: HookRequest | undefined, bytes: Buffer, reason: string): HookReply {
  const given = request?.given ?? argumentsOf(bytes);
  const dialect = dialectOf(given[0] ?? "");
  if (!request || !dialect) return refusalOfLine(given, reason);
  const { variables } = request;
  const payload = dialect.variables ? dialect.variables(variables) : readable(request.payload);
  return ownRefusal(dialect, { wired: wiredEvent(given), payload, variables }, reason);
}

function readable(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPayload(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
