import { limits } from "../schema/limits.ts";
import type { ProgramAnswer, ProgramRequest, Programs } from "../schema/ports.ts";
import { optaVariables } from "./opta/program-variables.ts";
import { locateProgram } from "./program-file.ts";
import { type ProgramResult, runProgram, startProgram } from "./run.ts";

/** Options for the programs of rules. All default to the machine's own. */
export interface ProgramsOptions {
  /** Folder whose programs need a digest, besides the workspace of the event itself. */
  readonly workspace?: string;
  /** Variables from which programs get those on the allow-list; this process's by default. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Shows the running program (`status_message`), and undefined when it has ended. Its errors are ignored. */
  status?(message: string | undefined, rule: string): void;
}

/**
 * Variables that a program gets from the machine: paths of programs, home and temporary files, language and time zone, and
 * those that Windows needs to start anything. No others, since they may hold secrets of the agent; variables of the event
 * (`HOOKWARDEN_…`) are added.
 */
export const passedVariables: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  "SystemRoot",
  "SystemDrive",
  "windir",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
];

/**
 * Creates the `Programs` port on this machine (semantics section 2, `run`). It uses no shell, interpolates nothing, passes
 * the event on stdin and an allow-listed environment. A time-out ends the whole process tree, and output is cut to a limit.
 * A program that may not run gives an answer with the reason. Never rejects. Between the check of a digest and the start,
 * someone who may write the file can replace it.
 */
export function createPrograms(options: ProgramsOptions = {}): Programs {
  return {
    run: async (request) => {
      try {
        return await run(request, options);
      } catch (fault) {
        return refused(fault instanceof Error ? fault.message : String(fault));
      }
    },
  };
}

async function run(request: ProgramRequest, options: ProgramsOptions): Promise<ProgramAnswer> {
  const variables = options.variables ?? process.env;
  const workspaces = [options.workspace, request.variables["HOOKWARDEN_WORKSPACE"]].filter(isText);
  const program = await locateProgram(request.command[0] ?? "", {
    workspaces,
    path: variables["PATH"] ?? variables["Path"] ?? "",
    digest: request.digest,
  });
  if ("refused" in program) return refused(program.refused);
  const command = [program.file, ...request.command.slice(1)];
  const given = {
    cwd: request.cwd,
    env: { ...passed(variables), PATH: program.path, ...request.variables, ...optaVariables(request) },
    input: request.input,
    timeout: request.timeout,
  };
  if (request.background) {
    const why = await startProgram(command, given);
    return why === undefined ? started : refused(why);
  }
  if (request.status !== undefined) show(options, request.status, request.rule);
  const began = performance.now();
  const result = await runProgram(command, { ...given, captured: boundOf(request) });
  const took = Math.round(performance.now() - began);
  if (request.status !== undefined) show(options, undefined, request.rule);
  return result.started ? { ...answerOf(result), duration_ms: took } : refused(result.stderr);
}

/** Returns the limit of output. An answer in JSON is only useful whole; anything else is a reason. */
function boundOf({ protocol }: ProgramRequest): number {
  return protocol === "json" || protocol === "claude" ? limits.programAnswer : limits.captured;
}

function answerOf(result: ProgramResult): ProgramAnswer {
  return {
    exit_code: result.exitCode ?? null,
    stdout: result.stdout.toWellFormed(),
    stderr: result.stderr.slice(0, limits.captured).toWellFormed(),
    timed_out: result.timedOut,
  };
}

/** Answer of a background program. */
const started: ProgramAnswer = { exit_code: null, stdout: "", stderr: "", timed_out: false };

function refused(why: string): ProgramAnswer {
  return { ...started, refused: why.slice(0, limits.captured).toWellFormed() };
}

function passed(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined && (passedVariables.includes(name) || name.startsWith("LC_"))) given[name] = value;
  return given;
}

function show({ status }: ProgramsOptions, message: string | undefined, rule: string): void {
  try {
    status?.(message, rule);
  } catch {
    // A display error never changes the decision.
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
