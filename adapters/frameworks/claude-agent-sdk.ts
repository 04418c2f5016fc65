import type { Engine } from "../../runtime.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import { GoOnCount } from "../go-on-limit.ts";
import { liveFiles } from "../live-files.ts";
import { claudeCode } from "../one-shot/claude-code.ts";
import { type HookReply, noGrant, type Payload } from "../one-shot/dialect.ts";
import { answerHook } from "../one-shot/hook.ts";
import { environmentOf, thisMachine } from "../pi/environment.ts";
import { type ToolContext, throughFrameworks } from "./tool-judge.ts";

/** A hook callback of the SDK; its answers are the documents of Claude Code's own hooks. */
export type HookCallback = (input: Payload) => Promise<Record<string, unknown>>;

/** Value of the option `hooks` of `query`. */
export type AgentHooks = Readonly<Record<(typeof events)[number], readonly { readonly hooks: HookCallback[] }[]>>;

const events = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
] as const;

/**
 * Returns hooks for the Claude Agent SDK with an engine behind them (hosts page others, section 5). Events and answers are
 * those of Claude Code, in the application's process. An `ask` goes to the SDK's `canUseTool`. `settingSources: []` keeps
 * out the hooks of files.
 */
export function claudeAgentHooks(engine: Engine, context: ToolContext = {}): AgentHooks {
  const callback = hookOf(throughFrameworks(engine, context), context);
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [callback] }]])) as unknown as AgentHooks;
}

function hookOf(engine: Engine, context: ToolContext): HookCallback {
  const { files = liveFiles, machine = thisMachine(), now = Date.now, cwd = process.cwd() } = context;
  let count = 0;
  const kept = new Map<string, string>();
  const sentOn = new GoOnCount();
  return async (input) => {
    const reply = await answerHook(claudeCode, textOf(input), {
      judge: async (event) => {
        const { decision } = await engine.judge(named(event, context));
        return { decision: bounded(event, decision, sentOn), grant: noGrant };
      },
      environment: (folder, interactive) => environmentOf(machine, files, folder, interactive),
      caller: () => claudeCode,
      keep: (session, _id, text) =>
        void kept.set(session, [kept.get(session) ?? "", text].filter(Boolean).join("\n\n")),
      kept(session) {
        const text = kept.get(session);
        kept.delete(session);
        return text;
      },
      cwd,
      now,
      id: `agent-${process.pid}-${++count}`,
      budget: 50_000,
    });
    return documentOf(reply);
  };
}

/** Limits how often in a row an agent is made to go on: a rule may never be satisfied. */
function bounded(event: WireEvent, decision: Decision, sentOn: GoOnCount): Decision {
  if (event.event !== "stop" && event.event !== "subagent_stop") return decision;
  const wanted = decision.outcome !== "allow";
  const goesOn = sentOn.sendsOn(`${event.event} ${event.session?.id ?? ""}`, wanted);
  return wanted && !goesOn ? { ...decision, outcome: "allow" } : decision;
}

/** Returns a payload as JSON text; one that is no JSON is refused like any unreadable payload. */
function textOf(input: Payload): string {
  try {
    return JSON.stringify(input);
  } catch {
    return "";
  }
}

function named(event: WireEvent, { session }: ToolContext): WireEvent {
  return session === undefined ? event : { ...event, session: { ...event.session, id: session } };
}

/** Returns the document of a callback, which also expresses the exit code of a process. */
function documentOf({ stdout, stderr, exitCode }: HookReply): Record<string, unknown> {
  if (stdout !== "") return JSON.parse(stdout) as Record<string, unknown>;
  return exitCode === 0 ? {} : { decision: "block", reason: stderr.trim() };
}
