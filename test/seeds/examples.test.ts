import { expect, it } from "vitest";
import { AgentLoop, type AgentLoopPorts, type ModelRequest } from "../../adapters/hooks/agent-loop.ts";
import type { HookFactory } from "../../adapters/hooks/api.ts";
import type { HostPorts } from "../../adapters/hooks/context.ts";
import type { AgentMessage, AssistantMessage } from "../../adapters/hooks/messages.ts";
import type { ProfileName } from "../../adapters/hooks/profiles.ts";
import { SessionChanges } from "../../adapters/hooks/session-changes.ts";
import { noUI } from "../../adapters/hooks/ui.ts";
import { custom, type LooseFactory, on, profileNames, runnerOf, text } from "../adapters/hooks/modules.ts";
import { blockWith, codeBlocks, factoryOf } from "./code-blocks.ts";
import { withSeeds } from "./seed-text.ts";

/*
 * The examples of the seeds, byte for byte, in the agent loop. Commands that a guard must refuse are data here: the tool
 * that would run them notes its arguments and nothing else.
 */

/** A command of the kind that the seeds' guards refuse, as words. */
const refused = ["rm", "-rf", "/"].join(" ");

interface Work {
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly result?: string;
  readonly modules?: readonly LooseFactory[];
  readonly ports?: HostPorts;
  readonly more?: Partial<AgentLoopPorts>;
}

/** One run in which the model calls one tool: what ran, what the model was sent, and what modules got wrong. */
async function worked(profile: ProfileName, factory: HookFactory, work: Work) {
  const given: unknown[] = [];
  const requests: ModelRequest[] = [];
  const modules = [factory as unknown as LooseFactory, ...(work.modules ?? [])];
  const { runner, errors } = runnerOf(profile, modules, work.ports === undefined ? {} : { ports: work.ports });
  const calls: AssistantMessage = {
    role: "assistant",
    content: [{ type: "toolCall", id: "c1", name: work.tool, arguments: work.args ?? {} }],
  };
  const loop = new AgentLoop(runner, {
    tools: [
      {
        name: work.tool,
        execute: async (_id, args) => {
          given.push(args);
          return { content: [text(work.result ?? "done")] };
        },
      },
    ],
    systemPrompt: () => (profile === "omp" ? ["base"] : "base"),
    model: async (request) => {
      requests.push(request);
      return requests.length === 1 ? calls : { role: "assistant", content: [text("done")] };
    },
    ...work.more,
  });
  const outcome = await loop.submit("go");
  const last = requests.at(-1)?.messages.find((message) => message.role === "toolResult");
  return { loop, runner, errors, given, requests, outcome, result: last };
}

const answering = (answer: boolean) => ({ ui: { ...noUI, confirm: async () => answer }, hasUI: true });
const omps = ["omp-hookapi", "omp"] as const;

for (const profile of omps)
  withSeeds(`examples of omp-hooks, byte for byte, profile ${profile}`, () => {
    it("the first hook blocks what the policy names", async () => {
      const hook = await factoryOf(blockWith("omp-hooks", "blocked by policy"));
      const { given, result } = await worked(profile, hook, { tool: "bash", args: { command: refused } });
      expect([given, result]).toMatchObject([[], { isError: true, content: [text("blocked by policy")] }]);
      const other = await worked(profile, hook, { tool: "bash", args: { command: "ls" } });
      expect(other.given).toEqual([{ command: "ls" }]);
    });

    it("block unsafe bash commands: without a screen, denied, and allowed by the human", async () => {
      const guard = await factoryOf(blockWith("omp-hooks", "user denied command"));
      const bash = { tool: "bash", args: { command: refused } };
      const headless = await worked(profile, guard, bash);
      expect([headless.given, headless.result]).toMatchObject([[], { content: [text("rm -rf blocked (no UI)")] }]);
      const denied = await worked(profile, guard, { ...bash, ports: answering(false) });
      expect([denied.given, denied.result]).toMatchObject([[], { content: [text("user denied command")] }]);
      const allowed = await worked(profile, guard, { ...bash, ports: answering(true) });
      expect(allowed.given).toEqual([{ command: refused }]);
    });

    it("redact tool output: the model gets the redacted text of `read`, and that of others as it is", async () => {
      const redactor = await factoryOf(blockWith("omp-hooks", "API_KEY=[REDACTED]"));
      const shown = "a API_KEY=abc b";
      const read = await worked(profile, redactor, { tool: "read", result: shown });
      expect(read.result).toMatchObject({ content: [text("a API_KEY=[REDACTED] b")] });
      const grep = await worked(profile, redactor, { tool: "grep", result: shown });
      expect(grep.result).toMatchObject({ content: [text(shown)] });
    });

    it("modify the context: a debug message is in the session and in no request", async () => {
      const filter = await factoryOf(blockWith("omp-hooks", "debug-only"));
      const debug = on("before_agent_start", () => ({ message: custom("for people", "debug-only") }));
      const { requests, loop } = await worked(profile, filter, { tool: "read", modules: [debug] });
      expect(JSON.stringify(requests.map((request) => request.messages))).not.toContain("for people");
      expect(JSON.stringify(loop.history)).toContain("for people");
    });

    it("the slash command waits, then begins a session whose first message it gives", async () => {
      const handoff = await factoryOf(blockWith("omp-hooks", "handoff"));
      const done: unknown[] = [];
      const ports: HostPorts = {
        sessionManager: { getBranch: () => [], getEntries: () => [], getSessionFile: () => "/s.jsonl" },
        waitForIdle: async () => void done.push("idle"),
        newSession: async (options) => {
          done.push(options?.parentSession);
          const session = { getBranch: () => [], getEntries: () => [], getSessionFile: () => undefined };
          await options?.setup?.({
            ...session,
            appendMessage: (message) => void done.push([message.role, message.content]),
          });
          return { cancelled: false };
        },
      };
      const { loop } = await worked(profile, handoff, { tool: "read", ports });
      expect(await loop.submit("/handoff")).toEqual({ ran: false, by: "command" });
      expect(done).toEqual(["idle", "/s.jsonl", ["user", [text("Continue from prior session summary.")]]]);
    });
  });

