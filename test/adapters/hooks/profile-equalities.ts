import { AgentLoop } from "../../../adapters/hooks/agent-loop.ts";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import type { ProfileName } from "../../../adapters/hooks/profiles.ts";
import { acceptsEvent, profiles } from "../../../adapters/hooks/profiles.ts";
import { HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import { call, custom, gate, type LooseFactory, moduleOf, on, result, runnerOf, text } from "./modules.ts";
import type { Scenario } from "./profile-differences.ts";

const user = (content: string): AgentMessage => ({ role: "user", content });
const start = { type: "before_agent_start" as const, prompt: "go", systemPrompt: "base" };
const compact = { type: "session_before_compact" as const, preparation: {}, branchEntries: [] };

/** Two modules for one event; the second notes that it ran. Answers whether it did. */
async function second(
  profile: ProfileName,
  event: string,
  answer: unknown,
  emit: (ran: ReturnType<typeof runnerOf>) => Promise<unknown>,
): Promise<string> {
  if (!acceptsEvent(profiles[profile], event)) return "no such event";
  let ran = "skipped";
  const notes = on(event, () => {
    ran = "runs";
  });
  await emit(runnerOf(profile, [on(event, () => answer), notes]));
  return ran;
}

const noted = (event: string, ran: string[], mark: string): LooseFactory => on(event, () => void ran.push(mark));
const boom = () => {
  throw new Error("boom");
};

/** A tool that fails or not, wrapped; answers the text of its result or error. */
async function wrapped(profile: ProfileName, modules: LooseFactory[], run: () => string): Promise<string> {
  const tool = { name: "read", execute: async () => ({ content: [text(run())] }) };
  const { runner } = runnerOf(profile, modules);
  return new HookToolWrapper(tool, runner).execute("c1", {}).then(
    (given) => given.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    (error: Error) => `error: ${error.message}`,
  );
}

/** A run over a model that calls a tool once, then answers; what it was sent, and what modules saw. */
async function ran(profile: ProfileName, modules: LooseFactory[], prompts = ["go"]) {
  const { runner } = runnerOf(profile, modules);
  const sent: AgentMessage[][] = [];
  const systemPrompts: unknown[] = [];
  let asked = 0;
  const loop = new AgentLoop(runner, {
    tools: [{ name: "read", execute: async () => ({ content: [text("raw")] }) }],
    systemPrompt: () => (profiles[profile].systemPrompt === "parts" ? ["base"] : "base"),
    builtIn: (given) => given === "/new",
    model: async ({ messages, systemPrompt }) => {
      sent.push([...messages]);
      systemPrompts.push([systemPrompt].flat().join());
      asked += 1;
      const toolCall = { type: "toolCall" as const, id: "c1", name: "read", arguments: {} };
      return { role: "assistant", content: asked % 2 === 1 ? [toolCall] : [text("done")] };
    },
  });
  const outcomes = [];
  for (const prompt of prompts) outcomes.push(await loop.submit(prompt));
  return { sent, systemPrompts, outcomes };
}

const contexts: Record<string, Scenario> = {
  "context.copy": async (profile) => {
    const original: AgentMessage[] = [{ role: "user", content: [text("x")] }];
    const writes = on(
      "context",
      (event: { messages: { content: unknown[] }[] }) => void event.messages[0]?.content.splice(0),
    );
    await runnerOf(profile, [writes]).runner.emitContext(original);
    return original;
  },
  "context.chain": async (profile) => {
    const add = (content: string) =>
      on("context", (event: { messages: AgentMessage[] }) => ({ messages: [...event.messages, user(content)] }));
    const sent = await runnerOf(profile, [add("A"), add("B")]).runner.emitContext([user("x")]);
    return sent?.map((message) => (message as { content: unknown }).content);
  },
  "context.undefined": async (profile) => {
    const modules = [on("context", () => ({ messages: [user("A")] })), on("context", () => undefined)];
    return (await runnerOf(profile, modules).runner.emitContext([user("x")]))?.length;
  },
  "context.unchanged": async (profile) => {
    const same = on("context", (event: { messages: AgentMessage[] }) => ({ messages: event.messages }));
    return (await runnerOf(profile, [same]).runner.emitContext([user("x")])) ?? "nothing";
  },
};

const tools: Record<string, Scenario> = {
  "tool_call.last": async (profile) => {
    const modules = ["A", "B"].map((reason) => on("tool_call", () => ({ reason })));
    return (await runnerOf(profile, [...modules, on("tool_call", () => undefined)]).runner.emitToolCall(call())).result
      ?.reason;
  },
  "tool_call.block-stops": (profile) =>
    second(profile, "tool_call", { block: true }, ({ runner }) => runner.emitToolCall(call())),
  "tool_call.block-is-error": async (profile) => {
    const { sent } = await ran(profile, [on("tool_call", () => ({ block: true, reason: "no" }))]);
    const last = sent[1]?.at(-1) as { isError: boolean; content: { text: string }[] };
    return [last.isError, last.content[0]?.text];
  },
  "tool_call.blocked-result": async (profile) => {
    const seen: string[] = [];
    await wrapped(profile, [on("tool_call", () => ({ block: true })), noted("tool_result", seen, "seen")], () => "raw");
    return seen.length;
  },
  "tool_call.throw": (profile) => wrapped(profile, [on("tool_call", boom)], () => "raw"),
  "tool_call.order": async (profile) => {
    const order: string[] = [];
    const twice: LooseFactory = (api) => {
      api.on("tool_call", () => void order.push("A1"));
      api.on("tool_call", () => void order.push("A2"));
    };
    await runnerOf(profile, [twice, noted("tool_call", order, "B")]).runner.emitToolCall(call());
    return order;
  },
  "tool_result.unchanged": async (profile) =>
    (await runnerOf(profile, [on("tool_result", () => undefined)]).runner.emitToolResult(result())) ?? "nothing",
  "tool_result.no-stop": (profile) =>
    second(profile, "tool_result", { content: [] }, ({ runner }) => runner.emitToolResult(result())),
  "tool_result.failed": async (profile) => {
    let seen: unknown;
    const sees = on("tool_result", (event: { isError: boolean; content: unknown }) => {
      seen = [event.isError, event.content];
    });
    const ended = await wrapped(profile, [sees], () => {
      throw new Error("broken");
    });
    return [seen, ended];
  },
};

const starts: Record<string, Scenario> = {
  "before_agent_start.once": async (profile) => {
    const prompts: string[] = [];
    await ran(
      profile,
      [on("before_agent_start", (event: { prompt: string }) => void prompts.push(event.prompt))],
      ["one", "two"],
    );
    return prompts;
  },
  "before_agent_start.reset": async (profile) => {
    let runs = 0;
    const once = on("before_agent_start", () => (runs++ === 0 ? { systemPrompt: "other" } : undefined));
    const { systemPrompts } = await ran(profile, [once], ["one", "two"]);
    return systemPrompts.slice(2);
  },
  "before_agent_start.throw": async (profile) => {
    const modules = [on("before_agent_start", boom), on("before_agent_start", () => ({ message: custom("B") }))];
    return (await runnerOf(profile, modules).runner.emitBeforeAgentStart(start)).messages.map(
      (message) => message.content,
    );
  },
  "agent_end.new-only": async (profile) => {
    const counts: number[] = [];
    const counted = on("agent_end", (event: { messages: unknown[] }) => void counts.push(event.messages.length));
    await ran(profile, [counted], ["one", "two"]);
    return counts;
  },
  "agent_end.failed": async (profile) => (await observed(profile, "fails")).slice(4),
  "turn_start.first": async (profile) => (await observed(profile, "answers")).slice(0, 4),
};

/** What a policy observes of a run whose model answers at once, or fails at once. */
async function observed(profile: ProfileName, model: "answers" | "fails"): Promise<string[]> {
  const types: string[] = [];
  const policy = gate({ observe: (event) => void types.push(event.type) });
  const loop = new AgentLoop(runnerOf(profile, [], { policy }).runner, {
    tools: [],
    systemPrompt: () => "base",
    model: async () => (model === "fails" ? boom() : { role: "assistant", content: [text("done")] }),
  });
  await loop.submit("go").catch(() => undefined);
  return types;
}

const inputs: Record<string, Scenario> = {
  "input.handled-stops": (profile) =>
    second(profile, "input", { action: "handled", handled: true }, ({ runner }) =>
      runner.emitInput({ type: "input", text: "x", source: "rpc" }),
    ),
  "input.images": async (profile) => {
    if (!acceptsEvent(profiles[profile], "input")) return "no such event";
    const changes = on("input", () => ({ action: "transform", text: "new" }));
    const images = [{ type: "image" as const, data: "old", mimeType: "image/png" }];
    const outcome = await runnerOf(profile, [changes]).runner.emitInput({
      type: "input",
      text: "x",
      images,
      source: "rpc",
    });
    return outcome.images?.map((image) => image.data);
  },
  "input.after-commands": async (profile) => {
    const order: string[] = [];
    const commands: LooseFactory = (api) => api.registerCommand("mine", { handler: () => void order.push("command") });
    const modules = acceptsEvent(profiles[profile], "input") ? [commands, noted("input", order, "input")] : [commands];
    await ran(profile, modules, ["/mine"]);
    return order;
  },
  "input.before-built-ins": async (profile) => {
    const changes = on("input", () => ({ action: "transform", text: "/new" }));
    const modules = acceptsEvent(profiles[profile], "input") ? [changes] : [];
    const { outcomes } = await ran(profile, modules, ["x"]);
    return outcomes[0]?.ran === false ? outcomes[0].by : "ran";
  },
};

const sessions: Record<string, Scenario> = {
  "session_before.last": async (profile) => {
    const modules = ["A", "B"].map((summary) => on("session_before_compact", () => ({ compaction: { summary } })));
    const answer = await runnerOf(profile, [...modules, on("session_before_compact", () => undefined)]).runner.emit(
      compact,
    );
    return answer?.["compaction"];
  },
  "session_before.cancel-stops": (profile) =>
    second(profile, "session_before_compact", { cancel: true }, ({ runner }) => runner.emit(compact)),
  "session_compacting.last": async (profile) => {
    const modules = [
      on("session.compacting", () => ({ prompt: "A", context: ["A"] })),
      on("session.compacting", () => ({ prompt: "B" })),
    ];
    return runnerOf(profile, modules).runner.emit({ type: "session.compacting", messages: [] });
  },
  "observe.answers": async (profile) =>
    (await runnerOf(profile, [on("turn_end", () => ({ block: true }))]).runner.emit({ type: "turn_end" })) ?? "nothing",
  "observe.throw": async (profile) => {
    const order: string[] = [];
    const { runner, errors } = runnerOf(profile, [on("turn_end", boom), noted("turn_end", order, "B")]);
    await runner.emit({ type: "turn_end" });
    return [order, errors];
  },
};

const conflicts: Record<string, Scenario> = {
  "command.first": (profile) => {
    const commands = ["A", "B"].map(
      (description): LooseFactory =>
        (api) =>
          api.registerCommand("x", { description, handler: () => undefined }),
    );
    const { runner } = runnerOf(profile, commands);
    return [runner.getCommand("x")?.description, runner.getRegisteredCommands().map((command) => command.description)];
  },
  "renderer.first": (profile) => {
    const renderers = ["A", "B"].map(
      (mark): LooseFactory =>
        (api) =>
          api.registerMessageRenderer("note", () => mark),
    );
    const message = { role: "custom" as const, ...custom("x", "note") };
    return runnerOf(profile, renderers).runner.getMessageRenderer("note")?.(message, { expanded: false }, undefined);
  },
  "factory.class": async (profile) => {
    const { loadHooks } = await import("../../../adapters/hooks/loader.ts");
    const importModule = async () => ({ default: class Hook {} });
    const { errors } = await loadHooks(["/hooks/a.js"], "/work", { profile, importModule });
    return errors.length === 0 ? "loaded" : "refused";
  },
  "on.not-a-function": (profile) => {
    try {
      moduleOf(profile, (api) => void api.on("tool_call", "block" as never), "/hooks/a.js");
      return "accepted";
    } catch {
      return "refused";
    }
  },
};

/** What is the same on every profile, or differs only because an event is missing, by the id of its row. */
export const equalities: Record<string, Scenario> = {
  ...contexts,
  ...tools,
  ...starts,
  ...inputs,
  ...sessions,
  ...conflicts,
};
