import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadHooks } from "../../../adapters/hooks/loader.ts";
import { hostName, type ProfileName, profiles } from "../../../adapters/hooks/profiles.ts";
import type { AgentToolResult } from "../../../adapters/hooks/tool-wrapper.ts";
import { HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import {
  custom,
  type LooseApi,
  type LooseFactory,
  moduleOf,
  on,
  profileNames,
  type result,
  runnerOf,
  text,
} from "./modules.ts";

type Scenario = (profile: ProfileName) => unknown;

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

const scenarios: Record<string, Scenario> = {
  "A returns content `raw+A`; B adds `+B` to the content it is given and returns it: the final text": async (
    profile,
  ) => {
    const add = (suffix: string) =>
      on("tool_result", (event: ResultEvent) => ({ content: [text(`${event.content[0]?.text}${suffix}`)] }));
    return textOf((await wrapped(profile, [add("+A"), add("+B")], fine)).result);
  },
  "A returns content `A`, B returns details `B`: the final text and details": async (profile) => {
    const modules = [on("tool_result", () => ({ content: [text("A")] })), on("tool_result", () => ({ details: "B" }))];
    const { result: final } = await wrapped(profile, modules, fine);
    return [textOf(final), final?.details];
  },
  "A pushes a part into `event.content` and returns nothing: the number of parts that B is given": async (profile) => {
    let parts = 0;
    const push = on("tool_result", (event: ResultEvent) => void event.content.push(text("more")));
    const count = on("tool_result", (event: ResultEvent) => {
      parts = event.content.length;
    });
    await wrapped(profile, [push, count], fine);
    return parts;
  },
  "a handler returns `isError: true` for a result that is fine: the wrapper's error state": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => ({ isError: true }))], fine)).result?.isError ?? false,
  "a handler returns `isError: false` for a failed tool: how the call ends": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => ({ isError: false }))], fails)).error === undefined
      ? "result"
      : "thrown",
  "the tool fails and a handler returns content `replaced`: what the model gets": async (profile) => {
    const ended = await wrapped(profile, [on("tool_result", () => ({ content: [text("replaced")] }))], fails);
    return ended.error instanceof Error ? ended.error.message : textOf(ended.result);
  },
  "the tool fails and no handler returns anything: is the thrown error the tool's own": async (profile) =>
    (await wrapped(profile, [on("tool_result", () => undefined)], fails)).error === broken,
  'a handler returns structured content `{"a":1}`: the final structured content': async (profile) =>
    (await wrapped(profile, [on("tool_result", () => ({ structuredContent: { a: 1 } }))], fine)).result
      ?.structuredContent ?? null,
  'a handler writes `event.input.path = "b"`: the path that the tool reads': async (profile) => {
    const write = on("tool_call", (event: { input: Record<string, unknown> }) => {
      event.input["path"] = "b";
    });
    return readPath(await wrapped(profile, [write], fine));
  },
  'a handler returns `input: { path: "c" }`: the path that the tool reads': async (profile) => {
    const seen = readPath(await wrapped(profile, [on("tool_call", () => ({ input: { path: "c" } }))], fine));
    return seen === "c" ? "c" : `c is not read: ${String(seen)}`;
  },
  'A returns `input: { path: "c" }`, B returns `input: { path: "d" }`: the path that the tool reads': async (
    profile,
  ) => {
    const modules = ["c", "d"].map((path) => on("tool_call", () => ({ input: { path } })));
    return readPath(await wrapped(profile, modules, fine));
  },
  "milliseconds after which a hanging `tool_call` handler blocks": (profile) =>
    runnerOf(profile, []).runner.chain.toolCallTimeout ?? null,
  "an async factory: loaded, or refused": (profile) => loaded(profile, async () => {}),
  "a plain function that returns a promise: loaded, or refused": (profile) => loaded(profile, () => Promise.resolve()),
  "`on()` after the factory returned: accepted, or refused": (profile) => {
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
  "`on()` for `input`, `user_bash`, `user_python`, `tool_execution_start`: how many are accepted": (profile) =>
    ["input", "user_bash", "user_python", "tool_execution_start"].filter((event) => accepted(profile, event)).length,
  "`on()` for an event that no seed names: accepted, or refused": (profile) =>
    accepted(profile, "goal_updated") ? "accepted" : "refused",
  "A and B both return a message from `before_agent_start`: the messages that are injected": async (profile) => {
    const modules = ["A", "B"].map((content) => on("before_agent_start", () => ({ message: custom(content) })));
    return (await prompted(profile, modules)).messages.map((message) => message.content);
  },
  "A returns the system prompt it is given with `+A`, B with `+B`; the base is `base`: the prompt of the run": async (
    profile,
  ) => (await prompted(profile, [plus("+A"), plus("+B")])).systemPrompt ?? null,
  "a handler returns the system prompt `text`: the prompt of the run": async (profile) =>
    (await prompted(profile, [on("before_agent_start", () => ({ systemPrompt: "text" }))])).systemPrompt ?? null,
  "a `context` handler removes all messages in place and returns nothing: the messages left of two": async (
    profile,
  ) => {
    const { runner } = runnerOf(profile, [
      on("context", (event: { messages: unknown[] }) => void event.messages.splice(0)),
    ]);
    const messages = ["a", "b"].map((content) => ({ role: "user" as const, content }));
    return ((await runner.emitContext(messages)) ?? messages).length;
  },
  'a handler of `input` returns `{ action: "handled" }`: what becomes of the text': async (profile) =>
    (await typed(profile, { action: "handled" })).action,
  "a handler of `input` returns `{ handled: true }`: what becomes of the text": async (profile) =>
    (await typed(profile, { handled: true })).action,
  'a handler of `input` returns `{ action: "transform", text: "new" }`: the text that goes on': async (profile) =>
    (await typed(profile, { action: "transform", text: "new" })).text,
  'a handler of `input` returns `{ text: "new" }`: the text that goes on': async (profile) =>
    (await typed(profile, { text: "new" })).text,
  "the host's own names of `session_before_fork`, `session_fork` and `session_compacting`": (profile) =>
    ["session_before_fork", "session_fork", "session_compacting"].map((event) => hostName(profiles[profile], event)),
};

