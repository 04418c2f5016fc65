import { basename, dirname } from "node:path";
import { expect } from "vitest";
import type { ProfileName } from "../../adapters/hooks/profiles.ts";
import type { HookRunner } from "../../adapters/hooks/runner.ts";
import { HookToolWrapper } from "../../adapters/hooks/tool-wrapper.ts";
import { noUI } from "../../adapters/hooks/ui.ts";
import type { SeedBlock } from "./seed-text.ts";

/** What a block of a seed does when its module runs. */
export interface BlockRun {
  /** Names that the seed leaves to its reader. */
  readonly given?: string;
  /** Emits what the block handles, and expects what the seed says of it. `folder` is where the module stands. */
  readonly run: (runner: HookRunner, folder: string) => Promise<void>;
}

/** The profiles by whose rules a seed's blocks run. */
export const profilesOf: Readonly<Partial<Record<SeedBlock["seed"], readonly ProfileName[]>>> = {
  "omp-hooks": ["omp-hookapi", "omp"],
  "omp-authoring-hooks": ["omp-hookapi", "omp"],
  "pi-hook-reference": ["pi"],
};

/**
 * A block as a module. One that is a whole module is taken as it is. Of a snippet not a byte is changed either: it stands
 * between a collector of its registrations and a factory that hands them on.
 */
export function moduleText({ text }: SeedBlock, given = ""): string {
  if (text.includes("export default")) return text;
  const collector =
    "const registered = [];\nconst pi = { on: (...one) => void registered.push(one) };\nconst omp = pi;\n";
  const factory = "\nexport default (api) => { for (const [event, handler] of registered) api.on(event, handler); };\n";
  return `${given}\n${collector}${text}${factory}`;
}

const text = (value: string) => ({ type: "text" as const, text: value });

/** Judged as text by the modules; no tool of these tests runs a command. */
const destructive = ["rm", "-rf", "/"].join(" ");

const bash = (command: string) => ({
  type: "tool_call" as const,
  toolCallId: "c1",
  toolName: "bash",
  input: { command },
});

const blocked = async (runner: HookRunner, command: string) => {
  const { block, reason } = await runner.emitToolCall(bash(command));
  return block ? (reason ?? "") : undefined;
};

/** Without a human, with one who refuses and with one who agrees. */
const asked = async (runner: HookRunner, command: string) => {
  const answers = [await blocked(runner, command)];
  for (const answer of [false, true]) {
    runner.initialize({ ui: { ...noUI, confirm: async () => answer } });
    answers.push(await blocked(runner, command));
  }
  return answers;
};

/** What a tool's result becomes on its way to the model. */
const shown = async (runner: HookRunner, toolName: string, value: string) => {
  const tool = { name: toolName, execute: async () => ({ content: [text(value)] }) };
  const { content } = await new HookToolWrapper(tool, runner).execute("c1", {});
  return content.map((part) => (part.type === "text" ? part.text : part.type)).join();
};

const key = `sk-${"a1".repeat(12)}`;
const user = { role: "user" as const, content: "hello" };
const assistant = { role: "assistant" as const, content: [text("hello")] };
const debug = { role: "custom" as const, customType: "debug-only", content: "x", display: true };
const signal = new AbortController().signal;
const call = { toolCallId: "c1", toolName: "read" };

const filtersDebug: BlockRun = {
  run: async (runner) => expect(await runner.emitContext([user, debug])).toEqual([user]),
};

const registersOnly: BlockRun = {
  run: async (runner) => {
    expect(runner.hasHandlers("tool_call")).toBe(true);
    expect(await blocked(runner, destructive)).toBeUndefined();
  },
};

const cancels = (event: { type: string }): BlockRun => ({
  run: async (runner) => expect(await runner.emit(event as never)).toMatchObject({ cancel: true }),
});

/** Blocks that only look on: each of these events reaches them, and none is reported as a fault. */
const looksOn = (...events: { type: string }[]): BlockRun => ({
  run: async (runner) => {
    for (const event of events) {
      expect(runner.hasHandlers(event.type)).toBe(true);
      expect(await runner.emit(event as never)).toBeUndefined();
    }
  },
});