for (const profile of omps)
  withSeeds(`examples of omp-authoring-hooks, byte for byte, profile ${profile}`, () => {
    it("the guard blocks with its reason, and lets the human allow where there is a screen", async () => {
      const guard = await factoryOf(blockWith("omp-authoring-hooks", "rmRfBlocker"));
      const bash = { tool: "bash", args: { command: refused } };
      for (const ports of [undefined, answering(false)]) {
        const { given, result } = await worked(profile, guard, { ...bash, ...(ports === undefined ? {} : { ports }) });
        expect([given, result]).toMatchObject([[], { content: [text("rm -rf / blocked by safety policy")] }]);
      }
      expect((await worked(profile, guard, { ...bash, ports: answering(true) })).given).toEqual([{ command: refused }]);
    });

    const key = `sk-${"a1".repeat(12)}`;

    it("the redactor replaces keys in what the model gets", async () => {
      const redactor = await factoryOf(blockWith("omp-authoring-hooks", "apiKeyRedactor"));
      const { result } = await worked(profile, redactor, { tool: "bash", result: `key ${key} end` });
      expect(result).toMatchObject({ content: [text("key [REDACTED] end")] });
    });

    it("the redactor answers only when something changed", async () => {
      const redactor = await factoryOf(blockWith("omp-authoring-hooks", "apiKeyRedactor"));
      const { runner } = runnerOf(profile, [redactor as unknown as LooseFactory]);
      const event = { type: "tool_result", toolCallId: "c", toolName: "read", input: {}, details: undefined } as const;
      const answer = (said: string, isError = false) =>
        runner.emitToolResult({ ...event, content: [text(said)], isError });
      expect([await answer("nothing"), await answer(key, true)]).toEqual([undefined, undefined]);
      expect(await answer(key)).toMatchObject({ content: [text("[REDACTED]")] });
    });

    it("the context filter shortens long results of role `tool`; those of the loop have the role of real hosts, and stay", async () => {
      const filter = await factoryOf(blockWith("omp-authoring-hooks", "contextFilter"));
      const long = "x".repeat(9_000);
      const { runner } = runnerOf(profile, [filter as unknown as LooseFactory]);
      const message = { toolCallId: "c", toolName: "read", content: [text(long)], isError: false };
      const lengths = async (role: "tool" | "toolResult") => {
        const given: AgentMessage[] = [{ role, ...message }];
        const [sent] = (await runner.emitContext(given)) ?? given;
        return (sent as typeof message).content[0]?.text.length;
      };
      const cut = 8_000 + "\n[... truncated by context-filter hook]".length;
      expect([await lengths("tool"), await lengths("toolResult")]).toEqual([cut, 9_000]);
      const { result } = await worked(profile, filter, { tool: "read", result: long });
      expect(result).toMatchObject({ role: "toolResult", content: [text(long)] });
    });

    it("the three contracts: a block, an override, a filter", async () => {
      const contracts = await Promise.all(
        ["Refusing to delete", "REDACTED_API_KEY", "debug-only"].map(async (part) =>
          factoryOf(blockWith("omp-authoring-hooks", 'omp.on("', part)),
        ),
      );
      const all: HookFactory = (api) => {
        for (const contract of contracts) void contract(api);
      };
      const blocked = await worked(profile, all, { tool: "bash", args: { command: refused } });
      expect(blocked.result).toMatchObject({ content: [text("Refusing to delete root filesystem")] });
      const debug = on("before_agent_start", () => ({ message: custom("for people", "debug-only") }));
      const read = await worked(profile, all, { tool: "read", result: key, modules: [debug] });
      expect(read.result).toMatchObject({ content: [text("[REDACTED_API_KEY]")] });
      expect(JSON.stringify(read.requests.at(-1)?.messages)).not.toContain("for people");
    });
  });

