import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canaryForms } from "../../../adapters/install/canary-payloads.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { answerHook } from "../../../adapters/one-shot/hook.ts";
import { callerOf, dialectOf, hookHosts } from "../../../adapters/one-shot/registry.ts";
import { seed } from "../../properties/seed.ts";
import { blocked } from "./decisions.ts";

/** Fields by which a host names its event: with another name it is another event. */
const naming = new Set(["hook_event_name", "hookEventName", "hookName", "event", "agent_action_name", "OPTA_EVENT"]);

/** Every place in a payload below its root, but for those of events' names. */
function places(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    naming.has(key) ? [] : [[...at, key], ...places(inner, [...at, key])],
  );
}

/** A copy with another value at one place; undefined takes it out. */
function withOther(payload: Payload, [key = "", ...rest]: readonly string[], value: unknown): Payload {
  const inner = payload[key];
  const changed = rest.length === 0 ? value : withOther(inner as Payload, rest, value);
  const copy: Record<string, unknown> = { ...payload, [key]: changed };
  if (changed === undefined) delete copy[key];
  return Array.isArray(payload) ? (Object.values(copy) as unknown as Payload) : copy;
}

const odd = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", "\0", "x".repeat(5_000)),
);

describe("a call whose payload is not as it should be", () => {
  it.each(hookHosts)("of %s is refused in that host's form, if a policy refuses every call", async (host) => {
    const form = canaryForms[host];
    const dialect = dialectOf(host);
    if (!form || !dialect) throw new Error(`no payload of ${host}`);
    const payload = form.payload("touch FORBIDDEN", "/w");
    const ports = {
      judge: () => ({ decision: blocked, grant: { skipPrompt: false } }),
      environment: () => ({ cwd: "/w" }),
      caller: (given: Payload) => callerOf(dialect, given, {}),
      keep: () => undefined,
      kept: () => undefined,
      cwd: "/w",
      now: () => 0,
      id: "e1",
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places(payload)), odd, async (place, value) => {
        const { stdout, stderr, exitCode } = await answerHook(
          dialect,
          JSON.stringify(withOther(payload, place, value)),
          ports,
        );
        expect(form.refused({ code: exitCode, stdout, stderr })).toBe(true);
      }),
      { seed, numRuns: 300 },
    );
  });

  it.each(hookHosts)("of %s that is no JSON object is refused in that host's form", async (host) => {
    const form = canaryForms[host];
    const dialect = dialectOf(host);
    if (!form || !dialect) throw new Error(`no payload of ${host}`);
    const whole = JSON.stringify(form.payload("touch FORBIDDEN", "/w"));
    for (const text of [
      "",
      "null",
      "[]",
      "1",
      '"x"',
      "{}",
      `${whole}x`,
      `[${whole}]`,
      ...[1, 20, whole.length - 1].map((n) => whole.slice(0, n)),
    ]) {
      const { stdout, stderr, exitCode } = await answerHook(dialect, text, {
        judge: () => ({ decision: blocked, grant: { skipPrompt: false } }),
        environment: () => ({ cwd: "/w" }),
        caller: (given) => callerOf(dialect, given, {}),
        keep: () => undefined,
        kept: () => undefined,
        cwd: "/w",
        now: () => 0,
        id: "e1",
      });
      expect([text, form.refused({ code: exitCode, stdout, stderr })]).toEqual([text, true]);
    }
  });
});
