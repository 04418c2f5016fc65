import { describe, expect, it } from "vitest";
import { opta } from "../../../adapters/one-shot/opta.ts";
import { asked, blocked, decision, noted, said } from "./decisions.ts";

// Variables as the seed opta-hook-system documents them (section 4); Opta itself was not run.
const base = { OPTA_SESSION_ID: "s1", OPTA_CWD: "/w", OPTA_MODEL: "m" };
const call = {
  ...base,
  OPTA_EVENT: "tool.pre",
  OPTA_TOOL_NAME: "run_command",
  OPTA_TOOL_ARGS: '{"command":"ls"}',
};
const result = { ...call, OPTA_EVENT: "tool.post", OPTA_TOOL_RESULT: "a\nb" };
const readOf = (variables: Readonly<Record<string, string>>) => opta.read(opta.variables?.(variables) ?? {});

describe("Opta's variables, as documented", () => {
  it.each([
    [call, "tool_call", { tool: "run_command", args: { command: "ls" } }],
    [
      result,
      "tool_result",
      {
        tool: "run_command",
        args: { command: "ls" },
        result: { content: [{ type: "text", text: "a\nb" }], is_error: false },
      },
    ],
    [{ ...base, OPTA_EVENT: "session.start" }, "session_start", {}],
    [{ ...base, OPTA_EVENT: "session.end" }, "agent_end", {}],
    [{ ...base, OPTA_EVENT: "compact" }, "session_compact", {}],
    [{ ...base, OPTA_EVENT: "error", OPTA_ERROR: "boom" }, "error", { message: "boom" }],
  ])("%# are read", (variables, event, payload) => {
    expect(opta.claims(variables, {})).toBe(true);
    expect(readOf(variables)).toMatchObject({ event, session: "s1", cwd: "/w", interactive: false });
    expect(readOf(variables)).toHaveProperty("payload", payload);
  });

  it.each([
    ["no event", base, ""],
    ["a call without a tool", { ...base, OPTA_EVENT: "tool.pre", OPTA_TOOL_ARGS: "{}" }, "tool.pre"],
    ["a call without arguments", { ...base, OPTA_EVENT: "tool.pre", OPTA_TOOL_NAME: "x" }, "tool.pre"],
    ["arguments that are no JSON", { ...call, OPTA_TOOL_ARGS: "{ garbage" }, "tool.pre"],
    ["arguments that are a list", { ...call, OPTA_TOOL_ARGS: "[]" }, "tool.pre"],
  ])("with %s cannot be judged", (_title, variables, name) => {
    expect(readOf(variables)).toEqual({ unreadable: expect.any(String), name });
  });

  it("of an event that the documents do not have are nobody's business", () => {
    expect(readOf({ ...base, OPTA_EVENT: "prompt.pre" })).toBe("ignored");
  });

  it("are the known ones alone: nothing else of the environment is taken along", () => {
    expect(opta.variables?.({ ...call, PATH: "/bin", OPTA_OTHER: "x" })).toEqual(call);
  });

  it("name no working folder where there is none", () => {
    expect(readOf({ ...call, OPTA_CWD: "" })).toMatchObject({ cwd: undefined });
  });
});

describe("Opta's replies, as documented, are exit codes", () => {
  it.each([
    ["block a call with its reason", blocked, "not this"],
    ["block a call that needs asking, and say that a human can let it run", asked, "only a human lets it run"],
    ["block a call that would be rewritten", decision({ changes: { args: { command: "echo" } } }), "rewrites"],
  ])("%s", (_title, made, words) => {
    const { reply } = said(opta, call, made);
    expect(reply).toEqual({ stdout: "", stderr: expect.stringContaining(words), exitCode: 2 });
  });

  it.each([
    ["an allowed call", call, decision()],
    ["a text for the model, which has no way", call, noted],
    ["a result, whatever was decided", result, blocked],
    ["the end of the loop", { ...base, OPTA_EVENT: "session.end" }, decision()],
  ])("are silent to %s", (_title, payload, made) => {
    expect(said(opta, payload, made).reply).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("close a fault of ours by exit code, with the reason", () => {
    expect(opta.fault("tool.pre", "broken")).toEqual({ stdout: "", stderr: "broken\n", exitCode: 2 });
  });
});