/** What the seed leaves to the reader. */
const before = `
  const newImages = [{ type: "image", data: "AA==", mimeType: "image/png" }];
  const isIrrelevant = (m) => m.role === "custom" && m.customType === "note";
  const syntheticMessage = { role: "user", content: "synthetic" };
  const sshExec = async (remote, command) => remote + ": " + command;
  const remote = "there";
  const join = (...parts) => parts.join("/");
  const __dirname = "/module";
  let myState;
`;
const block = async (name: string) =>
  factoryOf(blockWith("pi-hook-reference", `pi.on("${name}"`, name === "tool_call" ? "read-only" : ""), before);

withSeeds("examples of pi-hook-reference, byte for byte, profile pi", () => {
  it.each([
    ["input", "an answer that passes the text", (seen: Awaited<ReturnType<typeof worked>>) => seen.outcome.ran, true],
    [
      "before_agent_start",
      "a message and a longer system prompt",
      (seen: Awaited<ReturnType<typeof worked>>) => [
        seen.requests[0]?.systemPrompt,
        seen.requests[0]?.messages.map((message) => [message.role, (message as { content: unknown }).content]),
      ],
      [
        "base\nNew instructions",
        [
          ["user", "go"],
          ["user", "Text the LLM sees"],
        ],
      ],
    ],
    [
      "tool_call",
      "a blocked call",
      (seen: Awaited<ReturnType<typeof worked>>) => [seen.given, (seen.result as { content: unknown }).content],
      [[], [text("Not allowed in read-only mode")]],
    ],
    [
      "tool_result",
      "a line more",
      (seen: Awaited<ReturnType<typeof worked>>) => (seen.result as { content: unknown }).content,
      [text("done"), text("\n\nAudit: logged")],
    ],
  ])("%s gives %s", async (name, _what, of, expected) => {
    const seen = await worked("pi", await block(name), { tool: "read", args: { path: "a" } });
    expect([of(seen), seen.errors]).toEqual([expected, []]);
  });

  it("context takes out what is irrelevant", async () => {
    const note = on("before_agent_start", () => ({ message: custom("noise") }));
    const { requests } = await worked("pi", await block("context"), { tool: "read", modules: [note] });
    expect(JSON.stringify(requests.map((request) => request.messages))).not.toContain("noise");
  });

  it("user_bash runs the command where the module says", async () => {
    const { loop } = await worked("pi", await block("user_bash"), { tool: "read" });
    expect(await loop.submit("!uptime")).toMatchObject({ by: "bash", message: { output: "there: uptime" } });
  });
});

withSeeds("sessions and all blocks of pi-hook-reference, profile pi", () => {
  it("sessions: cancelled, or with the module's summary; resources are found", async () => {
    const session = async (name: string) =>
      new SessionChanges(runnerOf("pi", [(await block(name)) as unknown as LooseFactory]).runner);
    const { signal } = new AbortController();
    const work = () => {
      throw new Error("the host must not be asked");
    };
    const preparation = { firstKeptEntryId: "e", tokensBefore: 1 };
    const compact = { preparation, branchEntries: [], messages: [], signal };
    const cancelled = { cancelled: true };
    expect(await (await session("session_before_switch")).switch({ reason: "new" }, work)).toEqual(cancelled);
    expect(await (await session("session_before_fork")).fork("e", work)).toEqual(cancelled);
    expect(await (await session("session_before_compact")).compact(compact, work)).toEqual(cancelled);
    expect(await (await session("session_before_tree")).tree({ preparation: {}, signal }, work)).toEqual(cancelled);
    const found: unknown[] = [];
    await (await session("resources_discover")).start("startup", "/repo", (paths) => void found.push(paths));
    expect(found).toEqual([
      {
        skillPaths: ["/module/skills/SKILL.md"],
        promptPaths: ["/module/prompts/my-template.md"],
        themePaths: ["/module/themes/dark.json"],
      },
    ]);
  });

  it("every block that is no import registers its handlers, and all of them together stand one run", async () => {
    const blocks = codeBlocks("pi-hook-reference").filter((code) => !code.startsWith("import"));
    const all = await Promise.all(blocks.map((code) => factoryOf(code, before)));
    expect(all).toHaveLength(20);
    const together: HookFactory = (api) => {
      for (const one of all) void one(api);
    };
    const { errors, outcome } = await worked("pi", together, { tool: "read" });
    expect([errors, outcome.ran]).toEqual([[], true]);
  });
});

for (const profile of profileNames)
  withSeeds(`a reader of the seeds, profile ${profile}`, () => {
    it("finds each module of the omp seeds to be a factory that registers something", async () => {
      const modules = (["omp-hooks", "omp-authoring-hooks"] as const).flatMap((seed) =>
        codeBlocks(seed).map((code) => factoryOf(code)),
      );
      for (const module of await Promise.all(modules)) {
        const { runner } = runnerOf(profile, [module as unknown as LooseFactory]);
        const any = ["tool_call", "tool_result", "context"].some((name) => runner.hasHandlers(name));
        expect(any || runner.getRegisteredCommands().length > 0).toBe(true);
      }
      expect(modules).toHaveLength(13);
    });
  });
