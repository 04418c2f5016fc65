import { limits } from "../../schema/limits.ts";
import { runProgram } from "../run.ts";

/** Limits of a program that a hook module runs; either one ends it. */
export interface ExecOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
}

/** Result of a program. `code` is 1 when it could not start or was ended by a signal. */
export interface ExecResult {
  stdout: string;
  stderr: string;
  code: number;
  /** True when `signal` or `timeout` ended it. */
  killed: boolean;
  /** True when output beyond the bound was dropped. */
  truncated: boolean;
}

/** Runs a program for a hook module: no shell, arguments as they are. Never throws. Source: seed omp-hooks, "Export surface". */
export async function execCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  options: ExecOptions = {},
): Promise<ExecResult> {
  const result = await runProgram([command, ...args], {
    cwd,
    captured: limits.execOutput,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const { stdout, stderr, killed, truncated } = result;
  return { stdout, stderr, code: result.exitCode ?? 1, killed, truncated };
}
