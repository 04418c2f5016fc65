import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { harmlessForms, type PathForm, pathForms } from "./argument-forms.ts";

const policy = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: write, title: A write, event: tool_call, each: { w: effects.writes }, when: { w.path: { glob: "**/FORBIDDEN*" } }, action: block, reason: not this }
  - { id: delete, title: A delete, event: tool_call, each: { d: effects.deletes }, when: { d.path: { glob: "**/FORBIDDEN*" } }, action: block, reason: not this }
`;

const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy) }] });
if (!plan) throw new Error("the policy does not compile");
const engine = createEngine(plan, {});

function outcome(tool: string, args: Readonly<Record<string, unknown>>): string {
  const given = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
  return engine.decide({ event: "tool_call", tool, args: given, environment: { cwd: "/w" } }).decision.outcome;
}

const named = (forms: readonly PathForm[]) => forms.map((one) => [one.tool, one.about, one] as const);

describe("a file that a call would change", () => {
  it.each(named(pathForms))("%s, %s: is found", (tool, _about, { args }) => {
    expect([outcome(tool, args("FORBIDDEN")), outcome(tool, args("sub/FORBIDDEN.txt"))]).toEqual(["block", "block"]);
  });
});

describe("a file that a call only reads or speaks of", () => {
  it.each(named(harmlessForms))("%s, %s: is none that it changes", (tool, _about, { args }) => {
    expect([outcome(tool, args("FORBIDDEN")), outcome(tool, args("sub/FORBIDDEN.txt"))]).toEqual(["allow", "allow"]);
  });
});
