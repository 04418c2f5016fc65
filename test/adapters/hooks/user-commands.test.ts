import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engineGate } from "../../../adapters/hooks/engine-gate.ts";
import type { UserBashResult } from "../../../adapters/hooks/results.ts";
import { runCommand, typedCommand } from "../../../adapters/hooks/run-command.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { limits } from "../../../schema/limits.ts";
import { calls, loopOf, only, type Seen, says } from "./loops.ts";
import { gate, on, text } from "./modules.ts";

const secret = "AKIAIOSFODNN7EXAMPLQ";
const output = (value: string, more: object = {}): UserBashResult => ({
  output: value,
  exitCode: 0,
  cancelled: false,
  truncated: false,
  ...more,
});
/** A host that runs nothing: its answer is the test's. */
const port = (value = "out") => {
  const ran: string[] = [];
  return { ran, runCommand: (command: string) => (ran.push(command), output(value)) };
};
const sentTo = (seen: Seen) => JSON.stringify(seen.requests.map((request) => request.messages));

describe("typedCommand (pi-hook-reference section 8)", () => {
  it.each([
    ["!ls", { command: "ls", excludeFromContext: false }],
    ["!!ls -a ", { command: "ls -a", excludeFromContext: true }],
    ["  ! ls", { command: "ls", excludeFromContext: false }],
    ["!!! ls", { command: "! ls", excludeFromContext: true }],
    ["!", undefined],
    ["!! ", undefined],
    ["say !ls", undefined],
    ["/new", undefined],
  ])("%j", (typed, expected) => expect(typedCommand(typed)).toEqual(expected));
});

describe("commands of the human in the loop (pi-hook-reference section 8)", () => {
  it.each([
    ["!show", false],
    ["!!show", true],
  ])("%s: user_bash fires with command, folder and mark, and the host runs it", async (typed, excludeFromContext) => {
    const seenEvents: unknown[] = [];
    const { ran, runCommand: own } = port();
    const seen = loopOf([], [on("user_bash", (event) => void seenEvents.push(event))], { runCommand: own });
    const outcome = await seen.loop.submit(typed);
    const marked = excludeFromContext ? { excludeFromContext } : {};
    const message = { role: "bashExecution", command: "show", ...output("out"), ...marked };
    expect(outcome).toEqual({ ran: false, by: "bash", message });
    expect([ran, seenEvents]).toEqual([
      ["show"],
      [{ type: "user_bash", command: "show", excludeFromContext, cwd: "/work" }],
    ]);
    expect([seen.loop.history, seen.saved]).toEqual([[message], [message]]);
    expect([seen.requests, only(seen, "input"), only(seen, "message_start")]).toEqual([[], [], []]);
  });

  it("a secret in the output of `!!` is in no request of the model; that of `!` is", async () => {
    for (const [typed, sent] of [
      ["!show", true],
      ["!!show", false],
    ] as const) {
      for (const rawMessages of [false, true]) {
        const seen = loopOf([says("one"), calls("read"), says("two")], [], { ...port(secret), rawMessages });
        await seen.loop.submit(typed);
        await seen.loop.submit("go");
        await seen.loop.submit("again");
        expect([typed, sentTo(seen).includes(secret)]).toEqual([typed, sent]);
      }
    }
  });

  it("no module that rewrites the context can send the output of `!!`, because it is not given it", async () => {
    const copies = on("context", (event: { messages: { role: string; output?: string }[] }) => ({
      messages: event.messages.map((message) => ({ role: "user", content: JSON.stringify(message) })),
    }));
    const seen = loopOf([says("one")], [copies], port(secret));
    await seen.loop.submit("!!show");
    await seen.loop.submit("go");
    expect(sentTo(seen)).not.toContain(secret);
    expect(JSON.stringify(seen.events)).not.toContain(secret);
  });

  it("a policy that redacts secrets redacts the output of `!` for the model, the session and the screen", async () => {
    const bytes = readFileSync(join(import.meta.dirname, "../../../policies/secrets/policy.yaml"));
    const compiled = compile({ files: [{ name: "t.yaml", path: "/t.yaml", bytes }] });
    expect(compiled.diagnostics.filter((found) => found.severity === "error")).toEqual([]);
    const store = { append: () => ({ seq: 1 }) as never };
    const policy = engineGate(createEngine(compiled.plan, { store }), () => ({ cwd: "/work" }), {
      log: () => undefined,
    });
    if (policy === undefined) throw new Error("the engine has no policy");
    const seen = loopOf([says("one")], [], { ...port(`key ${secret} end`), policy });
    await seen.loop.submit("!show");
    await seen.loop.submit("go");
    expect(sentTo(seen)).toContain("end");
    expect(sentTo(seen) + JSON.stringify(seen.saved)).not.toContain(secret);
  });

  it("a policy's block is the output, and nothing runs", async () => {
    const { ran, runCommand: own } = port();
    const policy = gate({ userBash: () => ({ result: output("not this one", { exitCode: 1, cancelled: true }) }) });
    const seen = loopOf([], [], { runCommand: own, policy });
    const outcome = await seen.loop.submit("!show");
    expect(outcome).toMatchObject({ by: "bash", message: { output: "not this one", cancelled: true } });
    expect(ran).toEqual([]);
  });

  it("a command that the policy rewrote is what runs and what is kept", async () => {
    const { ran, runCommand: own } = port();
    const seen = loopOf([], [], { runCommand: own, policy: gate({ userBash: () => ({ command: "safe" }) }) });
    await seen.loop.submit("!show");
    expect([ran, seen.loop.history[0]]).toMatchObject([["safe"], { command: "safe" }]);
  });

  it("only what the human types is a command: text of programs and extensions is text", async () => {
    const { ran, runCommand: own } = port();
    const seen = loopOf([says("one"), says("two")], [], { runCommand: own });
    for (const source of ["rpc", "extension"] as const) await seen.loop.submit("!show", undefined, source);
    expect([ran, seen.requests.length]).toEqual([[], 2]);
  });

  it("a command during a run stands behind it, never between a call and its result", async () => {
    const types = on("tool_call", async () => void (await seen.loop.submit("!show")));
    const seen: Seen = loopOf([calls("read"), says("done")], [types], port());
    await seen.loop.submit("go");
    const roles = seen.loop.history.map((message) => message.role);
    expect(roles).toEqual(["user", "assistant", "toolResult", "assistant", "bashExecution"]);
  });

  it("a host without a way to run commands says so, and the text is no prompt", async () => {
    const seen = loopOf([]);
    const outcome = await seen.loop.submit("!show");
    expect(outcome).toMatchObject({ by: "bash", message: { output: expect.stringContaining("runCommand") } });
    expect(seen.requests).toEqual([]);
  });
});

