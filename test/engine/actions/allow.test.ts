import { describe, expect, it } from "vitest";
import type { Decision } from "../../../schema/generated.ts";
import { bash, call, engineFor } from "./engine.ts";

const reads = `- { id: reads, event: tool_call, each: { r: effects.reads }, when: { r.path: { is: workspace } }, action: allow }`;
const writes = `- { id: writes, event: tool_call, each: { w: effects.writes }, when: { w.path: { is: workspace } }, action: allow }`;
const ls = `- { id: ls, event: tool_call, each: { c: shell.commands }, when: { c.program: ls }, action: allow }`;
const cat = `- { id: cat, event: tool_call, each: { c: shell.commands }, when: { c.program: cat }, action: allow }`;
const bashAll = `- { id: all, event: tool_call, tool: bash, action: allow }`;
const bashOpaque = `- { id: all, event: tool_call, tool: bash, action: { allow: { opaque: true } } }`;
const readsOpaque = `- { id: reads, event: tool_call, each: { r: effects.reads }, action: { allow: { opaque: true } } }`;

const decide = (rules: readonly string[], event: object, fallback = "block"): Decision =>
  engineFor(`version: 1\npolicy: p\ndefault: ${fallback}\nunknown: ask\nrules:\n${rules.join("\n")}\n`).decide(event)
    .decision;

describe("a call is answered only if every command and effect of it is covered (semantics section 3, step 5)", () => {
  it.each<[string, readonly string[], object, Decision["outcome"]]>([
    ["a command covers the effects it causes", [ls], bash("ls"), "allow"],
    ["an effect covers itself, and with all its effects the command", [reads], bash("cat notes.txt"), "allow"],
    ["not an effect beside it", [reads], bash("cat notes.txt > copy.txt"), "block"],
    ["two effects by two rules", [reads, writes], bash("cat notes.txt > copy.txt"), "allow"],
    ["not a command beside it", [ls], bash("ls; cat notes.txt"), "block"],
    ["two commands by two rules", [ls, cat], bash("ls; cat notes.txt"), "allow"],
    ["a command and an effect by two rules", [ls, reads], bash("ls; cat notes.txt"), "allow"],
    ["not an effect elsewhere", [reads], bash("cat notes.txt /etc/hosts"), "block"],
    ["a filter without an effect of its own needs no cover", [cat], bash("cat notes.txt | sort"), "allow"],
    ["a command whose words are data needs none", [cat], bash("cd src && cat notes.txt && echo done"), "allow"],
    ["another command without an effect of its own does", [cat], bash("cat notes.txt; git commit -m x"), "block"],
    ["and not where effects are what is allowed", [reads], bash("cat notes.txt; git commit -m x"), "allow"],
    ["nor where two rules allow one of each", [ls, reads], bash("ls; cat notes.txt; git commit -m x"), "allow"],
    ["what a pipe leads to does", [cat], bash("cat notes.txt | tee copy.txt"), "block"],
    ["not what a substitution runs", [ls], bash("ls $(cat notes.txt)"), "block"],
    ["the whole call by a rule without `each`", [bashAll], bash("ls; cat /etc/hosts"), "allow"],
    ["another tool's effect", [reads], call("read", { path: "notes.txt" }), "allow"],
    ["not another tool's effect elsewhere", [reads], call("read", { path: "/etc/hosts" }), "block"],
    ["an opaque call: nothing", [bashAll], bash("some-program notes.txt"), "block"],
    ["an opaque call, where the rule says so", [bashOpaque], bash("some-program notes.txt"), "allow"],
    [
      "an effect beside an opaque command: not that command",
      [readsOpaque],
      bash("some-program; cat notes.txt"),
      "block",
    ],
    ["an unknown call: nothing, whatever the rule says", [bashOpaque], bash("echo 'open"), "block"],
    [
      "an MCP tool is opaque",
      ["- { id: a, event: tool_call, tool: 'mcp__*', action: allow }"],
      call("mcp__s__t", { path: "/etc" }),
      "block",
    ],
    [
      "an MCP tool, where the rule says so",
      ["- { id: a, event: tool_call, tool: 'mcp__*', action: { allow: { opaque: true } } }"],
      call("mcp__s__t", { path: "/etc" }),
      "allow",
    ],
  ])("%s", (_name, rules, event, outcome) => expect(decide(rules, event).outcome).toBe(outcome));

  it.each<[string, object, Decision["outcome"]]>([
    ["both readings are covered", call("read", { path: "a.txt", file_path: "b.txt" }), "allow"],
    ["one of them is not", call("read", { path: "a.txt", file_path: "/etc/hosts" }), "block"],
    ["the other is not", call("read", { path: "/etc/hosts", file_path: "a.txt" }), "block"],
  ])("arguments that disagree: %s", (_name, event, outcome) => expect(decide([reads], event).outcome).toBe(outcome));

  it("a link that leads out of the workspace is not in it", () => {
    const files = { "/home/dev/app/notes.txt": { symlink: "/etc/hosts" } };
    const event = call("read", { path: "notes.txt" });
    const linked = { ...event, environment: { ...(event["environment"] as object), files } };
    expect([decide([reads], event).outcome, decide([reads], linked).outcome]).toEqual(["allow", "block"]);
  });
});

describe("`allow` beside other outcomes", () => {
  const block = "- { id: no, event: tool_call, tool: bash, action: block, reason: no }";
  const ask = "- { id: sure, event: tool_call, tool: bash, action: ask, reason: sure }";
  it.each<[string, readonly string[], string, Decision["outcome"], string | undefined]>([
    ["never beats a block", [ls, block], "ask", "block", "p/no"],
    ["never beats an ask", [ls, ask], "block", "ask", "p/sure"],
    ["answers a default of ask", [ls], "ask", "allow", "p/ls"],
    ["is not needed where the default is allow", [], "allow", "allow", undefined],
    ["is cited where the default is allow", [ls], "allow", "allow", "p/ls"],
  ])("%s", (_name, rules, fallback, outcome, rule) => {
    const made = decide([...rules, "- { id: z, event: input, action: block, reason: z }"], bash("ls"), fallback);
    expect([made.outcome, made.rule]).toEqual([outcome, rule]);
  });

  it("one that cannot be judged does not apply, and is recorded", () => {
    const rule = `- { id: a, event: tool_call, tool: bash, when: "int(args.command) > 3", action: allow }`;
    expect(decide([rule], bash("ls"))).toMatchObject({
      outcome: "block",
      answered: "default",
      errors: [{ code: "HW502", rule: "p/a" }],
    });
  });

  it("`unless` sees certain elements only: what is only possible is not waived", () => {
    const rule = `- { id: r, event: tool_call, tool: bash, each: { r: effects.reads }, unless: { r.path: { is: workspace } }, action: block, reason: no }`;
    expect(decide([rule], bash("cat notes.txt"), "allow").outcome).toBe("allow");
    expect(decide([rule], bash("some-program ./notes.txt"), "allow").outcome).toBe("block");
  });

  it("in monitor mode it answers nothing", () => {
    const made = decide([ls.replace("id: ls", "id: ls, mode: monitor")], bash("ls"));
    expect(made).toMatchObject({ outcome: "block", answered: "default", would: [{ rule: "p/ls", outcome: "allow" }] });
  });
});
