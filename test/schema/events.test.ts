import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalEvent, eventKind, eventNames, events, mayChange } from "../../schema/events.ts";
import { hostEvent, hostNames, hosts } from "../../schema/hosts.ts";

const decisionSchema = JSON.parse(readFileSync(join(import.meta.dirname, "../../schema/decision.schema.json"), "utf8"));

describe("names of events", () => {
  it("no alias stands for two events, and none for another's canonical name", () => {
    const seen = new Map<string, string>();
    for (const name of eventNames) {
      for (const alias of [name, ...events[name].aliases]) {
        expect([alias, seen.get(alias)]).toEqual([alias, undefined]);
        seen.set(alias, name);
      }
    }
  });

  it.each(hostNames.filter((host) => ["in process", "command"].includes(hosts[host].kind)))(
    "every name that %s gives an event is known",
    (host) => {
      for (const name of eventNames) {
        for (const own of hostEvent(host, name)?.names ?? []) expect([own, canonicalEvent(own)]).toEqual([own, name]);
      }
    },
  );

  it.each([
    ["compact", "session_compact"],
    ["session.end", "agent_end"],
    ["tool.pre", "tool_call"],
    ["prompt.pre", "input"],
    ["PreToolUse", "tool_call"],
    ["pre_tool_use", "tool_call"],
    ["beforeShellExecution", "tool_call"],
    ["pre_run_command", "tool_call"],
    ["PostToolUseFailure", "tool_result"],
    ["BeforeModel", "context"],
    ["session_before_branch", "session_before_fork"],
    ["session.compacting", "session_compacting"],
    ["session_stop", "stop"],
    ["SessionEnd", "session_shutdown"],
  ])("%s is %s (semantics section 1)", (alias, name) => {
    expect(canonicalEvent(alias)).toBe(name);
  });

  it.each(["pretooluse", "execute", "toString", "__proto__", ""])("%j is no event", (name) => {
    expect(canonicalEvent(name)).toBeUndefined();
  });

  it("kinds are those of the table in semantics section 1", () => {
    const of = (kind: string) => eventNames.filter((name) => eventKind(name) === kind);
    expect(of("decide")).toEqual([
      "tool_call",
      "input",
      "user_bash",
      "user_python",
      "session_before_switch",
      "session_before_fork",
      "session_before_compact",
      "session_before_tree",
      "stop",
      "subagent_stop",
    ]);
    expect(of("transform")).toEqual([
      "tool_result",
      "context",
      "before_agent_start",
      "session_compacting",
      "resources_discover",
    ]);
    expect(of("observe")).toHaveLength(25);
  });
});

describe("what a decision may change", () => {
  it("every key of `changes` belongs to an event, and labels to all", () => {
    const keys = Object.keys(decisionSchema.definitions.Changes.properties);
    const allowed = new Set<string>(["labels", ...eventNames.flatMap((name) => events[name].changes)]);
    expect([...allowed].sort()).toEqual(keys.sort());
  });

  it.each([
    ["tool_call", "args", true],
    ["tool_call", "content", false],
    ["tool_result", "structured", true],
    ["tool_result", "args", false],
    ["session_before_fork", "skip_conversation_restore", true],
    ["session_before_tree", "label", true],
    ["session_compacting", "preserve_data", true],
    ["session_start", "labels", true],
    ["agent_end", "messages", false],
    ["user_python", "code", true],
  ] as const)("%s: %s is %s", (event, key, expected) => {
    expect(mayChange(event, key)).toBe(expected);
  });
});
