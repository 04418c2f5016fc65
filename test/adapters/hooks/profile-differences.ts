import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { discoverHooks, hookProviders } from "../../../adapters/hooks/discovery.ts";
import { loadHooks } from "../../../adapters/hooks/loader.ts";
import { hostName, type ProfileName, profiles } from "../../../adapters/hooks/profiles.ts";
import { SessionChanges } from "../../../adapters/hooks/session-changes.ts";
import type { AgentToolResult } from "../../../adapters/hooks/tool-wrapper.ts";
import { HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import { custom, type LooseApi, type LooseFactory, moduleOf, on, type result, runnerOf, text } from "./modules.ts";

/** One row of `test/spec/profiles.md`: what is observed on a profile, as JSON can say it. */
export type Scenario = (profile: ProfileName) => unknown;

/** How a wrapped call ended: the result, or the error. `seen` is the path the tool was given. */
interface Ended {
  readonly result?: AgentToolResult;
  readonly error?: unknown;
  readonly seen?: unknown;
}

async function wrapped(profile: ProfileName, factories: LooseFactory[], run: () => AgentToolResult): Promise<Ended> {
  const { runner } = runnerOf(profile, factories);
  let seen: unknown;
  const tool = new HookToolWrapper(
    {
      name: "read",
      execute: async (_id, params) => {
        seen = params["path"];
        return run();
      },
    },
    runner,
  );
  try {
    return { result: await tool.execute("c1", { path: "a" }), seen };
  } catch (error) {
    return { error, seen };
  }
}

const fine = (): AgentToolResult => ({ content: [text("raw")], details: undefined });
const broken = new Error("broken");
const fails = (): AgentToolResult => {
  throw broken;
};
const textOf = (given: AgentToolResult | undefined) =>
  given?.content.map((part) => (part.type === "text" ? part.text : "")).join("");

type ResultEvent = ReturnType<typeof result>;

async function loaded(profile: ProfileName, factory: unknown): Promise<string> {
  const importModule = async () => ({ default: factory });
  const { errors } = await loadHooks(["/hooks/a.js"], "/work", { profile, importModule });
  return errors.length === 0 ? "loaded" : "refused";
}

function accepted(profile: ProfileName, event: string): boolean {
  try {
    moduleOf(profile, (api) => void api.on(event, () => undefined), "/hooks/a.js");
    return true;
  } catch {
    return false;
  }
}

/** Registers where the profile lets it; a refused event has no handler. */
const quiet =
  (factory: LooseFactory): LooseFactory =>
  (api) => {
    try {
      factory(api);
    } catch {
      // Refused: the row says what follows from that.
    }
  };

async function typed(profile: ProfileName, answer: unknown) {
  const { runner } = runnerOf(profile, [quiet(on("input", () => answer))]);
  return runner.emitInput({ type: "input", text: "old", source: "interactive" });
}

const plus = (suffix: string) =>
  on("before_agent_start", (event: { systemPrompt?: string | string[] }) => {
    const prompt = event.systemPrompt;
    return { systemPrompt: Array.isArray(prompt) ? [...prompt, suffix] : `${prompt}${suffix}` };
  });

async function prompted(profile: ProfileName, factories: LooseFactory[]) {
  const { runner } = runnerOf(profile, factories);
  const base = profiles[profile].systemPrompt === "parts" ? ["base"] : "base";
  const outcome = await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go", systemPrompt: base });
  return outcome;
}

const readPath = (ended: Ended) => (ended.error === undefined ? ended.seen : "blocked");

/** What differs between the profiles, by the id of its row: the field of the profile data, then a word. */
export const differences: Record<string, Scenario> = {
  "toolResult.chain": async (profile) => {
    const add = (suffix: string) =>
      on("tool_result", (event: ResultEvent) => ({ content: [text(`${event.content[0]?.text}${suffix}`)] }));
    return textOf((await wrapped(profile, [add("+A"), add("+B")], fine)).result);
  },
  "toolResult.fields": async (profile) => {
    const modules = [on("tool_result", () => ({ content: [text("A")] })), on("tool_result", () => ({ details: "B" }))];
    const { result: final } = await wrapped(profile, modules, fine);
    return [textOf(final), final?.details];
  },
  "toolResult.in-place": async (profile) => {
    let parts = 0;
    const push = on("tool_result", (event: ResultEvent) => void event.content.push(text("more")));
    const count = on("tool_result", (event: ResultEvent) => {
      parts = event.content.length;
    });
    await wrapped(profile, [push, count], fine);
    return parts;
  },
  "isErrorApplied.fine": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => ({ isError: true }))], fine)).result?.isError ?? false,
  "isErrorApplied.failed": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => ({ isError: false }))], fails)).error === undefined
      ? "result"
      : "thrown",
  "failedTool.replaced": async (profile) => {
    const ended = await wrapped(profile, [on("tool_result", () => ({ content: [text("replaced")] }))], fails);
    return ended.error instanceof Error ? ended.error.message : textOf(ended.result);
  },
  "failedTool.own-error": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => undefined)], fails)).error === broken,
  "structuredContent.returned": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => ({ structuredContent: { a: 1 } }))], fine)).result
      ?.structuredContent ?? null,
  "input.written": async (profile) => {
    const write = on("tool_call", (event: { input: Record<string, unknown> }) => {
      event.input["path"] = "b";
    });
    return readPath(await wrapped(profile, [write], fine));
  },
  "returnedInput.one": async (profile) => {
    const seen = readPath(await wrapped(profile, [on("tool_call", () => ({ input: { path: "c" } }))], fine));
    return seen === "c" ? "c" : `c is not read: ${String(seen)}`;
  },
  "returnedInput.last": async (profile) => {
    const modules = ["c", "d"].map((path) => on("tool_call", () => ({ input: { path } })));
    return readPath(await wrapped(profile, modules, fine));
  },
  "toolCallTimeout.limit": (profile) => runnerOf(profile, []).runner.chain.toolCallTimeout ?? null,
  "factory.async": (profile) => loaded(profile, async () => {}),
  "factory.promise": (profile) => loaded(profile, () => Promise.resolve()),
  "lateOn.registers": (profile) => {
    let kept: LooseApi | undefined;
    const keep: LooseFactory = (api) => {
      kept = api;
    };
    moduleOf(profile, keep, "/hooks/a.js");
    try {
      kept?.on("tool_call", () => undefined);
      return "accepted";
    } catch {
      return "refused";
    }
  },
  "extensionEvents.known": (profile) =>
    ["input", "user_bash", "user_python", "tool_execution_start"].filter((event) => accepted(profile, event)).length,
  "extensionEvents.unknown": (profile) => (accepted(profile, "goal_updated") ? "accepted" : "refused"),
  "startMessages.both": async (profile) => {
    const modules = ["A", "B"].map((content) => on("before_agent_start", () => ({ message: custom(content) })));
    return (await prompted(profile, modules)).messages.map((message) => message.content);
  },
  "systemPrompt.chain": async (profile) => (await prompted(profile, [plus("+A"), plus("+B")])).systemPrompt ?? null,
  "systemPrompt.text": async (profile) =>
    (await prompted(profile, [on("before_agent_start", () => ({ systemPrompt: "text" }))])).systemPrompt ?? null,
  "contextInPlace.emptied": async (profile) => {
    const { runner } = runnerOf(profile, [
      on("context", (event: { messages: unknown[] }) => void event.messages.splice(0)),
    ]);
    const messages = ["a", "b"].map((content) => ({ role: "user" as const, content }));
    return ((await runner.emitContext(messages)) ?? messages).length;
  },
  "inputAnswer.action": async (profile) => (await typed(profile, { action: "handled" })).action,
  "inputAnswer.handled": async (profile) => (await typed(profile, { handled: true })).action,
  "inputAnswer.transform": async (profile) => (await typed(profile, { action: "transform", text: "new" })).text,
  "inputAnswer.text": async (profile) => (await typed(profile, { text: "new" })).text,
  "extensionEvents.methods": (profile) => {
    const names = ["sendUserMessage", "getActiveTools", "getAllTools", "setActiveTools"] as const;
    let served: string[] = [];
    const ports = {
      sendUserMessage: () => undefined,
      getActiveTools: () => [],
      getAllTools: () => [],
      setActiveTools: () => undefined,
    };
    const asks: LooseFactory = (api) =>
      void api.on("session_start", () => {
        served = names.filter((name) => {
          try {
            (api[name] as () => unknown)();
            return true;
          } catch {
            return false;
          }
        });
      });
    return runnerOf(profile, [asks], { ports })
      .runner.emit({ type: "session_start" })
      .then(() => served);
  },
  "sessionStartAfterChange.events": async (profile) => {
    const heard: string[] = [];
    const names = ["session_switch", hostName(profiles[profile], "session_fork"), "session_start"];
    const hears: LooseFactory = (api) => {
      for (const name of names) api.on(name, (event) => void heard.push(event.type));
    };
    const session = new SessionChanges(runnerOf(profile, [hears]).runner);
    await session.start("startup", "/work");
    await session.switch({ reason: "new" }, () => undefined);
    await session.fork("e", () => undefined);
    return heard;
  },
  "moduleFolders.order": (profile) => {
    const root = mkdtempSync(join(tmpdir(), "hookwarden-folders-"));
    try {
      const all = [".pi/extensions", ".pi/agent/extensions", ".omp/extensions", ".omp/agent/extensions"];
      const hooks = [".omp/hooks/pre", ".omp/agent/hooks/pre", ".claude/hooks/pre"];
      for (const [at, folder] of ["project", "home"]
        .flatMap((base) => [...all, ...hooks].map((f) => join(base, f)))
        .entries()) {
        mkdirSync(join(root, folder), { recursive: true });
        writeFileSync(join(root, folder, `m${at}.mjs`), "");
      }
      const found = discoverHooks(join(root, "project"), join(root, "home"), hookProviders[profile]);
      return found.map((hook) => dirname(relative(root, hook.path)));
    } finally {
      rmSync(root, { recursive: true });
    }
  },
  "names.own": (profile) =>
    ["session_before_fork", "session_fork", "session_compacting"].map((event) => hostName(profiles[profile], event)),
};