const ompHooks: Readonly<Record<string, BlockRun>> = {
  "omp-hooks 1": {
    run: async (runner) => {
      expect(await blocked(runner, destructive)).toBe("blocked by policy");
      expect(await blocked(runner, "ls")).toBeUndefined();
    },
  },
  "omp-hooks 3": {
    run: async (runner) => {
      const answers = ["rm -rf blocked (no UI)", "user denied command", undefined];
      expect(await asked(runner, destructive)).toEqual(answers);
      expect(await blocked(runner, "ls")).toBeUndefined();
    },
  },
  "omp-hooks 4": {
    run: async (runner) => {
      expect(await shown(runner, "read", "API_KEY=abc and more")).toBe("API_KEY=[REDACTED] and more");
      expect(await shown(runner, "grep", "API_KEY=abc")).toBe("API_KEY=abc");
    },
  },
  "omp-hooks 5": filtersDebug,
  "omp-hooks 6": {
    run: async (runner) => {
      const seen: unknown[] = [];
      const sessionManager = { getBranch: () => [], getEntries: () => [], getSessionFile: () => "/sessions/1.jsonl" };
      runner.initialize({
        sessionManager,
        waitForIdle: async () => void seen.push("idle"),
        newSession: async (options) => {
          seen.push(options?.parentSession);
          await options?.setup?.({ ...sessionManager, appendMessage: ({ role }) => void seen.push(role) });
          return { cancelled: false };
        },
      });
      expect(await runner.runCommand("handoff", "")).toBe(true);
      expect(seen).toEqual(["idle", "/sessions/1.jsonl", "user"]);
    },
  },
};

const ompAuthoring: Readonly<Record<string, BlockRun>> = {
  "omp-authoring-hooks 1": registersOnly,
  "omp-authoring-hooks 2": registersOnly,
  "omp-authoring-hooks 3": {
    run: async (runner) => {
      expect(await blocked(runner, destructive)).toBe("Refusing to delete root filesystem");
      expect(await blocked(runner, "ls")).toBeUndefined();
    },
  },
  "omp-authoring-hooks 4": {
    run: async (runner) => expect(await shown(runner, "read", `the key ${key}.`)).toBe("the key [REDACTED_API_KEY]."),
  },
  "omp-authoring-hooks 5": filtersDebug,
  "omp-authoring-hooks 6": {
    run: async (runner) => {
      const refused = "rm -rf / blocked by safety policy";
      expect(await asked(runner, destructive)).toEqual([refused, refused, undefined]);
    },
  },
  "omp-authoring-hooks 7": {
    run: async (runner) => {
      expect(await shown(runner, "bash", `the key ${key}.`)).toBe("the key [REDACTED].");
      const event = { type: "tool_result" as const, ...call, input: {}, details: undefined, isError: false };
      expect(await runner.emitToolResult({ ...event, content: [text("nothing")] })).toBeUndefined();
    },
  },
  "omp-authoring-hooks 8": {
    run: async (runner) => {
      const long = { role: "tool", toolCallId: "c1", content: [text("x".repeat(9_000)), text("short")] };
      const sent = await runner.emitContext([user, long as never]);
      const cut = `${"x".repeat(8_000)}\n[... truncated by context-filter hook]`;
      expect(sent).toEqual([user, { ...long, content: [text(cut), text("short")] }]);
    },
  },
};

