import type { Decision } from "../../schema/generated.ts";
import type { EventReader } from "./claude-payload.ts";
import {
  type Dialect,
  exitTwo,
  type HookCall,
  type HookReply,
  isPayload,
  type Payload,
  present,
  silent,
  textOf,
  type Variables,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";

/**
 * Opta's hooks, from its documents alone (seed opta-hook-system, section 4). They get variables and nothing on standard
 * input. Opta reads only the exit code and standard error: any code but 0 cancels the call that is about to run.
 */
export const opta: Dialect = {
  host: "opta",
  budget: 10_000,
  eventFields: ["OPTA_EVENT"],
  callEvents: ["tool.pre"],
  claims: (given) => textOf(given, "OPTA_EVENT") !== undefined,
  variables: given,
  read,
  reply,
  fault: (_name, reason) => exitTwo(reason),
};

const names = [
  "OPTA_EVENT",
  "OPTA_SESSION_ID",
  "OPTA_CWD",
  "OPTA_MODEL",
  "OPTA_TOOL_NAME",
  "OPTA_TOOL_ARGS",
  "OPTA_TOOL_RESULT",
  "OPTA_ERROR",
] as const;

/** Builds the payload of an event from its variables. */
function given(variables: Variables): Payload {
  return present(Object.fromEntries(names.map((name) => [name, variables[name]])));
}

const readers: Readonly<Record<string, EventReader>> = {
  "tool.pre": (payload) => {
    const call = callOf(payload);
    return call && { event: "tool_call", payload: call };
  },
  "tool.post": (payload) => {
    const call = callOf(payload);
    const content = [{ type: "text", text: textOf(payload, "OPTA_TOOL_RESULT") ?? "" }];
    return call && { event: "tool_result", payload: { ...call, result: { content, is_error: false } } };
  },
  "session.start": () => ({ event: "session_start", payload: {} }),
  "session.end": () => ({ event: "agent_end", payload: {} }),
  compact: () => ({ event: "session_compact", payload: {} }),
  error: (payload) => ({ event: "error", payload: present({ message: textOf(payload, "OPTA_ERROR") }) }),
};

function callOf(payload: Payload): Payload | undefined {
  const tool = textOf(payload, "OPTA_TOOL_NAME");
  try {
    const args: unknown = JSON.parse(textOf(payload, "OPTA_TOOL_ARGS") ?? "");
    return tool === undefined || tool === "" || !isPayload(args) ? undefined : { tool, args };
  } catch {
    return undefined;
  }
}

function read(payload: Payload): ReturnType<Dialect["read"]> {
  const name = textOf(payload, "OPTA_EVENT") ?? "";
  if (name === "") return { unreadable: "the variables do not name an event", name };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const found = reader(payload);
  if (!found) return { unreadable: `the variables of \`${name}\` lack what it is about`, name };
  const cwd = textOf(payload, "OPTA_CWD") || undefined;
  return { name, ...found, session: textOf(payload, "OPTA_SESSION_ID") ?? "", cwd, interactive: false, given: payload };
}

function reply({ event }: HookCall, decision: Decision): HookReply {
  if (event !== "tool_call") return silent;
  if (decision.outcome !== "allow") return exitTwo(wordsUnasked(decision));
  return decision.changes.args === undefined ? silent : exitTwo(wordsUnchanged(decision, "this call"));
}
