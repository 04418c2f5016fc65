import { describe, expect, it } from "vitest";
import { environmentOf } from "../../rules/environment.ts";
import { effectTypes, message } from "../../rules/fact-types.ts";
import type { Type } from "../../rules/types.ts";
import { printType, string } from "../../rules/types.ts";
import type { EventName } from "../../schema/events.ts";
import { eventNames } from "../../schema/events.ts";

function typeOf(events: readonly EventName[], tools: readonly string[], name: string): string | undefined {
  const type = environmentOf(events, tools).variables.get(name)?.type;
  return type && printType(type);
}

function fields(type: Type | undefined): readonly string[] {
  return type?.kind === "record"
    ? [...type.fields()].map(([name, field]) => `${name}${field.required ? "" : "?"}: ${printType(field.type)}`)
    : [];
}

describe("environmentOf", () => {
  it("types the arguments of a canonical tool that is named exactly", () => {
    const args = environmentOf(["tool_call"], ["read"]).variables.get("args")?.type;
    expect(fields(args)).toEqual(["path: path", "offset?: int", "limit?: int"]);
  });

  it("takes the arguments that any of the named tools has, those that one lacks as absent ones", () => {
    const args = environmentOf(["tool_call"], ["read", "write", "list"]).variables.get("args")?.type;
    expect(fields(args)).toEqual(["path?: path", "offset?: int", "limit?: int", "content?: string"]);
  });

  it("knows a tool by a host's name", () => {
    expect(fields(environmentOf(["tool_call"], ["Read"]).variables.get("args")?.type)).toContain("path: path");
  });

  for (const tools of [[], ["*"], ["mcp__fs__*"], ["bash", "mcp__fs__move"]]) {
    it(`leaves the arguments dyn for ${JSON.stringify(tools)}`, () =>
      expect(typeOf(["tool_call"], tools, "args")).toBe("dyn"));
  }

  it("has only what every event of the rule has, and says where the rest is", () => {
    const environment = environmentOf(["tool_call", "context"], []);
    expect(environment.variables.has("messages")).toBe(false);
    expect(environment.elsewhere.get("messages")).toEqual([
      "context",
      "before_agent_start",
      "session_compacting",
      "agent_end",
    ]);
    expect(environment.variables.has("session")).toBe(true);
  });

  it("keeps slot 0 for `each`, slot 1 for the message, and macros after both", () => {
    const each = { name: "d", type: effectTypes["deletes"] as Type };
    const environment = environmentOf(["context"], [], { each, extra: [{ name: "message", type: message }] });
    expect([
      environment.variables.get("d")?.slot,
      environment.variables.get("message")?.slot,
      environment.slots,
    ]).toEqual([0, 1, 2]);
    expect(
      environmentOf(["context"], [], { extra: [{ name: "message", type: string }] }).variables.get("message")?.slot,
    ).toBe(1);
  });

  it("documents every name and field for the reference", () => {
    const undocumented: string[] = [];
    const seen = new Set<string>();
    const visit = (name: string, type: Type): void => {
      if (type.kind === "list") visit(name, type.element);
      if (type.kind !== "record" || seen.has(type.name)) return;
      seen.add(type.name);
      for (const [field, { doc, type: inner }] of type.fields()) {
        if (doc === "") undocumented.push(`${name}.${field}`);
        visit(`${name}.${field}`, inner);
      }
    };
    for (const event of eventNames) {
      for (const { name, doc, type } of environmentOf([event], ["bash"]).variables.values()) {
        if (doc === "") undocumented.push(name);
        visit(name, type);
      }
    }
    expect(undocumented).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });
});
