import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { buildLauncher } from "../../../scripts/build/launcher.ts";
import { writeNc } from "./nc-double.ts";
import { type Answer, ask, begin, call, daemon, home, project, root, servers, socket, state, write } from "./world.ts";

/** Folder of the built launchers of a file's tests. */
export let bin = "";

/** The shell launcher as it is built, and as it goes on where the machine has no perl but an `nc`. */
export const usual = "hookwarden-hook.sh";
export const withoutPerl = "hookwarden-hook-nc.sh";
/** As the latter, with an `nc` that does not wait for long. */
export const impatient = "hookwarden-hook-impatient.sh";
/** As `usual`, but believing whoever answers: what the checks are for. */
export const trusting = "hookwarden-hook-trusting.sh";

/** Makes the launchers before the tests of a file. */
export function useLaunchers(): void {
  beforeAll(async () => {
    bin = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-shell-")));
    await buildLauncher(join(import.meta.dirname, "../../.."), bin);
    writeNc(bin);
    mkdirSync(join(bin, "impatient"));
    writeNc(join(bin, "impatient"), 1);
    const script = readFileSync(join(bin, usual), "utf8");
    const nc = changed(changed(script, "-x /usr/bin/perl", "-x /nowhere/perl"), "/usr/bin/nc /bin/nc", `'${bin}/nc'`);
    writeFileSync(join(bin, withoutPerl), nc);
    writeFileSync(join(bin, impatient), changed(nc, `'${bin}/nc'`, `'${bin}/impatient/nc'`));
    writeFileSync(join(bin, trusting), changed(script, "$is == $pid && $user == $> or once;", ""));
    return () => rmSync(bin, { recursive: true, force: true });
  });
}

/** A text with another in it replaced. Throws where there is none: a control that controls nothing. */
export function changed(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`there is no \`${from}\``);
  return text.replaceAll(from, to);
}

/** What a hook said, and whether a process of its own judged it. */
export interface Launched extends Answer {
  readonly oneShot: boolean;
}

/** How a hook is started. */
export interface Launch {
  readonly variables?: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly script?: string;
  readonly cwd?: string;
  /** Folder of the launcher. */
  readonly folder?: string;
}

/** Starts a hook as a host would, with a Node that leaves a trace. */
export async function launch(
  [host = "", ...options]: readonly string[],
  payload: Payload | string,
  more: Launch = {},
): Promise<Launched> {
  const { variables = {}, shell = "/bin/sh", script = usual, cwd = project, folder = bin } = more;
  const trace = join(root, "ONE-SHOT");
  rmSync(trace, { force: true });
  const node = write("bin/node", `#!/bin/sh\n: >'${trace}'\nexec '${process.execPath}' "$@"\n`, 0o755);
  // As `install` writes them: the client leaves nothing of the environment to go by.
  const places = ["--home", home, "--state", state];
  const files = [join(bin, script), node, join(folder, "hookwarden-hook.cjs"), socket];
  const child = spawn(shell, ["-p", ...files, host, ...places, ...options], {
    cwd,
    env: { HOME: home, PATH: "/usr/bin:/bin", ...variables },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  // Nobody reads a payload to its end that is refused before.
  child.stdin.on("error", () => {});
  child.stdin.end(typeof payload === "string" ? payload : JSON.stringify(payload));
  const code = await new Promise<number>((done) => child.on("close", (status) => done(status ?? -1)));
  return { stdout, stderr, code, oneShot: existsSync(trace) };
}

/** Something at the socket that is no daemon, but lives; `pid` is whom the lock names. */
export async function impostor(answer: (connection: Socket) => void, pid: number = process.pid): Promise<void> {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const server = createServer((connection) => {
    connection.on("error", () => {});
    connection.on("data", () => {});
    answer(connection);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(socket, done));
  writeFileSync(`${socket}.lock`, `${pid} here - -\n`, { mode: 0o600 });
}

/** Answers every request as an impostor would: go on. */
export function allowing(connection: Socket): void {
  let text = "";
  connection.write("hookwarden 1\n");
  connection.on("data", (chunk) => {
    text += String(chunk);
    const mark = text.split("\n")[0] ?? "";
    if (text.endsWith(`}\n${mark}\n`)) connection.end(`\n${mark} err\n\n${mark} end 0\n`);
  });
}

/** A plan for the one-shot launcher, which finds no compiler here; and no daemon after it. */
export async function warmed(given: readonly string[]): Promise<void> {
  await begin();
  await ask(given, call("echo hello"));
  daemon?.end();
  await daemon?.ended;
}
