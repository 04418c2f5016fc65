import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Host, HostEvent, Message } from "./pi-api.ts";
import { scenarios } from "./scenarios.ts";
import { seedTool } from "./tool-scenarios.ts";

/** Every event that the seed names, and those that it says a session fires afterwards. */
export const seedEvents = [
  "input",
  "before_agent_start",
  "agent_start",
  "agent_end",
  "turn_start",
  "context",
  "turn_end",
  "message_start",
  "message_update",
  "message_end",
  "tool_call",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "tool_result",
  "session_start",
  "session_before_switch",
  "session_switch",
  "session_before_fork",
  "session_fork",
  "session_before_compact",
  "session_compact",
  "session_before_tree",
  "session_tree",
  "session_shutdown",
  "model_select",
  "resources_discover",
  "user_bash",
] as const;

/** One line of the log: a handler that began, one that ended, or what a scenario wrote down. */
export interface Logged {
  /** Name of the extension. */
  readonly by: string;
  readonly at: "begin" | "end" | "note";
  readonly event: string;
  /** The payload as the handler got it; of an end, what it answered; of a note, what was written down. */
  readonly data?: HostEvent;
  /** Roles of the messages that the session had then. */
  readonly session?: readonly string[];
}

/** Name of the log in the folder of a run, and of the file with the scenario that is on. */
export const logName = "seed-log.jsonl";
/** Name of the file that says which scenario is on. */
export const scenarioName = "seed-scenario";

/**
 * An extension for pi that writes down every event with its payload, when its handler began and when it ended, and answers as
 * the scenario says that is on. It imports nothing of the host, because the versions of pi have different package names.
 */
export function recorder(by: string, folder: string): (pi: Host) => void {
  const log = (line: Omit<Logged, "by">) =>
    appendFileSync(join(folder, logName), `${JSON.stringify({ by, ...line }, plain)}\n`);
  const scenario = () => scenarios[readFileSync(join(folder, scenarioName), "utf8")];
  return (pi) => {
    for (const event of seedEvents) {
      pi.on(event, async (data, ctx) => {
        log({ at: "begin", event, data, session: rolesOf(ctx) });
        // A host that does not wait for the handler begins the next one before this one ends.
        await new Promise((resolve) => setImmediate(resolve));
        const note = (seen: unknown) => log({ at: "note", event, data: seen as HostEvent });
        let answer: unknown;
        try {
          answer = await scenario()?.[by]?.[event]?.(data, { pi, ctx, note, folder });
          return answer;
        } finally {
          log({ at: "end", event, data: answer as HostEvent });
        }
      });
    }
    // A second handler of the same extension: it must run behind the first.
    pi.on("agent_start", async () => log({ at: "note", event: "agent_start", data: { type: "second handler" } }));
    pi.registerCommand?.(`seed-${by}`, {
      description: "Does what the scenario says.",
      handler: async (args, ctx) => {
        const note = (seen: unknown) => log({ at: "note", event: "command", data: seen as HostEvent });
        note({ args });
        await scenario()?.[by]?.["command"]?.({ type: "command", text: args }, { pi, ctx, note, folder });
      },
    });
    if (by === "a") pi.registerTool?.(seedTool);
  };
}

function rolesOf(ctx: Context): string[] {
  const entries = ctx.sessionManager?.getBranch() ?? [];
  return entries.map(({ type, message }) => (message as Message | undefined)?.role ?? type);
}

/** What JSON has no word for is named. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof AbortSignal) return `signal, ${value.aborted ? "aborted" : "open"}`;
  return typeof value === "function" ? "function" : value;
}