interface TableRow {
  readonly field: string;
  readonly behaviour: string;
  readonly expected: Record<ProfileName, unknown>;
}

function rowsOf(markdown: string): TableRow[] {
  const lines = markdown.split("\n").filter((line) => line.startsWith("| "));
  const cells = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [head, ...body] = cells;
  expect(head).toEqual(["field", "behaviour", "pi", "omp-hookapi", "omp"]);
  return body.map(([field = "", behaviour = "", ...values]) => {
    const [pi, ompHookApi, omp] = values.map((value) => JSON.parse(value.slice(1, -1)) as unknown);
    return { field: field.slice(1, -1), behaviour, expected: { pi, "omp-hookapi": ompHookApi, omp } };
  });
}

const rows = rowsOf(readFileSync(new URL("../../spec/profiles.md", import.meta.url), "utf8"));

describe("test/spec/profiles.md (semantics section 3, Shared runner)", () => {
  it("has a scenario for every row and a row for every scenario", () => {
    expect(rows.map((row) => row.behaviour).sort()).toEqual(Object.keys(scenarios).sort());
  });

  it("has a row for every field of the profile data, and no others", () => {
    const fields = Object.keys(profiles.pi).filter((field) => field !== "name");
    expect([...new Set(rows.map((row) => row.field))].sort()).toEqual(fields.sort());
  });

  for (const { field, behaviour, expected } of rows) {
    for (const profile of profileNames) {
      it(`${field}, ${profile}: ${behaviour}`, async () => {
        const observed = await scenarios[behaviour]?.(profile);
        expect(observed).toEqual(expected[profile]);
      });
    }
  }
});
