import { type Dialect, exitTwo, type HookReply, type Payload, textOf, type Variables } from "./dialect.ts";
import { callerOf, dialectOf } from "./registry.ts";

/** Known facts about an event that cannot be judged. */
export interface Unjudged {
  /** The event that the line was wired for, as the named host's configuration calls it. */
  readonly wired: string | undefined;
  /** The payload, where it could be read. */
  readonly payload?: Payload | undefined;
  readonly variables: Variables;
}

/** Returns the event that a command line was wired for, even if the rest of the line is invalid. */
export function wiredEvent(given: readonly string[]): string | undefined {
  const at = given.indexOf("--event");
  return at < 0 ? undefined : given[at + 1];
}

/**
 * Returns the event in whose form a failure is answered, in the dialect's name for it: the event that the payload names, else
 * the one that the line was wired for. Empty if the dialect knows neither; `fault` then answers strictly. No other field is
 * read, since any of them may be the unreadable one.
 */
export function eventFor(dialect: Dialect, payload: Payload | undefined, wired: string | undefined): string {
  const [field = ""] = dialect.eventFields;
  const known = (name: string): boolean => name !== "" && dialect.read({ [field]: name }) !== "ignored";
  return [(payload && textOf(payload, ...dialect.eventFields)) ?? "", wired ?? ""].find(known) ?? "";
}

/** Makes the refusal in the calling host's form for the event. Never throws: the last resort is an exit code. */
export function ownRefusal(named: Dialect, { wired, payload, variables }: Unjudged, reason: string): HookReply {
  try {
    const caller = payload ? callerOf(named, payload, variables) : named;
    return caller.fault(eventFor(caller, payload, wired), reason, payload);
  } catch {
    return exitTwo(reason);
  }
}

/** Like `ownRefusal`, from a hook's command line alone. */
export function refusalOfLine(given: readonly string[], reason: string): HookReply {
  const named = dialectOf(given[0] ?? "");
  return named ? ownRefusal(named, { wired: wiredEvent(given), variables: {} }, reason) : exitTwo(reason);
}