describe("what a handler gives for the command (pi-hook-reference section 8)", () => {
  const typed = async (answer: unknown) => {
    const { ran, runCommand: own } = port();
    const seen = loopOf([], [on("user_bash", () => answer)], { runCommand: own });
    const outcome = await seen.loop.submit("!show");
    const message = outcome.ran === false && outcome.by === "bash" ? outcome.message : undefined;
    return { ran, message };
  };

  it("operations run it, with the command", async () => {
    const asked: unknown[] = [];
    const { ran, message } = await typed({
      operations: { execute: (...given: unknown[]) => (asked.push(given[0]), "there") },
    });
    expect([ran, asked, message?.output]).toEqual([[], ["show"], "there"]);
  });

  it("a result stands for it", async () => {
    const { ran, message } = await typed({ result: output("custom output") });
    expect([ran, message?.output]).toEqual([[], "custom output"]);
  });

  const bytes = (value: string) => new TextEncoder().encode(value);
  it.each<[string, object, object]>([
    ["a text", { execute: async () => "o" }, { output: "o", exitCode: 0 }],
    ["a result", { execute: () => output("o", { exitCode: 3 }) }, { output: "o", exitCode: 3 }],
    ["streams and a code", { execute: () => ({ stdout: "o", stderr: "e", code: 2 }) }, { output: "oe", exitCode: 2 }],
    [
      "pi's own form",
      {
        exec: async (command: string, cwd: string, { onData }: { onData(data: Uint8Array): void }) => {
          for (const part of [bytes(command), bytes(` in ${cwd} €`).slice(0, -1), bytes("€").slice(-1)]) onData(part);
          return { exitCode: 4 };
        },
      },
      { output: "show in /work €", exitCode: 4 },
    ],
    ["nothing", { execute: () => undefined }, { output: expect.stringContaining("no result"), exitCode: 1 }],
    ["no method", { run: () => "o" }, { output: expect.stringContaining("execute"), exitCode: 1 }],
    ["a throw", { execute: () => Promise.reject(new Error("no route")) }, { output: "no route", exitCode: 1 }],
  ])("operations that answer %s", async (_name, operations, expected) => {
    expect((await typed({ operations })).message).toMatchObject(expected);
  });

  it("a throw of operations is redacted like any text of a module", async () => {
    const operations = { execute: () => Promise.reject(new Error(`no ${secret}`)) };
    const policy = gate({ errorText: (given) => given.replace(secret, "[redacted]") });
    const seen = loopOf([], [on("user_bash", () => ({ operations }))], { policy });
    await seen.loop.submit("!show");
    expect(seen.loop.history).toMatchObject([{ output: "no [redacted]" }]);
  });

  it("output beyond the bound is cut, and says so", async () => {
    const { message } = await typed({ result: output("x".repeat(limits.execOutput + 1)) });
    expect([message?.output.length, message?.truncated]).toEqual([limits.execOutput, true]);
  });

  it("ending the agent's work ends the command", async () => {
    const seen: Seen = loopOf([], [], {
      runCommand: (_command, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("ended")));
          seen.loop.abort();
        }),
    });
    await seen.loop.submit("!show");
    expect(seen.loop.history).toMatchObject([{ output: "ended", cancelled: true }]);
  });

  it("a host's answer that cannot be read is a failed command", async () => {
    const place = { cwd: "/", signal: new AbortController().signal };
    expect(await runCommand({ command: "x" }, place, () => 7 as never)).toMatchObject({ exitCode: 1 });
    expect(text("x").text).toBe("x");
  });
});
