import { type HookReply, isPayload, type Payload } from "../one-shot/dialect.ts";
import { refusal } from "../one-shot/hook.ts";
import { ownRefusal, refusalOfLine, wiredEvent } from "../one-shot/own-refusal.ts";
import { dialectOf } from "../one-shot/registry.ts";
import { argumentsOf, type HookRequest, markOf, readRequest, replyText } from "./request.ts";

/** Milliseconds for a host that is not known. */
const unknownBudget = 5_000;

/** Milliseconds in which a hook of these arguments must be answered. */
export function budgetOf(given: readonly string[]): number {
  const at = given.indexOf("--budget");
  const budget = at < 0 ? Number.NaN : Number(given[at + 1]);
  return Number.isFinite(budget) && budget > 0 ? budget : (dialectOf(given[0] ?? "")?.budget ?? unknownBudget);
}

/**
 * The host's own refusal of a request that no judge has answered, as the hook reads it back. It takes reading the payload,
 * since hosts have a form for each event, and nothing else. Never throws: where the payload cannot be
 * read, the command line says the event, and where that cannot be read either, an exit code refuses.
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
