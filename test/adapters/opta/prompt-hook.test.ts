import { afterEach, expect, it, vi } from "vitest";
import { HookManager, type HookResult } from "../../../adapters/opta/index.ts";

afterEach(() => void vi.useRealTimers());

it.each([
  ["have 10 seconds when they do not say", undefined, 10_000],
  ["have the time that they say", 300, 300],
])("%s", async (_name, timeout, ends) => {
  vi.useFakeTimers();
  const hook = { event: "tool.pre", prompt: "Is this harmless?", ...(timeout !== undefined && { timeout }) } as const;
  const manager = HookManager.create([hook], { judge: () => new Promise(() => {}) });
  const results: HookResult[] = [];
  const fired = manager.fire("tool.pre", { event: "tool.pre", session_id: "s", cwd: import.meta.dirname });
  void fired.then((result) => results.push(result));
  await vi.advanceTimersByTimeAsync(ends - 1);
  expect(results).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(results).toEqual([{ cancelled: true, reason: "the judge did not answer in time" }]);
});
