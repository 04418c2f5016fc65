import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../store/folders.ts";
import {
  type CanaryCase,
  type CanaryForm,
  type CanaryReply,
  canaryCommand,
  canaryForms,
  canaryPolicy,
  canaryReason,
  hangingPolicy,
  passingCommand,
} from "./canary-payloads.ts";
import { proxyCases } from "./canary-proxy.ts";
import { callLine, type HookProgram, optionWords, shell } from "./command.ts";

export type { CanaryCase } from "./canary-payloads.ts";

/** Hosts whose guard runs inside them, and the module that they load. */
const inProcess: Readonly<Record<string, string>> = {
  pi: "adapters/pi/entry.js",
  gastown: "adapters/gastown/entry.js",
  omp: "adapters/omp/entry.js",
  opencode: "adapters/opencode/plugin.js",
};

/** Milliseconds after which a program of ours that does not answer has failed. */
const patience = 30_000;

/**
 * Runs our own program as a host would, in a scratch folder that is its home too, with a policy that refuses one harmless
 * command. Nothing of the host runs, and the commands are judged, never run. Undefined for a host without a canary.
 */
export async function runCanary(host: string, program: HookProgram): Promise<readonly CanaryCase[] | undefined> {
  const form = Object.hasOwn(canaryForms, host) ? canaryForms[host] : undefined;
  const module = Object.hasOwn(inProcess, host) ? inProcess[host] : undefined;
  if (!form && module === undefined && host !== "mcp") return undefined;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-canary-")));
  try {
    for (const name of ["home", "work"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "canary.yaml"), canaryPolicy);
    if (host === "mcp") return await proxyCases(program, folder);
    if (form) return await hookCases(host, form, program, folder);
    return await moduleCases(host, join(program.modules, module ?? ""), program, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Options of one canary request: another policy, a time budget, and variables that a project might set. */
interface Asked {
  readonly policy?: string;
  readonly budget?: string;
  readonly hostile?: Readonly<Record<string, string>>;
}

async function hookCases(host: string, form: CanaryForm, program: HookProgram, folder: string): Promise<CanaryCase[]> {
  const work = join(folder, "work");
  const ask = (
    payload: Readonly<Record<string, unknown>> | string | undefined,
    { policy = "canary.yaml", budget, hostile = {} }: Asked = {},
  ) => {
    const variables = form.byVariables && typeof payload === "object" ? (payload as Record<string, string>) : {};
    const input = typeof payload === "object" ? JSON.stringify(payload) : payload;
    const [first, ...given] = wiredWords(host, form.event, program, folder, policy, budget);
    return started(first, given, { folder, variables: { ...hostile, ...variables }, input });
  };
  const garbage = form.byVariables ? { ...form.payload("", work), OPTA_TOOL_ARGS: "{ garbage" } : "{ garbage";
  const blocked = await ask(form.payload(canaryCommand, work));
  const passed = await ask(form.payload(passingCommand, work));
  const garbled = await ask(garbage);
  const hung = form.byVariables
    ? await ask(form.payload(canaryCommand, work), { policy: hanging(program, folder), budget: "1000" })
    : await ask(undefined, { budget: "1000" });
  const told = `${blocked.stdout}${blocked.stderr}`.includes(canaryReason);
  return [
    caseOf("block", form.refused(blocked) && told, blocked, "a forbidden call is refused, with its reason"),
    caseOf("pass", !form.refused(passed) && passed.code === 0, passed, "another call passes"),
    caseOf("garbage", form.refused(garbled), garbled, "what cannot be read is refused"),
    caseOf("hang", form.refused(hung) && !hung.late, hung, `a hang is cut off and refused`),
    ...(process.platform === "win32" ? [] : [await hostileCase(folder, form, ask)]),
  ];
}

/** Tests the forbidden call in an environment such as a project could set, with the variables that our line clears in every shell. */
async function hostileCase(
  folder: string,
  form: CanaryForm,
  ask: (payload: ReturnType<CanaryForm["payload"]>, asked: Asked) => Promise<CanaryReply>,
): Promise<CanaryCase> {
  const preload = join(folder, "preload.cjs");
  writeFileSync(preload, "process.exit(0);\n");
  const other = join(folder, "other");
  makeFolder(join(other, ".config/hookwarden"));
  const hostile = {
    NODE_OPTIONS: `--require=${preload}`,
    NODE_PATH: other,
    PERL5OPT: "-MNothingOfThatName",
    ENV: preload,
    HOME: other,
    XDG_STATE_HOME: join(other, "state"),
    PATH: other,
    LC_ALL: "xx",
    LD_LIBRARY_PATH: other,
    SHLVL: "2",
  };
  const reply = await ask(form.payload(canaryCommand, join(folder, "work")), { hostile });
  const told = `${reply.stdout}${reply.stderr}`.includes(canaryReason);
  const ok = form.refused(reply) && told && !existsSync(join(other, "state"));
  return caseOf("hostile", ok, reply, "variables that a project could set change nothing");
}

/** The wired command, for the canary's policy and folders: the line that a shell reads, or on Windows the launcher itself. */
function wiredWords(
  host: string,
  event: string,
  { daemon: _, ...program }: HookProgram,
  folder: string,
  policy: string,
  budget: string | undefined,
): readonly [program: string, ...args: string[]] {
  const home = join(folder, "home");
  const state = join(home, ".local/state/hookwarden");
  const by = { policies: [join(folder, policy)], set: {} };
  const more = budget === undefined ? [] : ["--budget", budget];
  if (process.platform === "win32")
    return [program.node, program.launcher, host, "--event", event, ...optionWords(by), ...more];
  const line = callLine(host, event, { program, by, platform: process.platform, home, state, privileged: false });
  return [shell, "-c", `${[line, ...more].join(" ")} || exit 2`];
}

/** Writes a policy that waits forever; its program is outside the folder where the agent works. */
function hanging(program: HookProgram, folder: string, timeout?: string): string {
  const path = join(folder, "hang.mjs");
  writeFileSync(path, "setTimeout(() => undefined, 60_000);\n");
  writeFileSync(join(folder, "hanging.yaml"), hangingPolicy([program.node, path], "bash", timeout));
  return "hanging.yaml";
}

function caseOf(name: CanaryCase["name"], ok: boolean, reply: CanaryReply, well: string): CanaryCase {
  if (ok) return { name, ok, found: well };
  const said = `${reply.stdout}${reply.stderr}`.trim().slice(0, 300);
  return { name, ok, found: `not so that ${well}: exit code ${reply.code ?? "none"}${said === "" ? "" : `, ${said}`}` };
}

/** Tests the module that the host loads: a host of ours drives it in a separate process. */
async function moduleCases(host: string, module: string, program: HookProgram, folder: string): Promise<CanaryCase[]> {
  const probe = join(program.modules, "adapters/install/probe.js");
  const policies = [join(folder, "canary.yaml"), join(folder, hanging(program, folder, "1s"))];
  const reply = await started(program.node, [probe, host, module, ...policies], { folder, variables: {}, input: "" });
  try {
    const { block, pass, garbage, hang } = JSON.parse(reply.stdout) as Record<string, unknown>;
    const told = typeof block === "string" && block.includes(canaryReason);
    return [
      caseOf("block", told, reply, "a forbidden call is refused, with its reason"),
      caseOf("pass", pass === null, reply, "another call passes"),
      caseOf("garbage", typeof garbage === "string", reply, "what cannot be read is refused"),
      caseOf("hang", typeof hang === "string", reply, "a hang is cut off and refused"),
    ];
  } catch {
    return [caseOf("block", false, reply, "a forbidden call is refused, with its reason")];
  }
}

interface Start {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Standard input; undefined leaves it open. */
  readonly input: string | undefined;
}

/** Runs one process until it ends or `patience` runs out. */
function started(
  node: string,
  given: readonly string[],
  { folder, variables, input }: Start,
): Promise<CanaryReply & { late: boolean }> {
  return new Promise((resolve) => {
    const home = join(folder, "home");
    const env = { HOME: home, USERPROFILE: home, PATH: process.env["PATH"] ?? "", ...variables };
    const child = spawn(node, given, { cwd: join(folder, "work"), env, stdio: ["pipe", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, patience);
    const end = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, ...text, late });
    };
    child.stdout.on("data", (chunk: Buffer) => {
      text.stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      text.stderr += chunk.toString();
    });
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      text.stderr += error.message;
      end(null);
    });
    child.on("close", end);
    if (input !== undefined) child.stdin.end(input);
  });
}
