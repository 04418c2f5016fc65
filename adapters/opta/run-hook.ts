import { type ProgramVerdict, readAnswer } from "../../runtime.ts";
import { canonicalEvent, type EventName, eventKind } from "../../schema/events.ts";
import { limits } from "../../schema/limits.ts";
import type { ProgramAnswer } from "../../schema/ports.ts";
import { passedVariables } from "../programs.ts";
import { runProgram, startProgram } from "../run.ts";
import type { CompiledHook } from "./compiled.ts";
import { defaultTimeout, type HookEvent } from "./config.ts";
import { buildEnv, type HookContext, inputDocument, unfit } from "./context.ts";
import { askJudge, type PromptJudge } from "./prompt-hook.ts";

/** A hook's answer, for the record. */
export interface HookObservation {
  readonly kind: "command" | "prompt";
  /** Digest of the hook's action. */
  readonly hook: string;
  readonly event: HookEvent;
  readonly session: string;
  readonly cwd: string;
  readonly tool?: string;
  readonly call_id?: string;
  readonly outcome: "allow" | "ask" | "block" | "none" | "failed";
  /** The hook's reason, or the error. */
  readonly reason?: string;
}

/** Dependencies of hooks. */
export interface HookPorts {
  /** Variables from which hooks get those on the allow-list; this process's by default. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Names of further variables for hooks; a name that ends with `*` matches every name with that prefix. */
  readonly pass?: readonly string[];
  /** Answers hooks that are prompts; without one they fail closed. */
  readonly judge?: PromptJudge;
  /** Shows the running hook (`statusMessage`), and undefined when it has ended. Its errors are ignored. */
  status?(message: string | undefined): void;
  /** Gets every answer. An error that it throws counts as a failure of the hook, because an unrecorded answer does not count. */
  observe?(seen: HookObservation): void | Promise<void>;
}

/**
 * Runs one hook at one event. The answer is read like that of a `run` action with the protocol `{ exit_code: opta }`, or
 * `json` if the hook asks for it. Rejects only if the observer throws.
 */
export async function runHook(
  hook: CompiledHook,
  event: HookEvent,
  context: HookContext,
  ports: HookPorts,
): Promise<ProgramVerdict> {
  const { prompt, statusMessage } = hook.definition;
  show(ports, statusMessage, statusMessage);
  const verdict =
    prompt === undefined
      ? await runCommand(hook, event, context, ports)
      : await askJudge(prompt, ports.judge, timeoutOf(hook), event, context);
  show(ports, statusMessage, undefined);
  await ports.observe?.(observation(hook, event, context, verdict));
  return verdict;
}

/**
 * Starts a background hook; its result is ignored. Resolves when it runs, so that it outlives an agent that ends at once.
 * Never rejects.
 */
export async function startHook(
  hook: CompiledHook,
  event: HookEvent,
  context: HookContext,
  ports: HookPorts,
): Promise<void> {
  if (hook.definition.prompt !== undefined) {
    void runHook(hook, event, context, { ...ports, status: () => {} }).catch(() => {});
    return;
  }
  const prepared = prepare(hook, event, context, ports);
  if (typeof prepared !== "string") await startProgram(["sh", "-c", hook.definition.command ?? ""], prepared);
}

/** Returns the canonical name of an event of Opta. */
export function canonical(event: HookEvent): EventName {
  return canonicalEvent(event) ?? "error";
}

async function runCommand(
  hook: CompiledHook,
  event: HookEvent,
  context: HookContext,
  ports: HookPorts,
): Promise<ProgramVerdict> {
  const name = canonical(event);
  const prepared = prepare(hook, event, context, ports);
  if (typeof prepared === "string") return readAnswer({ ...nothing, refused: prepared }, "opta", name);
  const json = hook.definition.protocol === "json";
  const captured = json ? limits.programAnswer : limits.captured;
  const ran = await runProgram(["sh", "-c", hook.definition.command ?? ""], { ...prepared, captured });
  const answer: ProgramAnswer = {
    exit_code: ran.exitCode ?? null,
    // The output of a V3 hook is ignored.
    stdout: json ? ran.stdout.toWellFormed() : "",
    stderr: ran.stderr.slice(0, limits.captured).toWellFormed(),
    timed_out: ran.timedOut,
    ...(!ran.started && { refused: ran.stderr }),
  };
  const spoken = json ? readAnswer(answer, "json", name) : undefined;
  // A refusal that was read counts, however the hook ended; otherwise it is judged like a V3 hook.
  if (spoken && (answer.exit_code === 0 || spoken.outcome === "block")) return spoken;
  if (ran.timedOut && hook.definition.on_timeout === "cancel" && eventKind(name) === "decide")
    return { failed: `the hook took longer than ${timeoutOf(hook)} ms`, errors: [] };
  return readAnswer(answer, "opta", name);
}

const nothing: ProgramAnswer = { exit_code: null, stdout: "", stderr: "", timed_out: false };

interface Prepared {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly input?: string;
}

/** Returns how to run a command; or, in words, why the event cannot be shown to it. */
function prepare(hook: CompiledHook, event: HookEvent, context: HookContext, ports: HookPorts): Prepared | string {
  const json = hook.definition.protocol === "json";
  const own: Record<string, string> = {
    ...buildEnv(event, context),
    ...(hook.root !== undefined && { OPTA_PLUGIN_ROOT: hook.root }),
  };
  // A hook that reads the context from its input can go without a value that is too long for a variable.
  if (json && unfit({ arguments: own["OPTA_TOOL_ARGS"] ?? "" }) !== undefined) own["OPTA_TOOL_ARGS"] = "";
  const misfit = unfit(own);
  if (misfit !== undefined) return `\`${misfit}\` is too large for a variable, or has a NUL in it`;
  const env = { ...passed(ports), ...own };
  return { cwd: context.cwd, env, timeout: timeoutOf(hook), ...(json && { input: inputDocument(event, context) }) };
}

function timeoutOf({ definition }: CompiledHook): number {
  return definition.timeout ?? defaultTimeout;
}

/** Returns the machine's variables for a hook; the others may hold secrets of the agent. */
function passed({ variables = process.env, pass = [] }: HookPorts): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const named = passedVariables.includes(name) || name.startsWith("LC_") || pass.some((one) => names(one, name));
    if (value !== undefined && named) given[name] = value;
  }
  return given;
}

function names(wanted: string, name: string): boolean {
  return wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : wanted === name;
}

function show({ status }: HookPorts, wanted: string | undefined, message: string | undefined): void {
  if (wanted === undefined) return;
  try {
    status?.(message);
  } catch {
    // A display error never changes the decision.
  }
}

function observation(
  hook: CompiledHook,
  event: HookEvent,
  context: HookContext,
  verdict: ProgramVerdict,
): HookObservation {
  const wrong = verdict.failed ?? verdict.errors[0];
  const reason = verdict.reason ?? wrong;
  return {
    kind: hook.definition.prompt === undefined ? "command" : "prompt",
    hook: hook.key,
    event,
    session: context.session_id,
    cwd: context.cwd,
    ...(context.tool_name !== undefined && { tool: context.tool_name }),
    ...(context.tool_call_id !== undefined && { call_id: context.tool_call_id }),
    outcome: verdict.outcome ?? (wrong === undefined ? "none" : "failed"),
    ...(reason !== undefined && { reason }),
  };
}
