import { came, failing, on, runnerOf, text, wrapped } from "./subsystem-start.mjs";

/** What omp's runner and wrapper make of the answers of handlers. */
export const calls = {
  async order() {
    const seen = [];
    const two = (name) => (pi) => {
      for (const n of [1, 2]) pi.on("tool_call", () => void seen.push(`${name}${n}`));
    };
    const { runner } = await runnerOf(two("a"), two("b"));
    await wrapped(runner).call();
    return seen;
  },

  async block() {
    const seen = [];
    const { runner } = await runnerOf(
      on("tool_call", () => ({ block: true, reason: "not this word" })),
      on("tool_call", () => void seen.push("after the block")),
    );
    const { ran, call } = wrapped(runner);
    return { came: await call(), ran, seen };
  },

  async blockWithout() {
    const { runner } = await runnerOf(on("tool_call", () => ({ block: true })));
    const { ran, call } = wrapped(runner);
    return { came: await call(), ran };
  },

  async lastAnswer() {
    const { runner } = await runnerOf(
      on("tool_call", () => ({ block: false, reason: "a" })),
      on("tool_call", () => ({ reason: "b" })),
      on("tool_call", () => undefined),
    );
    return runner.emitToolCall({ type: "tool_call", toolName: "say", toolCallId: "1", input: {} });
  },

  async throwing() {
    const seen = [];
    const { runner, heard } = await runnerOf(
      on("tool_call", () => {
        throw new Error("the handler broke");
      }),
      on("tool_call", () => void seen.push("after the throw")),
    );
    const { ran, call } = wrapped(runner);
    const propagated = await came(
      runner.emitToolCall({ type: "tool_call", toolName: "say", toolCallId: "1", input: {} }),
    );
    return { came: await call(), ran, seen, heard, propagated };
  },

  async payloads() {
    const seen = [];
    const { runner } = await runnerOf((pi) => {
      for (const name of ["tool_call", "tool_result"]) pi.on(name, (event) => void seen.push(structuredClone(event)));
    });
    const updates = [];
    const { call } = wrapped(runner);
    const good = await call({ word: "hello" }, (update) => updates.push(update));
    const failed = await wrapped(runner, failing).call();
    return { good, failed, seen, updates };
  },

  async results() {
    const seen = [];
    const answer = (name, given) => (event) => {
      seen.push({ name, content: event.content[0].text, details: event.details });
      return given;
    };
    const { runner } = await runnerOf(
      on("tool_result", answer("a", { content: text("from a") })),
      on("tool_result", answer("b", { details: { from: "b" } })),
      on("tool_result", answer("c", undefined)),
    );
    return { came: await wrapped(runner).call(), seen };
  },

  async resultParts() {
    const given = [{ content: text("other") }, { details: { from: "hook" } }, { isError: true }];
    const all = [];
    for (const answer of given) {
      const { runner } = await runnerOf(on("tool_result", () => answer));
      all.push(await wrapped(runner).call());
    }
    return all;
  },

  async failedResult() {
    const { runner } = await runnerOf(on("tool_result", () => ({ content: text("all is well"), isError: false })));
    const { ran, call } = wrapped(runner, failing);
    return { came: await call(), ran };
  },

  async input() {
    const { runner } = await runnerOf(on("tool_call", (event) => void (event.input.word = "written")));
    const written = wrapped(runner);
    await written.call();
    const returning = await runnerOf(on("tool_call", () => ({ input: { word: "returned" } })));
    const returned = wrapped(returning.runner);
    await returned.call();
    return { written: written.ran, returned: returned.ran };
  },

  async context() {
    const seen = [];
    const say = (name) => (event) => {
      seen.push(event.messages.map(({ content }) => content));
      return { messages: [...event.messages, { role: "user", content: name }] };
    };
    const { runner } = await runnerOf(
      on("context", say("a")),
      on("context", () => undefined),
      on("context", say("b")),
    );
    const came = await runner.emitContext([{ role: "user", content: "first" }]);
    const none = await runnerOf(on("context", () => undefined));
    const given = [{ role: "user", content: "first" }];
    return { seen, came: came.map(({ content }) => content), same: (await none.runner.emitContext(given)) === given };
  },

  async start() {
    const seen = [];
    const say = (name) => (event) => {
      seen.push({ name, prompt: event.prompt });
      return { message: { customType: name, content: `from ${name}`, display: true, details: { by: name } } };
    };
    const { runner } = await runnerOf(on("before_agent_start", say("a")), on("before_agent_start", say("b")));
    return { seen, came: await runner.emitBeforeAgentStart("do it") };
  },

  async before() {
    const all = {};
    for (const type of [
      "session_before_switch",
      "session_before_branch",
      "session_before_compact",
      "session_before_tree",
    ]) {
      const seen = [];
      const answering = (name, answer) =>
        on(type, () => {
          seen.push(name);
          return answer;
        });
      const kept = await runnerOf(
        answering("a", { note: "a" }),
        answering("b", { note: "b" }),
        answering("c", undefined),
      );
      const last = await kept.runner.emit({ type });
      const stopped = await runnerOf(answering("d", { cancel: true }), answering("e", { cancel: false }));
      all[type] = { last, cancelled: await stopped.runner.emit({ type }), seen };
    }
    return all;
  },

  async compacting() {
    const { runner } = await runnerOf(
      on("session.compacting", () => ({ prompt: "a", context: ["from a"] })),
      on("session.compacting", () => ({ prompt: "b" })),
    );
    return runner.emit({ type: "session.compacting", sessionId: "1", messages: [] });
  },

  async errors() {
    const names = [
      ...["session_start", "session_before_switch", "session_switch", "session_before_branch", "session_branch"],
      ...["session_before_compact", "session.compacting", "session_compact", "session_before_tree", "session_tree"],
      ...["session_shutdown", "agent_start", "agent_end", "turn_start", "turn_end", "auto_compaction_start"],
      ...[
        "auto_compaction_end",
        "auto_retry_start",
        "auto_retry_end",
        "ttsr_triggered",
        "todo_reminder",
        "tool_result",
      ],
    ];
    const seen = [];
    const { runner, heard } = await runnerOf(
      (pi) => {
        for (const name of [...names, "context", "before_agent_start"])
          pi.on(name, () => {
            throw new Error("broke");
          });
      },
      (pi) => {
        for (const name of [...names, "context", "before_agent_start"]) pi.on(name, () => void seen.push(name));
      },
    );
    for (const type of names) await runner.emit({ type });
    await runner.emitContext([]);
    await runner.emitBeforeAgentStart("do it");
    const all = [...names, "context", "before_agent_start"];
    return { heard: heard.map(({ event }) => event), seen, all, error: heard[0] };
  },
};
