import { delimiter, isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../schema/limits.ts";
import { visible } from "../pi/approval.ts";
import { replaceArguments } from "../pi/judged-calls.ts";
import { type ProgramOptions, type ProgramResult, runProgram } from "../run.ts";
import { type HookAnswer, readHookAnswer } from "./answer.ts";
import type { Hook, HookConfig, HookEvent } from "./config.ts";
import type { ContextEntry } from "./context-block.ts";
import type { HookLog, LogEntry, LogLevel } from "./log.ts";
import type { Subject } from "./matcher.ts";

/** Dependencies of running hooks. */
export interface HookWorld {
  readonly log: HookLog;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, for durations. */
  readonly clock: () => number;
  readonly run: (command: readonly string[], options: ProgramOptions) => Promise<ProgramResult>;
}

/** One event for hooks. */
export interface Happening {
  readonly event: HookEvent;
  /** Returns the input of matchers, called again for each hook. Without it every hook of the event runs. */
  subject?(): Subject;
  readonly cwd: string;
  /** Returns the hook's input besides the event's name and the folder. Called again for each hook. */
  payload(): Readonly<Record<string, unknown>>;
  /** Arguments that hooks may change in place; only for a call that has not run. */
  readonly input?: Record<string, unknown>;
  /** Place of the call in its turn. */
  readonly call?: number;
}

/** Result of the hooks of an event. */
export interface HookVerdict {
  /** The reason of a denial. */
  readonly denied?: string;
  readonly context: readonly ContextEntry[];
}

/** Events whose hooks may deny. */
const deciding: ReadonlySet<HookEvent> = new Set(["PreToolUse", "PostToolUse"]);

/** Exit code of a hook that blocks: v1. */
const blockingCode = 2;
/** Exit code of a shell that does not find the program. */
const missingCode = 127;

/** Maximum times that one hook judges arguments that others rewrite; beyond that the hooks do not settle. */
const rounds = 3;

/**
 * Runs the hooks of an event one after another, in the order of the configuration. Each sees the arguments as its
 * predecessors left them; the first that denies is the last to run. If one rewrites arguments that others have judged, those
 * judge again, so that all have judged the call that runs. A hook that fails other than by exit code 2 stops nothing (v1); a
 * hook that could not be heard here blocks. Throws if the event cannot be described or arguments cannot be changed. Source:
 * seed gastown-hooks-v1.1, sections 2 to 5.
 */
export async function runHooks(config: HookConfig, happening: Happening, world: HookWorld): Promise<HookVerdict> {
  const hooks = config.hooks.filter(({ event }) => event === happening.event);
  const said = new Map<Hook, string>();
  const context: ContextEntry[] = [];
  const waiting = [...hooks];
  for (let runs = 0; waiting.length > 0; ) {
    const hook = waiting.shift() as Hook;
    if (happening.subject && !hook.fits(happening.subject())) continue;
    if (++runs > hooks.length * rounds) return { denied: unsettled, context };
    const ran = await runHook(hook, happening, world);
    const { denied, warnings, entry } = judged(hook, ran, happening, world.log);
    report(hook, config, ran, warnings, entry, world.log);
    const changed = denied === undefined && ran.result.exitCode === 0 && merge(happening, ran.answer);
    const text = contextOf(ran, denied !== undefined);
    if (text !== undefined && said.get(hook) !== text) context.push(entryOf(happening, text));
    if (text !== undefined) said.set(hook, text);
    if (denied !== undefined) return { denied, context };
    if (changed) waiting.push(...hooks.filter((other) => other !== hook && !waiting.includes(other)));
  }
  return { context };
}

const unsettled = "the hooks rewrite what the others rewrote, without end";

interface Ran {
  readonly result: ProgramResult;
  readonly answer: HookAnswer;
  readonly ms: number;
}

/** Runs one hook. The shell gets the command as the user wrote it, as in v1; the event goes only to its standard input. */
async function runHook(hook: Hook, happening: Happening, world: HookWorld): Promise<Ran> {
  const told = { hook_event_name: happening.event, cwd: happening.cwd, ...happening.payload() };
  const started = world.clock();
  const result = await world.run(["/bin/sh", "-lc", hook.command], {
    cwd: happening.cwd,
    env: environment(world.env, happening.cwd),
    input: JSON.stringify(told),
    timeout: hook.timeout,
    captured: limits.programAnswer,
  });
  const answer = answerOf(result);
  return { result, answer, ms: Math.round(world.clock() - started) };
}

/** Returns why this machine could not hear the hook. It then counts as a block, since it may have had an objection. */
function unheard({ result, answer }: Ran, log: HookLog): string | undefined {
  if (!result.started) return `a hook could not be started (${log.masked(result.stderr)})`;
  if (answer.decision === "deny") return undefined;
  if (answer.unread) return "a hook printed what looks like a decision and cannot be read";
  return result.stdout.length >= limits.programAnswer
    ? `a hook printed more than ${limits.programAnswer} characters, and what it decided was not read`
    : undefined;
}

/** Returns the hook's answer. If it did not end by itself, only a refusal counts: the rest may be incomplete. */
function answerOf(result: ProgramResult): HookAnswer {
  const answer = readHookAnswer(result.stdout);
  if (result.exitCode !== undefined || answer.decision === "deny") return answer;
  return answer.unread ? { unread: true, warnings: [] } : { warnings: [] };
}

/** Returns the text for the model: the answer's own, also of a hook that denies; raw output only of a hook that ended well. */
function contextOf({ result, answer }: Ran, denied: boolean): string | undefined {
  if (result.exitCode === 0) return answer.context ?? answer.output;
  return denied ? answer.context : undefined;
}

interface Judged {
  readonly denied: string | undefined;
  readonly warnings: readonly string[];
  readonly entry: Pick<LogEntry, "decision" | "reason">;
}

/** Decides if the hook denies, and its log entry. */
function judged(hook: Hook, ran: Ran, { event }: Happening, log: HookLog): Judged {
  const { result, answer } = ran;
  const warnings = [...answer.warnings];
  const fault = unheard(ran, log);
  // The silence of a hook counts only if it may deny.
  const unsure = fault !== undefined && (deciding.has(event) || !result.started);
  const blocks = answer.decision === "deny" || result.exitCode === blockingCode || unsure;
  const reason = fault ?? answer.reason ?? (blocks ? result.stderr.trim() || answer.output : undefined);
  const decision = blocks ? "deny" : answer.decision;
  const entry = { ...(decision && { decision }), ...(reason !== undefined && { reason }) };
  if (decision === "ask") warnings.push("`ask` counts as allow: hooks have nobody to ask");
  if (blocks && !deciding.has(event)) {
    warnings.push(`a hook of ${event} cannot deny anything`);
    return { denied: undefined, warnings, entry };
  }
  if (answer.input && event !== "PreToolUse") warnings.push(`a hook of ${event} cannot change arguments`);
  if (answer.input && event === "PreToolUse" && result.exitCode !== 0)
    warnings.push("`updatedInput` of a hook that failed is ignored");
  const shown = visible(log.masked(reason ?? "")) || `a hook denied it: ${log.masked(hook.command)}`;
  return { denied: blocks ? shown : undefined, warnings, entry };
}

/**
 * Merges the new arguments into those of the call, in place, one level deep. Tool and call id are elsewhere and stay. True
 * if anything changed.
 */
function merge({ input }: Happening, answer: HookAnswer): boolean {
  if (!input || !answer.input) return false;
  const next = { ...input, ...answer.input };
  if (isDeepStrictEqual(next, input)) return false;
  replaceArguments(input, next);
  return true;
}

function entryOf({ event, call }: Happening, text: string): ContextEntry {
  return { event, text, ...(call === undefined ? {} : { call }) };
}

/** Logs one entry for the run and one for each warning. */
function report(
  hook: Hook,
  config: HookConfig,
  { result, ms }: Ran,
  warnings: readonly string[],
  entry: Judged["entry"],
  log: HookLog,
): void {
  const base = { event: hook.event, command: hook.command, configSource: config.source };
  const [level, message] = outcome(result, config, entry);
  log.write({
    level,
    message,
    ...base,
    durationMs: ms,
    exitCode: result.exitCode ?? null,
    ...entry,
    ...(result.stdout === "" ? {} : { stdout: result.stdout }),
    ...(result.stderr === "" ? {} : { stderr: result.stderr }),
  });
  for (const warning of warnings) log.write({ level: "warning", message: warning, ...base, ...entry });
}

/** Describes how a run ended. As in v1, a missing program of the built-in hooks is skipped quietly. */
function outcome(result: ProgramResult, config: HookConfig, { decision }: Judged["entry"]): [LogLevel, string] {
  const missing = config.source === "default" ? "info" : "warning";
  const unended = result.started && result.exitCode === undefined;
  if (unended && decision === "deny") return ["warning", "the hook was ended; what it had said before counts"];
  if (result.timedOut) return ["warning", "the hook took too long and was ended; what it was asked about goes on"];
  if (!result.started) return ["error", "the hook could not be started"];
  if (result.exitCode === 0) return ["info", "the hook ran"];
  if (result.exitCode === blockingCode) return ["info", "the hook blocks"];
  if (result.exitCode === missingCode) return [missing, "the program of the hook is missing; it is skipped"];
  return ["warning", "the hook failed; what it was asked about goes on"];
}

/**
 * Returns the user's environment with the project's folder. Relative folders of `PATH` are left out: they would find a
 * repository's programs.
 */
function environment(env: HookWorld["env"], cwd: string): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) given[name] = value;
  const folders = (given["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return { ...given, PATH: folders.join(delimiter), CLAUDE_PROJECT_DIR: cwd };
}

/** Returns the real machine: real programs, this process's environment. */
export function machineWorld(log: HookLog): HookWorld {
  return { log, env: process.env, clock: () => performance.now(), run: runProgram };
}
