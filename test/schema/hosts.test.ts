import { describe, expect, it } from "vitest";
import { actionShapes } from "../../rules/actions/about.ts";
import { eventKind, eventNames } from "../../schema/events.ts";
import type { HostAction, HostRow } from "../../schema/hosts/row.ts";
import { weakerForms } from "../../schema/hosts/row.ts";
import { enforceable, hostEvent, hostNames, hostRow, hosts } from "../../schema/hosts.ts";
import { canonicalTool } from "../../schema/tools.ts";

const rows = hostNames.flatMap((host) =>
  eventNames.flatMap((event) => {
    const delivered = hostEvent(host, event);
    return delivered ? [{ host, event, ...delivered }] : [];
  }),
);

describe("the table of hosts", () => {
  it("every action that a host honours is possible on the event", () => {
    const impossible = rows.flatMap(({ host, event, can }) =>
      (Object.keys(can) as HostAction[]).flatMap((action) => {
        const shape = actionShapes[action.replace(/_(message|append|system)$/, "")];
        return shape && !shape.events.includes(event) ? [`${host} ${event} ${action}`] : [];
      }),
    );
    expect(impossible).toEqual([]);
  });

  it("only deciding events are blocked, asked about or allowed; results and contexts alone are shortened", () => {
    for (const { event, can } of rows) {
      const guards = ["block", "ask", "allow"].filter((action) => Object.hasOwn(can, action));
      if (eventKind(event) !== "decide") expect([event, guards]).toEqual([event, []]);
      if (can.truncate) expect(["tool_result", "context"]).toContain(event);
      if (can.drop) expect(event).toBe("context");
    }
  });

  it("a host that cannot ask blocks instead, wherever it can block", () => {
    for (const { host, can } of rows) {
      if (hosts[host].ask.by === "none" && can.block) expect([undefined, "blocks"]).toContain(can.ask);
    }
  });

  it("every event has a name on its host, and no host a name twice", () => {
    for (const host of hostNames) {
      const names = rows.filter((row) => row.host === host).flatMap((row) => row.names);
      expect([host, new Set(names).size]).toEqual([host, names.length]);
    }
    expect(rows.filter((row) => row.names.length === 0)).toEqual([]);
  });

  it("every weaker form is some host's", () => {
    const used = new Set(rows.flatMap(({ can }) => Object.values(can)));
    expect(Object.keys(weakerForms).filter((form) => !used.has(form as never))).toEqual([]);
  });

  it("tools have the canonical names that the table gives them", () => {
    const wrong = hostNames.flatMap((host) =>
      Object.entries((hosts[host] as HostRow).tools).flatMap(([tool, names]) =>
        names.filter((name) => canonicalTool(name) !== tool).map((name) => `${host} ${name}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("names that are none have no row", () => {
    expect([hostRow("pi"), hostRow("toString"), hostRow("__proto__")]).toEqual([hosts.pi, undefined, undefined]);
  });
});

describe("how hooks fail before a tool call (hosts pages, section 1 of others and section 4 of pi-and-omp)", () => {
  it.each([
    ["pi", "closed", "hangs"],
    ["omp", "closed", "closed"],
    ["claude-code", "open", "open"],
    ["codex", "open", "open"],
    ["gemini-cli", "open", "open"],
    ["opencode", "closed", "hangs"],
    ["copilot", "closed", "open"],
    ["cline", "open", "open"],
    ["goose", "open", "open"],
    ["opta", "closed", "open"],
  ] as const)("%s: a crash is %s, a time-out %s", (host, crash, timeout) => {
    expect(hosts[host].fails).toMatchObject({ crash, timeout });
  });

  it("pi passes the raw result where a handler throws", () => {
    expect(hostEvent("pi", "tool_result")?.fails).toEqual({ crash: "open" });
  });
});

describe("what can be enforced", () => {
  it.each([
    ["pi", "tool_call", "block", "full", undefined],
    ["pi", "tool_call", "inject_message", "weaker", "beside_result"],
    ["pi", "user_python", "block", "none", undefined],
    ["omp", "user_python", "block", "full", undefined],
    ["omp-hookapi", "tool_call", "modify", "none", undefined],
    ["omp-hookapi", "before_agent_start", "inject_system", "none", undefined],
    ["opta", "tool_call", "ask", "weaker", "blocks"],
    ["opta", "tool_result", "redact", "none", undefined],
    ["gastown", "tool_call", "ask", "weaker", "blocks"],
    ["claude-code", "tool_result", "redact", "weaker", "not_failures"],
    ["claude-code", "input", "modify", "none", undefined],
    ["codex", "tool_call", "ask", "weaker", "blocks"],
    ["codex", "tool_result", "redact", "weaker", "as_failure"],
    ["codex", "tool_call", "modify", "weaker", "skips_host_prompt"],
    ["gemini-cli", "tool_call", "modify", "weaker", "merged"],
    ["gemini-cli", "context", "redact", "weaker", "text_parts_only"],
    ["opencode", "context", "drop", "full", undefined],
    ["opencode", "tool_call", "ask", "weaker", "blocks"],
    ["copilot", "input", "block", "full", undefined],
    ["copilot", "input", "redact", "full", undefined],
    ["cursor", "tool_result", "redact", "weaker", "mcp_only"],
    ["cursor", "tool_call", "ask", "weaker", "blocks"],
    ["windsurf", "tool_call", "modify", "none", undefined],
    ["cline", "tool_result", "redact", "none", undefined],
    ["goose", "tool_call", "redact", "none", undefined],
    ["mcp", "tool_result", "redact", "full", undefined],
    ["mcp", "input", "block", "none", undefined],
    ["opta", "error", "notify", "full", undefined],
    ["opta", "turn_start", "label", "none", undefined],
  ] as const)("%s %s %s: %s %s", (host, event, action, level, form) => {
    const answer = enforceable(host, event, action);
    expect([answer.level, answer.level === "weaker" ? answer.form : undefined]).toEqual([level, form]);
    expect(answer.reason).not.toBe("");
  });

  it("the reason says what is missing", () => {
    expect(enforceable("pi", "user_python", "block").reason).toBe("pi does not deliver `user_python`");
    expect(enforceable("pi", "agent_end", "redact").reason).toBe(
      "pi has no way to do it on `agent_end`; the event is only seen",
    );
    expect(enforceable("opta", "tool_call", "ask").reason).toContain("cannot ask, so the call is blocked");
  });
});
