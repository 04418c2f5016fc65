import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GastownPi, HookEventName, HookEvents, PiContext } from "../../../adapters/gastown/api.ts";
import { installHooks } from "../../../adapters/gastown/hooks.ts";
import { createHookLog } from "../../../adapters/gastown/log.ts";
import type { ProgramOptions, ProgramResult } from "../../../adapters/run.ts";
import { contextWith } from "../pi/payloads.ts";

/** How a program ended, for a test that names only what matters. */
export const ended = (more: Partial<ProgramResult> = {}): ProgramResult => ({
  exitCode: 0,
  stdout: "",
  stderr: "",
  timedOut: false,
  killed: false,
  failed: false,
  started: true,
  truncated: false,
  ...more,
});

/** A program that prints an answer and ends well. */
export const says = (answer: unknown): ProgramResult => ended({ stdout: JSON.stringify(answer) });

/** A started command with what it was given. */
export interface Started {
  readonly command: readonly string[];
  readonly options: ProgramOptions;
  readonly told: Record<string, unknown>;
}

/** What a test gives a session; programs are answered by the text of their command. */
export interface Given {
  readonly env?: Record<string, string>;
  readonly flags?: Record<string, boolean | string>;
  readonly programs?: Record<string, ProgramResult | (() => ProgramResult)>;
  readonly verbose?: boolean;
  readonly context?: Partial<PiContext>;
}

type Handler = (event: unknown, context: PiContext) => Promise<unknown>;

/** Hooks on a pi that only keeps what was registered; no program is started. */
export function hooked(given: Given = {}) {
  const handlers = new Map<string, Handler>();
  const flags = new Map<string, unknown>();
  const started: Started[] = [];
  const lines: Record<string, unknown>[] = [];
  const screen: string[] = [];
  const pi = {
    on: (name: string, handler: unknown) => void handlers.set(name, handler as Handler),
    registerFlag: (name: string, flag: unknown) => void flags.set(name, flag),
    getFlag: (name: string) => given.flags?.[name],
  } as unknown as GastownPi;
  const log = createHookLog(
    {
      verbose: given.verbose ?? false,
      file: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      screen: (line) => void screen.push(line),
    },
    () => 0,
  );
  const run = (command: readonly string[], options: ProgramOptions): Promise<ProgramResult> => {
    started.push({ command, options, told: JSON.parse(options.input ?? "{}") as Record<string, unknown> });
    const answer = given.programs?.[command[2] ?? ""] ?? ended();
    return Promise.resolve(typeof answer === "function" ? answer() : answer);
  };
  let clock = 0;
  const env: Record<string, string> = { PATH: "/usr/bin", ...given.env };
  installHooks(pi, { log, env, clock: () => (clock += 4), run }, () => 7);
  const context = contextWith(given.context);
  const fire = async <Name extends HookEventName>(name: Name, event: HookEvents[Name]["event"]) =>
    (await handlers.get(name)?.(event, context)) as HookEvents[Name]["reply"] | undefined;
  const commands = () => started.map(({ command }) => command[2]);
  return { fire, flags, started, commands, lines, screen, context, handlers, env };
}

/** Hooks of one event as the JSON of `PI_HOOKS_JSON`. */
export function configured(event: string, ...commands: string[]): Record<string, string> {
  return {
    PI_HOOKS_JSON: JSON.stringify({ [event]: [{ hooks: commands.map((command) => ({ type: "command", command })) }] }),
  };
}

/** The event that begins a session. */
export const sessionStart = { type: "session_start", reason: "startup" } as const;

/** Runs `work` in a folder of its own. */
export async function inFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-gastown-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A session with PreToolUse hooks `first` and `second` that has begun. */
export async function withPre(programs: NonNullable<Given["programs"]>, more: Given = {}) {
  const session = hooked({ env: configured("PreToolUse", "first", "second"), programs, ...more });
  await session.fire("session_start", sessionStart);
  return session;
}

/** The warnings of a session's log. */
export const warnings = (session: ReturnType<typeof hooked>) =>
  session.lines.filter((line) => line["level"] === "warning");
