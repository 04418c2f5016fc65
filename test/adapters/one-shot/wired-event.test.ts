import { describe, expect, it } from "vitest";
import { canaryForms } from "../../../adapters/install/canary-payloads.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { answerHook, type HookPorts } from "../../../adapters/one-shot/hook.ts";
import { callerOf, dialects } from "../../../adapters/one-shot/registry.ts";
import { blocked } from "./decisions.ts";

/** What the judge heard of one payload, and what the host is told. */
async function heard(host: string, payload: Payload, event: string | undefined, isCallerAsked = false) {
  const dialect = dialects[host];
  if (!dialect) throw new Error(host);
  const judged: string[] = [];
  const ports: HookPorts = {
    judge(wire) {
      judged.push(wire.event);
      return { decision: blocked, grant: { skipPrompt: false } };
    },
    environment: (cwd) => ({ cwd }),
    caller: (given) => (isCallerAsked ? callerOf(dialect, given, {}) : dialect),
    keep: () => undefined,
    kept: () => undefined,
    cwd: "/w",
    now: () => 0,
    id: "e",
    ...(event !== undefined && { event }),
  };
  return { judged, reply: await answerHook(dialect, JSON.stringify(payload), ports) };
}

/** A payload whose event has another name, in every field that could hold it. */
function renamed(host: string, name: string | undefined): Payload {
  const fields = dialects[host]?.eventFields ?? [];
  const given: Record<string, unknown> = { ...canaryForms[host]?.payload("touch x", "/w") };
  const [own = ""] = fields.filter((field) => Object.hasOwn(given, field));
  for (const field of fields) delete given[field];
  if (name !== undefined) given[own || (fields[0] ?? "")] = name;
  return given;
}

const hosts = Object.keys(canaryForms);
const event = (host: string): string => canaryForms[host]?.event ?? "";

describe("an event that a host names otherwise than it was wired", () => {
  it.each(
    hosts.flatMap((host) =>
      ["SomethingNew", event(host).toUpperCase(), `${event(host)} `, "__proto__"].map((name) => [host, name] as const),
    ),
  )("%s: `%s` is judged as the event that the hook was wired for", async (host, name) => {
    const { judged, reply } = await heard(host, renamed(host, name), event(host));
    expect(judged).toEqual(["tool_call"]);
    expect(`${reply.stdout}${reply.stderr}`).toContain("not this");
  });

  it.each(hosts)("%s: so is one that does not name it at all", async (host) => {
    expect((await heard(host, renamed(host, undefined), event(host))).judged).toEqual(["tool_call"]);
  });

  it.each(hosts)("%s: a name that is known stands, and a hook of an older wiring is as it was", async (host) => {
    const payload = canaryForms[host]?.payload("touch x", "/w") ?? {};
    for (const wired of [event(host), undefined])
      expect((await heard(host, payload, wired)).judged).toEqual(["tool_call"]);
  });

  it("refuses what is no call though the hook was wired for calls", async () => {
    const { judged, reply } = await heard("claude-code", { session_id: "s", hook_event_name: "New" }, "PreToolUse");
    expect([judged, reply.exitCode]).toEqual([[], 2]);
  });

  it("refuses a result that a call carries along on Copilot, and takes it for no event of its own", async () => {
    const payload = { ...canaryForms["copilot"]?.payload("touch x", "/w"), toolResult: { textResultForLlm: "x" } };
    const { judged, reply } = await heard("copilot", payload, "preToolUse");
    expect([judged, reply.exitCode]).toEqual([[], 2]);
  });
});

/** Names that hosts have for events, in the spelling of each. */
const eventNames = [
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "Stop", "PostCompact"],
  ...["BeforeTool", "AfterTool", "AfterAgent", "AfterModel", "preToolUse", "postToolUse", "agentStop", "sessionEnd"],
  ...["beforeShellExecution", "afterFileEdit", "stop", "pre_run_command", "post_run_command", "post_mcp_tool_use"],
  ...["tool_call", "tool_result", "TaskComplete", "tool.post", "agent_end"],
];

/** Fields by which a payload can look like another host's. */
const marks: Readonly<Record<string, Payload>> = {
  none: {},
  "a mode of permissions": { permission_mode: "default" },
  "a stamp": { timestamp: "2026-01-01T00:00:00Z", transcript_path: "/t" },
  "a turn": { turn_id: "1" },
};

describe.each(hosts.filter((host) => host !== "opta"))(
  "a call under an event's name of any host, on a line of %s",
  (host) => {
    it.each(Object.entries(marks))("is refused as a call would be, with %s beside it", async (_, mark) => {
      const passed: string[] = [];
      for (const name of eventNames) {
        const payload = { ...renamed(host, name), ...mark };
        const named = dialects[host];
        // A host that reads the named one's files is answered in its own form.
        if (!named || callerOf(named, payload, {}).alsoReads?.includes(named.host)) continue;
        const { reply } = await heard(host, payload, event(host), true);
        if (!canaryForms[host]?.refused({ ...reply, code: reply.exitCode })) passed.push(name);
      }
      expect(passed).toEqual([]);
    });
  },
);

describe("a call under the name of another event, on a line that was wired for none", () => {
  it.each(hosts.filter((host) => host !== "opta"))("is refused by %s", async (host) => {
    const passed: string[] = [];
    for (const name of eventNames) {
      const { judged, reply } = await heard(host, renamed(host, name), undefined);
      if (judged.includes("tool_result")) continue;
      if (!canaryForms[host]?.refused({ ...reply, code: reply.exitCode })) passed.push(name);
    }
    expect(passed).toEqual([]);
  });
});
