import { describe, expect, it } from "vitest";
import { engineGate } from "../../../adapters/hooks/engine-gate.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { call, profileNames, runnerOf } from "./modules.ts";

const source = `version: 1
policy: t
description: of a test
rules:
  - { id: a, event: tool_call, tool: read, action: ask, reason: sure }
`;

function engine() {
  const { plan } = compile({ files: [{ name: "t.yaml", path: "/t.yaml", bytes: new TextEncoder().encode(source) }] });
  return createEngine(plan);
}

describe.each(profileNames)("a call that a rule asks about, profile %s", (profile) => {
  it.each([
    ["runs when the human approves", true, true, false],
    ["is blocked when the human does not approve", true, false, true],
    ["is blocked where there is no human", false, true, true],
  ])("%s", async (_title, hasUI, approves, blocked) => {
    const ui = { confirm: async () => approves, notify: () => undefined };
    const context = () => ({ cwd: "/repo", hasUI, ui });
    const policy = engineGate(engine(), context, { idPrefix: "t", log: () => undefined });
    const { runner } = runnerOf(profile, [], policy ? { policy } : {});
    expect((await runner.emitToolCall(call())).block ?? false).toBe(blocked);
  });
});
