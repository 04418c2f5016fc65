import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type CanaryCase, canaryCommand, canaryReason, hangingPolicy, passingCommand } from "./canary-payloads.ts";
import type { HookProgram } from "./command.ts";

/** Milliseconds after which a proxy that does not answer has failed. */
const patience = 15_000;

/** Refuses one word to the canary's tool, and nothing else. */
const proxyPolicy = `version: 1
policy: canary
title: Refuses a canary
default: allow
rules:
  - { id: refuse, title: The canary, event: tool_call, tool: mcp__canary__say, when: { args.word: ${canaryCommand} }, action: block, reason: ${canaryReason} }
`;

/** The answer to a call: its text and whether it is a failure; undefined if none came in time. */
type Answer = { readonly text: string; readonly failed: boolean } | undefined;

/**
 * Tests the proxy with our own server behind it, in a scratch folder. A call that the policy refuses must not reach the
 * server; another call must. Garbage from either side is no answer, and a rule that hangs is a refusal.
 */
export async function proxyCases(program: HookProgram, folder: string): Promise<CanaryCase[]> {
  writeFileSync(join(folder, "proxy.yaml"), proxyPolicy);
  const wait = join(folder, "wait.mjs");
  writeFileSync(wait, "setTimeout(() => undefined, 60_000);\n");
  const hanging = hangingPolicy([program.node, wait], "mcp__canary__say", "1s");
  writeFileSync(join(folder, "proxy-hang.yaml"), hanging);
  const [blocked, passed, garbled, misspelt] = await behind(program, folder, "proxy.yaml", async (ask, raw) => [
    await ask(canaryCommand),
    await ask(passingCommand),
    await ask("garbage"),
    await raw("{ garbage"),
  ]);
  const [hung] = await behind(program, folder, "proxy-hang.yaml", async (ask) => [await ask(passingCommand)]);
  const reached = (answer: Answer, word: string): boolean => answer?.text === `the server was asked: ${word}`;
  const refused = (answer: Answer): boolean => answer?.failed === true && !answer.text.includes("was asked");
  return [
    caseOf(
      "block",
      refused(blocked) && blocked?.text.includes(canaryReason) === true,
      blocked,
      "a forbidden call is refused and does not reach the server",
    ),
    caseOf("pass", reached(passed, passingCommand) && passed?.failed === false, passed, "another call reaches it"),
    caseOf(
      "garbage",
      reached(garbled, "garbage") && refused(misspelt),
      misspelt,
      "what is no message is passed to nobody",
    ),
    caseOf("hang", refused(hung), hung, "a hang is cut off and refused"),
  ];
}

function caseOf(name: CanaryCase["name"], ok: boolean, answer: Answer, well: string): CanaryCase {
  if (ok) return { name, ok, found: well };
  const said = answer === undefined ? "no answer" : answer.text.trim().slice(0, 300);
  return { name, ok, found: `not so that ${well}: ${said}` };
}

type Ask = (word: string) => Promise<Answer>;

/** Opens one connection in which the proxy answers the requests of `work`; the process is gone when it returns. */
async function behind(
  program: HookProgram,
  folder: string,
  policy: string,
  work: (ask: Ask, raw: (line: string) => Promise<Answer>) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const server = [program.node, join(program.modules, "adapters/install/canary-server.js")];
  const proxy = [program.command, "mcp", "--server", "canary", "--policy", join(folder, policy), "--", ...server];
  const home = join(folder, "home");
  const env = { HOME: home, USERPROFILE: home, PATH: process.env["PATH"] ?? "" };
  const child = spawn(program.node, proxy, { cwd: join(folder, "work"), env });
  const answers = answersOf(child);
  let last = 0;
  const request = (method: string, params: object): Promise<Answer> => {
    const id = ++last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answers(id);
  };
  try {
    const client = { capabilities: {}, clientInfo: { name: "canary", version: "1" }, protocolVersion: "2025-06-18" };
    await request("initialize", client);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return await work(
      (word) => request("tools/call", { name: "say", arguments: { word } }),
      (line) => {
        child.stdin.write(`${line}\n`);
        return answers(null);
      },
    );
  } finally {
    child.stdin.end();
    child.kill("SIGKILL");
  }
}

/** Returns a function that waits for the answer to an id; the id null is for a line that could not be read. */
function answersOf(child: ChildProcessWithoutNullStreams): (id: number | null) => Promise<Answer> {
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const end = (): void => {
    for (const done of waiting.values()) done(undefined);
    waiting.clear();
  };
  child.stdin.on("error", end);
  child.once("error", end);
  child.once("close", end);
  child.stderr.resume();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, answer } = answerOf(line);
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  return (id) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), patience);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      if (child.exitCode !== null) end();
    });
}

function answerOf(line: string): { readonly id: unknown; readonly answer: Answer } {
  try {
    const { id, result, error } = JSON.parse(line) as {
      id?: unknown;
      result?: { content?: readonly { text?: string }[]; isError?: boolean };
      error?: { message?: string };
    };
    const text = (result?.content ?? []).map((part) => part.text ?? "").join("\n");
    const failed = result?.isError === true || error !== undefined;
    return { id: id ?? null, answer: { text: error?.message ?? text, failed } };
  } catch {
    return { id: undefined, answer: undefined };
  }
}
