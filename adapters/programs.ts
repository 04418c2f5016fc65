import { limits } from "../schema/limits.ts";
import type { ProgramAnswer, ProgramRequest, Programs } from "../schema/ports.ts";
import { optaVariables } from "./opta/program-variables.ts";
import { locateProgram } from "./program-file.ts";
import { type ProgramResult, runProgram, startProgram } from "./run.ts";

/** Where and how the programs of rules run. Everything has the machine's own default. */
export interface ProgramsOptions {
  /** Folder whose programs need a digest, besides the workspace of the event itself. */
  readonly workspace?: string;
  /** Variables that programs may be given, of which those of the allow-list are; by default those of this process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Shows what runs (`status_message`), and undefined when it has ended. What it throws is ignored. */
  status?(message: string | undefined, rule: string): void;
}

/**
 * Variables that a program gets from the machine: where programs, the home folder and temporary files are, language and
 * time zone, and what Windows needs to start anything. Nothing else, since the rest may hold secrets of the agent;
 * variables of the event (`HOOKWARDEN_…`) come on top.
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
 * The `Programs` port on this machine (semantics section 2, `run`): no shell, nothing interpolated, the event on stdin,
 * an allow-listed environment, a time-out that ends the whole process tree, output cut to a bound. What may not run is
 * an answer that says why. Never rejects. Between checking a digest and starting the file lies a moment, in which
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

/** An answer in JSON is of use only whole; anything else is a reason. */
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

/** The answer of a program that nobody waits for. */
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
    // What is shown never changes what is decided.
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
