import { spawnSync } from "../bounded-process.ts";
import { profileFolder } from "./options.ts";

/** One program to start: what it is given, and nothing of this machine beside it. */
export interface Started {
  /** File and arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly input?: string;
}

/** What a program said. */
export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** What a terminal and a shell give to every program: a guard looks at all of it. */
function surroundings(cwd: string, home: string): Readonly<Record<string, string>> {
  const person = { HOME: home, LANG: "C.UTF-8", LOGNAME: "ada", USER: "ada", SHELL: "/bin/sh" };
  return { ...person, OLDPWD: home, PWD: cwd, SHLVL: "1", SSH_AUTH_SOCK: "/run/ssh/agent", TERM: "xterm-256color" };
}

/** Runs a program to its end. Throws when it cannot be started or hangs. */
export function runProgram({ command, cwd, home, input = "" }: Started): Said {
  const [file = "", ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env: { ...surroundings(cwd, home), PATH: systemPath },
    input,
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 134_217_728,
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** Runs a Node program once with a profile, where profiles are asked for. */
export function profileProgram(name: string, { command: [node = "", ...args], ...more }: Started): void {
  const folder = profileFolder();
  if (folder === undefined) return;
  const flags = [
    "--cpu-prof",
    "--cpu-prof-interval=200",
    `--cpu-prof-dir=${folder}`,
    `--cpu-prof-name=${name}.cpuprofile`,
  ];
  runProgram({ command: [node, ...flags, ...args], ...more });
}
