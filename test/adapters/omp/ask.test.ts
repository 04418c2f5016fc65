import { describe, expect, it } from "vitest";
import { ompFamily } from "../../../adapters/omp/family.ts";
import { installGuard } from "../../../adapters/pi/guard.ts";
import { host, memoryStore } from "../pi/fake-host.ts";
import { contextWith, decision, judgeOf } from "../pi/payloads.ts";

const asking = decision({
  outcome: "ask",
  answered: "rule",
  rule: "p/ask",
  reason: "is it meant",
  matched: [{ rule: "p/ask", outcome: "ask" }],
});

const call = { type: "tool_call", toolName: "bash", toolCallId: "c1", input: { command: "echo a" } };

describe("a call in omp that a rule asks about", () => {
  it.each([
    ["runs as judged when the human approves", true, { input: { command: "echo a" } }],
    ["is blocked when the human does not approve", false, { block: true }],
    ["is blocked where there is no human", undefined, { block: true, reason: expect.stringContaining("HW510") }],
  ])("%s", async (_title, approves, expected) => {
    const omp = host();
    const store = memoryStore();
    installGuard(omp, () => judgeOf(() => asking), { store, now: () => 5, idPrefix: "t", log: () => {} }, ompFamily);
    const ui = { ...contextWith().ui, confirm: () => Promise.resolve(approves === true) };
    const context = approves === undefined ? contextWith() : contextWith({ hasUI: true, ui });
    expect(await omp.handlers.get("tool_call")?.(call, context)).toMatchObject(expected);
  });
});
