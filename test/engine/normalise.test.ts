import { describe, expect, it } from "vitest";
import { normalise } from "../../engine/normalise.ts";
import { plainCopy } from "../../engine/plain-copy.ts";
import { limits } from "../../schema/limits.ts";

const judged = (wire: unknown) => {
  const result = normalise(wire);
  if ("code" in result) throw new Error(`${result.code}: ${result.message}`);
  return result;
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("a payload is copied as bounded plain data", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  let deep: unknown = 1;
  for (let i = 0; i < 200_000; i++) deep = [deep];
  const refused: [string, unknown, RegExp][] = [
    ["a cycle", cyclic, /levels deep, or holds a cycle/],
    ["nesting over the bound", deep, /levels deep/],
    ["too many values", Array.from({ length: limits.payloadNodes + 1 }, () => 0), /more than/],
    ["an accessor", Object.defineProperty({}, "args", { get: () => ({}), enumerable: true }), /accessor `args`/],
    ["a symbol", { args: Symbol("x") }, /symbol/],
    ["a bigint", { args: 1n }, /bigint/],
    ["a number that is not finite", { args: Number.NaN }, /not finite/],
    ["a function", { args: () => 1 }, /a function/],
    ["a date", { args: new Date(0) }, /a `Date`/],
    ["a map", { args: new Map([["a", 1]]) }, /a `Map`/],
    ["a set", { args: new Set([1]) }, /a `Set`/],
    ["an error", { args: new Error("x") }, /a `Error`/],
    ["a buffer", { args: new Uint8Array(2) }, /a `Uint8Array`/],
    ["a regular expression", { args: /x/ }, /a `RegExp`/],
    ["a boxed text", { args: Object("x") }, /a `String`/],
    ["an object of a class", { args: new (class Secret {})() }, /a `Secret`/],
    ["an object that inherits its fields", Object.create({ event: "tool_call" }), /no plain data/],
    ["an accessor in a list", Object.defineProperty([1], "0", { get: () => 1, enumerable: true }), /accessor `0`/],
    ["a list that is longer than any payload", Object.assign([], { length: 4_000_000_000 }), /more than/],
    [
      "a hostile proxy",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
      /cannot be read/,
    ],
    ["a revoked proxy", revoked(), /cannot be read/],
  ];
  it.each(refused)("%s is refused", (_name, value, message) => {
    const copied = plainCopy(value);
    expect(copied.ok).toBe(false);
    expect(copied.ok ? "" : copied.message).toMatch(message);
  });

  it("lone surrogates become U+FFFD, in keys and values", () => {
    expect(plainCopy({ "a\ud800": "b\udc00" })).toEqual({ ok: true, value: { "a\ufffd": "b\ufffd" } });
  });

  it("`undefined` is what JSON makes of it, and a list's own iterator is not asked", () => {
    const list = Object.assign(["a", undefined], { [Symbol.iterator]: () => ["forged"][Symbol.iterator]() });
    expect(plainCopy({ list, none: undefined })).toEqual({ ok: true, value: { list: ["a", null] } });
  });

  it("objects without a prototype are data", () => {
    expect(plainCopy(Object.assign(Object.create(null), { a: 1 }))).toEqual({ ok: true, value: { a: 1 } });
  });

  it("tens of thousands of messages and labels are judged, one more value than the bound is not", () => {
    const messages = Array.from({ length: 40_000 }, (_, i) => ({ role: "user", content: `m${i}` }));
    const labels = Array.from({ length: 40_000 }, (_, i) => `l${i}`);
    const { event } = judged({ event: "context", messages, labels });
    expect([event.messages?.length, event.session.labels.length]).toEqual([40_000, 40_000]);
    const many = Array.from({ length: limits.payloadNodes }, () => "x");
    expect(normalise({ event: "context", messages: [], labels: many })).toMatchObject({ code: "HW504" });
  });

  it.each([
    ["tool_call", { tool: "bash" }],
    ["PreToolUse", { tool: "bash" }],
    ["tool_result", { tool: "bash", result: { content: [], is_error: false } }],
  ])("of a tool's event (%s), fewer values are judged", (event, given) => {
    const wire = (count: number): unknown => ({ event, args: { list: new Array(count).fill(0) }, ...given });
    expect("code" in normalise(wire(limits.toolNodes - 16))).toBe(false);
    expect(normalise(wire(limits.toolNodes))).toMatchObject({
      code: "HW504",
      message: expect.stringContaining(`${limits.toolNodes}`),
    });
  });

  it("`__proto__` stays an own key", () => {
    const copied = plainCopy(JSON.parse('{"__proto__": {"x": 1}}'));
    expect(copied.ok && Object.keys(copied.value as object)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

describe("an event that does not fit is named with what is wrong", () => {
  const refused: [string, unknown, string, RegExp][] = [
    ["no object", "hello", "tool_call", /must be object/],
    ["null", null, "tool_call", /must be object/],
    ["no event name", {}, "tool_call", /event/],
    ["an unknown event", { event: "tool_cal", tool: "bash" }, "tool_call", /unknown event `tool_cal`/],
    ["a tool call without a tool", { event: "tool_call" }, "tool_call", /tool/],
    ["arguments that are a list", { event: "tool_call", tool: "bash", args: [] }, "tool_call", /args/],
    [
      "a result without content list",
      { event: "tool_result", tool: "read", result: { content: "x" } },
      "tool_result",
      /result/,
    ],
    ["a context without messages", { event: "context" }, "context", /messages/],
    [
      "a time without a zone",
      { event: "tool_call", tool: "bash", time: "2026-11-21T20:00:00" },
      "tool_call",
      /RFC 3339/,
    ],
    ["a call by an alias, without a tool", { event: "PreToolUse" }, "tool_call", /tool/],
    [
      "a switch for no known reason",
      { event: "session_before_switch", reason: "boredom" },
      "session_before_switch",
      /one of new, resume, fork/,
    ],
    ["a fork from nowhere", { event: "session_before_branch" }, "session_before_fork", /needs `entry_id`/],
    [
      "a turn that is no number",
      { event: "turn_start", turn_index: "1" },
      "turn_start",
      /`turn_index` must be an integer/,
    ],
    ["a message of no role", { event: "message_end", message: { content: "x" } }, "message_end", /known role/],
    ["code that is none", { event: "user_python", code: 1 }, "user_python", /code/],
    ["a time that is none", { event: "tool_call", tool: "bash", time: "yesterday" }, "tool_call", /RFC 3339/],
  ];
  it.each(refused)("%s", (_name, wire, event, message) => {
    const result = normalise(wire);
    expect(result).toMatchObject({ code: "HW501", event });
    expect("code" in result && result.message).toMatch(message);
  });
});

describe("names become canonical", () => {
  const tools: [given: object, name: string, host: string][] = [
    [{ tool: "Bash" }, "bash", "Bash"],
    [{ tool: "run_shell_command" }, "bash", "run_shell_command"],
    [{ tool: "BASH" }, "bash", "BASH"],
    [{ tool: "mcp__fs__move_file" }, "mcp__fs__move_file", "mcp__fs__move_file"],
    [{ tool: "mcp", server: "fs", name: "move_file" }, "mcp__fs__move_file", "mcp__fs__move_file"],
    [{ tool: "frobnicate" }, "frobnicate", "frobnicate"],
  ];
  it.each(tools)("%j", (given, name, host) => {
    const { event } = judged({ event: "PreToolUse", ...given });
    expect(event.event).toBe("tool_call");
    expect(event.tool).toMatchObject({ name, host_name: host });
  });

  it("roles of every host are canonical", () => {
    const { event } = judged({
      event: "context",
      messages: [
        { role: "toolResult", content: [] },
        { role: "tool", content: "x" },
        { role: "user", content: "y" },
      ],
    });
    expect(event.messages?.map((m) => (m as { role: string }).role)).toEqual(["tool_result", "tool_result", "user"]);
  });

  it("argument names are canonical and the host's own stay", () => {
    const { event, views } = judged({ event: "tool_call", tool: "Read", args: { file_path: "/a" } });
    expect(event.args).toEqual({ file_path: "/a", path: "/a" });
    expect(event.args_raw).toEqual({ file_path: "/a" });
    expect(views).toHaveLength(1);
  });

  it("keys of one argument that disagree are each judged", () => {
    const { views } = judged({ event: "tool_call", tool: "read", args: { path: "/a", file_path: "/etc/shadow" } });
    expect(views.map((v) => v.args?.["path"])).toEqual(["/a", "/etc/shadow"]);
  });

  it("roles in every message field are canonical", () => {
    const { event } = judged({
      event: "turn_end",
      turn_index: 0,
      message: { role: "assistant", content: "x" },
      tool_results: [{ role: "toolResult", content: [] }],
    });
    expect(event.fields["tool_results"]).toEqual([{ role: "tool_result", content: [] }]);
  });

  it("fields have the defaults of their table", () => {
    const { event } = judged({ event: "user_python", code: "1", cwd: "/x" });
    expect([event.code, event.environment.cwd]).toEqual(["1", "/x"]);
    expect(event.fields).toEqual({ exclude_from_context: false, cwd: "/x" });
  });

  it("a field of another event has no place: `text` of a call is nobody's text", () => {
    const { event } = judged({ event: "tool_call", tool: "read", prompt: "x", command: "ls", messages: [] });
    expect([event.prompt, event.command, event.messages, { ...event.fields }]).toEqual([
      undefined,
      undefined,
      undefined,
      {},
    ]);
  });

  it("the tool of `user_bash` is bash", () => {
    const { event } = judged({ event: "user_bash", command: "ls", cwd: "/x" });
    expect(event.tool?.name).toBe("bash");
    expect(event.args).toEqual({ command: "ls" });
    expect(event.environment.cwd).toBe("/x");
  });
});