const piAgent: Readonly<Record<string, BlockRun>> = {
  "pi-hook-reference 1": {
    given: "const newImages = [];",
    run: async (runner) => {
      const event = { type: "input" as const, text: "hello", source: "interactive" as const };
      expect(await runner.emitInput(event)).toEqual({ action: "continue", text: "hello" });
    },
  },
  "pi-hook-reference 2": {
    run: async (runner) => {
      const event = { type: "before_agent_start" as const, prompt: "go", systemPrompt: "base" };
      expect(await runner.emitBeforeAgentStart(event)).toEqual({
        messages: [
          { customType: "my-extension", content: "Text the LLM sees", display: true, details: { any: "data" } },
        ],
        systemPrompt: "base\nNew instructions",
      });
    },
  },
  "pi-hook-reference 3": looksOn({ type: "agent_start" }),
  "pi-hook-reference 4": looksOn({ type: "agent_end", messages: [user] } as never),
  "pi-hook-reference 5": looksOn({ type: "turn_start", turnIndex: 0, timestamp: 1 } as never),
  "pi-hook-reference 6": {
    given: "const isIrrelevant = (message) => message.role === 'custom';\nconst syntheticMessage = undefined;",
    run: filtersDebug.run,
  },
  "pi-hook-reference 7": looksOn({ type: "turn_end", turnIndex: 0, message: assistant, toolResults: [] } as never),
  "pi-hook-reference 8": looksOn(
    { type: "message_start", message: assistant } as never,
    { type: "message_update", message: assistant, assistantMessageEvent: {} } as never,
    { type: "message_end", message: assistant } as never,
  ),
  "pi-hook-reference 9": {
    run: async (runner) => expect(await blocked(runner, "ls")).toBe("Not allowed in read-only mode"),
  },
  "pi-hook-reference 10": {
    run: async (runner) => {
      for (const toolName of ["bash", "write", "my_tool", "read"])
        expect((await runner.emitToolCall({ ...bash("ls"), toolName })).block).toBe(false);
    },
  },
  "pi-hook-reference 11": looksOn(
    { type: "tool_execution_start", ...call, args: {} } as never,
    { type: "tool_execution_update", ...call, args: {}, partialResult: {} } as never,
    { type: "tool_execution_end", ...call, result: {}, isError: false } as never,
  ),
  "pi-hook-reference 12": {
    run: async (runner) => {
      const event = { type: "tool_result" as const, ...call, input: {}, details: undefined, isError: true };
      expect(await runner.emitToolResult({ ...event, content: [text("failed")] })).toMatchObject({
        content: [text("failed"), text("\n\nAudit: logged")],
        isError: false,
      });
    },
  },
};

const piSession: Readonly<Record<string, BlockRun>> = {
  "pi-hook-reference 13": {
    run: async (runner) => {
      const branch = [
        { type: "custom", customType: "other", data: 1 },
        { type: "custom", customType: "my-state", data: { restored: true } },
      ];
      const sessionManager = { getBranch: () => branch, getEntries: () => branch, getSessionFile: () => undefined };
      runner.initialize({ sessionManager });
      // The seed leaves its variable to the reader's module; here it is one of the program.
      const program = globalThis as { myState?: unknown };
      program.myState = undefined;
      try {
        await runner.emit({ type: "session_start", reason: "startup" });
        expect(program.myState).toEqual({ restored: true });
      } finally {
        delete program.myState;
      }
    },
  },
  "pi-hook-reference 14": cancels({ type: "session_before_switch", reason: "new" } as never),
  "pi-hook-reference 15": cancels({ type: "session_before_fork", entryId: "e" } as never),
  "pi-hook-reference 16": cancels({
    type: "session_before_compact",
    preparation: { firstKeptEntryId: "e", tokensBefore: 1 },
    branchEntries: [],
    signal,
  } as never),
  "pi-hook-reference 17": cancels({ type: "session_before_tree", preparation: {}, signal } as never),
  "pi-hook-reference 18": looksOn({ type: "session_shutdown" }),
  "pi-hook-reference 19": looksOn({ type: "model_select", model: "m", source: "set" } as never),
  "pi-hook-reference 20": {
    given: `import { join } from "node:path";`,
    run: async (runner, folder) => {
      const found = await runner.emit({ type: "resources_discover", cwd: "/repo", reason: "startup" });
      const files = { skillPaths: "SKILL.md", promptPaths: "my-template.md", themePaths: "dark.json" } as const;
      for (const [paths, name] of Object.entries(files)) {
        const [path = ""] = found?.[paths as keyof typeof files] ?? [];
        expect([basename(path), dirname(dirname(path))]).toEqual([name, folder]);
      }
    },
  },
  "pi-hook-reference 21": {
    given: `const remote = "host";\nconst sshExec = (where, command) => [where, command];`,
    run: async (runner) => {
      const event = { type: "user_bash" as const, command: "ls", excludeFromContext: false, cwd: "/repo" };
      const operations = (await runner.emitUserBash(event)).operations as unknown as { execute(cmd: string): unknown };
      expect(operations.execute("ls")).toEqual(["host", "ls"]);
    },
  },
};

/** Every TypeScript block of the three seeds of hook modules, by its id. */
export const blockRuns: Readonly<Record<string, BlockRun>> = { ...ompHooks, ...ompAuthoring, ...piAgent, ...piSession };
