import { describe, expect, it } from "vitest";
import type { AgentMessage, ContentPart } from "../../../adapters/hooks/messages.ts";
import { type AgentToolResult, HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import { call, custom, gate, on, profileNames, result, runnerOf, text } from "./modules.ts";

const failing = () => JSON.parse("{") as never;
const redact = (value: unknown): unknown => JSON.parse((JSON.stringify(value) ?? "null").replaceAll("secret", "[x]"));
const redacting = gate({
  toolResult: (event) => ({
    content: redact(event.content) as ContentPart[],
    details: redact(event.details ?? null),
    ...(Object.hasOwn(event, "structuredContent") ? { structuredContent: redact(event.structuredContent) } : {}),
  }),
  context: (messages) => redact(messages) as AgentMessage[],
  errorText: (given) => given.replaceAll("secret", "[x]"),
});
const toolOf = (run: (params: Record<string, unknown>) => AgentToolResult) => ({
  name: "read",
  execute: async (_id: string, params: Record<string, unknown>) => run(params),
});
const fails = (message: string) =>
  toolOf(() => {
    throw Object.assign(new Error(message, { cause: message }), { name: "ReadError" });
  });

describe.each(profileNames)("the policy is outermost, profile %s (semantics section 3, Shared runner)", (profile) => {
  it("guards judge after the last handler that can change the payload", async () => {
    let judged: unknown;
    const policy = gate({
      toolCall: (event) => {
        judged = event.input;
        return undefined;
      },
    });
    const change = on("tool_call", (event: { input: Record<string, unknown> }) => ({
      input: { ...event.input, more: 1 },
    }));
    const { runner } = runnerOf(profile, [change], { policy });
    const outcome = await runner.emitToolCall(call());
    expect(judged).toEqual(profile === "omp" ? { path: "a", more: 1 } : { path: "a" });
    expect(outcome.input).toEqual(judged);
  });

  it("what is judged is what runs, although a handler keeps the arguments and writes to them later", async () => {
    let kept: Record<string, unknown> = {};
    const keep = on("tool_call", (event: { input: Record<string, unknown> }) => {
      kept = event.input;
    });
    const policy = gate({
      toolCall: async () => {
        Reflect.set(kept, "path", "later");
        return undefined;
      },
    });
    let ran: unknown;
    const tool = toolOf((params) => {
      Reflect.set(kept, "path", "later still");
      ran = structuredClone(params);
      return { content: [text("ok")] };
    });
    await new HookToolWrapper(tool, runnerOf(profile, [keep], { policy }).runner).execute("c1", { path: "a" });
    expect(ran).toEqual({ path: "a" });
  });

  it("a getter cannot answer the judge and the tool differently", async () => {
    let reads = 0;
    const input = Object.defineProperty({}, "path", { enumerable: true, get: () => `read ${(reads += 1)}` });
    let judged: unknown;
    const policy = gate({
      toolCall: (event) => {
        judged = event.input["path"];
        return undefined;
      },
    });
    const outcome = await runnerOf(profile, [], { policy }).runner.emitToolCall(call(input));
    expect(outcome.input["path"]).toBe(judged);
    expect(outcome.input["path"]).toBe(judged);
  });

  it("the judged arguments are frozen deeply", async () => {
    const { runner } = runnerOf(profile, [], { policy: gate() });
    const { input } = await runner.emitToolCall(call({ a: { b: [1] } }));
    const inner = input["a"] as { b: number[] };
    expect([input, inner, inner.b].every(Object.isFrozen)).toBe(true);
  });

  it("a policy's block is final, with its reason", async () => {
    const policy = gate({ toolCall: () => ({ block: true, reason: "denied" }) });
    const { runner } = runnerOf(profile, [on("tool_call", () => ({ block: false }))], { policy });
    expect(await runner.emitToolCall(call())).toMatchObject({ block: true, reason: "denied" });
  });

  it("arguments that the policy modified are those that run", async () => {
    const policy = gate({ toolCall: () => ({ input: { path: "safe" } }) });
    let ran: unknown;
    const tool = toolOf((params) => {
      ran = params;
      return { content: [] };
    });
    await new HookToolWrapper(tool, runnerOf(profile, [], { policy }).runner).execute("c1", { path: "a" });
    expect(ran).toEqual({ path: "safe" });
  });

  it("a policy that throws blocks the call (semantics section 4)", async () => {
    const { runner, errors } = runnerOf(profile, [], { policy: gate({ toolCall: failing }) });
    const outcome = await runner.emitToolCall(call());
    expect([outcome.block, errors[0]?.hookPath]).toEqual([true, "policy"]);
    expect(outcome.reason).toContain("the policy could not judge this call");
  });

  it("redaction applies to the final result: no handler adds the raw text back", async () => {
    let kept: ContentPart[] = [];
    const modules = [
      on("tool_result", (event: { content: ContentPart[] }) => {
        kept = event.content;
        return { content: [text("secret again")], details: { deep: ["secret"] } };
      }),
    ];
    const tool = toolOf(() => ({ content: [text("secret")], structuredContent: { s: "secret" } }));
    const final = await new HookToolWrapper(tool, runnerOf(profile, modules, { policy: redacting }).runner).execute(
      "c",
      {},
    );
    kept.push(text("secret later"));
    expect(JSON.stringify(final)).not.toContain("secret");
    expect(final.content).toEqual([text("[x] again")]);
  });

  it("redaction applies to error text: the raw error does not leave, nor its stack or cause", async () => {
    const wrapped = new HookToolWrapper(fails("no secret file"), runnerOf(profile, [], { policy: redacting }).runner);
    const error = await wrapped.execute("c1", {}).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect([error?.message, error?.name, error?.cause]).toEqual(["no [x] file", "ReadError", undefined]);
    expect(error?.stack).not.toContain("secret");
  });

  it("an error without anything to redact is the tool's own", async () => {
    const broken = new Error("plain");
    const tool = toolOf(() => {
      throw broken;
    });
    const wrapped = new HookToolWrapper(tool, runnerOf(profile, [], { policy: redacting }).runner);
    await expect(wrapped.execute("c1", {})).rejects.toBe(broken);
  });

  it("reasons of modules and texts of their errors are redacted on their way to the model", async () => {
    const reason = on("tool_call", () => ({ block: true, reason: "because secret" }));
    const throws = on("tool_call", () => {
      throw new Error("a secret");
    });
    const tool = toolOf(() => ({ content: [] }));
    for (const module of [reason, throws]) {
      const wrapped = new HookToolWrapper(tool, runnerOf(profile, [module], { policy: redacting }).runner);
      await expect(wrapped.execute("c1", {})).rejects.toThrow(/^(?!.*secret).*\[x\]/);
    }
  });

  it("a policy that throws withholds the result, content, details and structure (semantics section 4)", async () => {
    const policy = gate({ toolResult: failing });
    const { runner } = runnerOf(profile, [], { policy });
    const event = result("secret", { details: { s: "secret" }, structuredContent: "secret" });
    const final = await runner.emitToolResult(event);
    expect(JSON.stringify(final)).not.toContain("secret");
    expect([final?.isError, final?.details]).toEqual([true, undefined]);
    await expect(new HookToolWrapper(fails("secret"), runner).execute("c1", {})).rejects.toThrow("withheld");
  });

  it("parts of a result that are not plain data are withheld, as no policy can look into them", async () => {
    const { runner } = runnerOf(profile, [], { policy: gate() });
    const details = { kept: 1, map: new Map([["k", "secret"]]), run: () => "secret" };
    const final = await runnerOf(profile, [on("tool_result", () => ({ details }))], {
      policy: gate(),
    }).runner.emitToolResult(result());
    expect(final?.details).toMatchObject({ kept: 1, run: "[withheld: a function is not data]" });
    expect(JSON.stringify(final)).not.toContain("secret");
    expect(await runner.emitToolResult(result())).toBeUndefined();
  });

  it("new content of the policy alone drops structured content", async () => {
    const policy = gate({ toolResult: () => ({ content: [text("new")] }) });
    const final = await runnerOf(profile, [], { policy }).runner.emitToolResult(
      result("raw", { structuredContent: 1 }),
    );
    expect(Object.hasOwn(final ?? {}, "structuredContent")).toBe(false);
  });

  it("the policy judges the context last", async () => {
    const leak = on("context", () => ({ messages: [{ role: "user", content: "secret" }] }));
    const { runner } = runnerOf(profile, [leak], { policy: redacting });
    expect(await runner.emitContext([{ role: "user", content: "a" }])).toEqual([{ role: "user", content: "[x]" }]);
  });

  it("a policy that throws withholds the context (semantics section 4)", async () => {
    const { runner } = runnerOf(profile, [], { policy: gate({ context: failing }) });
    expect(JSON.stringify(await runner.emitContext([{ role: "user", content: "secret" }]))).toMatch(
      /withheld(?!.*secret)/,
    );
  });

  it("a module that keeps what it returned changes nothing after the policy's judgement", async () => {
    const kept: { messages: AgentMessage[]; more: string[] } = { messages: [{ role: "user", content: "b" }], more: [] };
    const modules = [
      on("context", () => ({ messages: kept.messages })),
      on("session_before_compact", () => kept),
      on("before_agent_start", () => ({ message: { ...custom("A"), details: kept.more } })),
    ];
    const { runner } = runnerOf(profile, modules, { policy: gate({ sessionBefore: () => undefined }) });
    const sent = await runner.emitContext([{ role: "user", content: "a" }]);
    const started = await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    const compacted = await runner.emit({ type: "session_before_compact" });
    kept.messages.push({ role: "user", content: "secret" });
    Object.assign(kept.messages[0] ?? {}, { content: "secret" });
    kept.more.push("secret");
    expect(sent).toEqual([{ role: "user", content: "b" }]);
    expect(JSON.stringify([sent, started, compacted])).not.toContain("secret");
  });

  it("messages whose fields throw are withheld, and the rest passes", async () => {
    const broken = Object.defineProperty({ role: "custom" }, "customType", {
      get: () => JSON.parse("{"),
      enumerable: true,
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const modules = [on("context", () => ({ messages: [broken, proxy, { role: "user", content: "b" }] }))];
    const policy = gate({ beforeAgentStart: () => ({ message: custom("policy") }) });
    const { runner } = runnerOf(profile, [...modules, on("before_agent_start", () => proxy)], { policy });
    await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    const sent = await runner.emitContext([{ role: "user", content: "a" }]);
    expect(JSON.stringify(sent)).toContain("withheld");
  });

  it("a tool may write to its arguments: they are its own copy of what was judged", async () => {
    const tool = toolOf((params) => {
      params["path"] = "b";
      return { content: [text(String(params["path"]))] };
    });
    const wrapped = new HookToolWrapper(tool, runnerOf(profile, [], { policy: gate() }).runner);
    expect((await wrapped.execute("c1", { path: "a" })).content).toEqual([text("b")]);
  });

  it("arguments that replace the model's are validated (hosts page section 3)", async () => {
    const policy = gate({ toolCall: () => ({ input: { path: 7 } }) });
    const validateInput = (_tool: string, input: Record<string, unknown>) =>
      typeof input["path"] === "string" ? undefined : "`path` is not a text";
    const outcome = await runnerOf(profile, [], { policy, validateInput }).runner.emitToolCall(call());
    expect([outcome.block, outcome.reason]).toEqual([
      true,
      "the replaced arguments are not valid: `path` is not a text",
    ]);
    const returns = on("tool_call", () => ({ input: { path: 7 } }));
    const returned = await runnerOf(profile, [returns], { validateInput }).runner.emitToolCall(call());
    expect(returned.block).toBe(profile === "omp");
    const throwing = await runnerOf(profile, [], { policy, validateInput: failing }).runner.emitToolCall(call());
    expect(throwing.block).toBe(true);
  });

  it("injections are delivered beside the message that wins", async () => {
    const policy = gate({ beforeAgentStart: () => ({ message: custom("policy"), systemPrompt: "base and policy" }) });
    const { runner } = runnerOf(profile, [on("before_agent_start", () => ({ message: custom("A") }))], { policy });
    const outcome = await runner.emitBeforeAgentStart({
      type: "before_agent_start",
      prompt: "go",
      systemPrompt: "base",
    });
    expect(outcome.messages.map((message) => message.content)).toEqual(["A", "policy"]);
    expect([outcome.systemPrompt].flat()).toEqual(["base and policy"]);
  });

  it("the policy sees and may redact the messages of modules; when it throws they are withheld", async () => {
    const modules = [on("before_agent_start", () => ({ message: custom("secret") }))];
    const event = { type: "before_agent_start" as const, prompt: "go" };
    const policy = gate({
      beforeAgentStart: (given) => ({ messages: redact(given.messages) as typeof given.messages }),
    });
    const redacted = await runnerOf(profile, modules, { policy }).runner.emitBeforeAgentStart(event);
    expect(redacted.messages).toEqual([custom("[x]")]);
    const broken = runnerOf(profile, modules, { policy: gate({ beforeAgentStart: failing }) });
    expect(JSON.stringify(await broken.runner.emitBeforeAgentStart(event))).toMatch(/withheld(?!.*secret)/);
  });

  it("an injected message that a context handler takes out comes back at its place", async () => {
    const policy = gate({ beforeAgentStart: () => ({ message: custom("keep", "policy") }) });
    const drop = on("context", (event: { messages: AgentMessage[] }) => ({
      messages: event.messages.filter((message) => message.role !== "custom"),
    }));
    const { runner } = runnerOf(profile, [drop], { policy });
    await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    const messages: AgentMessage[] = [
      { role: "user", content: "a" },
      { role: "custom", customType: "policy", content: [text("keep")], display: true },
      { role: "custom", customType: "other", content: "drop", display: true },
      { role: "user", content: "b" },
    ];
    expect(await runner.emitContext(messages)).toEqual([messages[0], messages[1], messages[3]]);
  });

  it("text of the policy stands after the tool's result, and after its error", async () => {
    const policy = gate({ toolCall: () => ({ additionalContext: "mind the step" }) });
    const modules = [on("tool_result", () => ({ content: [text("B")] }))];
    const fine = new HookToolWrapper(
      toolOf(() => ({ content: [text("ok")] })),
      runnerOf(profile, modules, { policy }).runner,
    );
    expect((await fine.execute("c1", {})).content).toEqual([text("B"), text("mind the step")]);
    const broken = new HookToolWrapper(fails("broken"), runnerOf(profile, [], { policy }).runner);
    await expect(broken.execute("c1", {})).rejects.toThrow("broken\nmind the step");
  });

  it("partial results pass the policy, and are dropped when it throws", async () => {
    const tool = {
      name: "read",
      execute: async (
        _id: string,
        _params: object,
        _signal?: AbortSignal,
        onUpdate?: (partial: AgentToolResult) => void,
      ) => {
        onUpdate?.({ content: [text("secret half")] });
        return { content: [text("done")] };
      },
    };
    const shown: unknown[] = [];
    const toolUpdate = (event: { partialResult: unknown }) => redact(event.partialResult);
    for (const policy of [gate({ toolUpdate }), gate({ toolUpdate: failing })]) {
      const wrapped = new HookToolWrapper(tool, runnerOf(profile, [], { policy }).runner);
      await wrapped.execute("c1", {}, undefined, (partial) => shown.push(partial));
    }
    expect(shown).toEqual([{ content: [text("[x] half")] }]);
  });

  it("the input is judged as the last handler left it; a policy that throws swallows it (semantics section 4)", async () => {
    const event = { type: "input" as const, text: "x", source: "rpc" as const };
    const block = runnerOf(profile, [], { policy: gate({ input: () => ({ block: true, reason: "no" }) }) });
    expect(await block.runner.emitInput(event)).toEqual({ action: "handled", text: "x", reason: "no" });
    const change = runnerOf(profile, [], { policy: gate({ input: (given) => ({ text: `${given.text}!` }) }) });
    expect(await change.runner.emitInput(event)).toEqual({ action: "transform", text: "x!" });
    const broken = runnerOf(profile, [], { policy: gate({ input: failing }) });
    expect((await broken.runner.emitInput(event)).action).toBe("handled");
  });
});
