import { isAbsolute } from "node:path";
import { runHook } from "../../adapters/one-shot/run.ts";
import { userHome } from "../../store/user-home.ts";
import type { Io } from "../io.ts";

/** Options of `hook`, as `install` writes them. */
export interface HookOptions {
  readonly policy?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly budget?: string;
}

/**
 * `hook`: does the launcher's work (`hookwarden-hook`) from the command line. The exit code is the one for the host, 0 or 2.
 * It lacks the launcher's protection against faults while code loads: hosts are wired to the launcher.
 */
export async function hook(host: string, options: HookOptions, io: Io): Promise<number> {
  const given = [
    host,
    ...(options.policy ?? []).flatMap((policy) => ["--policy", policy]),
    ...Object.entries(options.set ?? {}).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
    ...(options.budget === undefined ? [] : ["--budget", options.budget]),
  ];
  const home = io.home ?? io.env["HOME"] ?? "";
  const { stdout, stderr, exitCode } = await runHook(given, {
    stdin: io.stdin,
    variables: io.env,
    cwd: io.cwd,
    home: isAbsolute(home) ? home : userHome(),
    now: () => Date.now(),
  });
  if (stderr !== "") io.err(stderr);
  if (stdout !== "") await io.out(stdout);
  return exitCode;
}
