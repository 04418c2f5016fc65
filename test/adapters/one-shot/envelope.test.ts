import { describe, expect, it } from "vitest";
import { canaryForms } from "../../../adapters/install/canary-payloads.ts";
import { answerHook, type HookPorts } from "../../../adapters/one-shot/hook.ts";
import { callerOf, dialectOf } from "../../../adapters/one-shot/registry.ts";
import type { WireEvent } from "../../../schema/generated.ts";
import { decision } from "./decisions.ts";
import { type EnvelopeFault, envelopeFaults, envelopeHosts, soundCall } from "./envelope-faults.ts";

/** What the judge heard of a payload that a policy lets through, and what the host is told. */
async function heard({ host, text, wired }: Pick<EnvelopeFault, "host" | "text" | "wired">) {
  const dialect = dialectOf(host);
  const form = canaryForms[host];
  if (!dialect || !form) throw new Error(host);
  const judged: WireEvent[] = [];
  const event = wired === undefined ? form.event : wired;
  const ports: HookPorts = {
    judge(wire) {
      judged.push(wire);
      return { decision: decision(), grant: { skipPrompt: false } };
    },
    environment: (cwd) => ({ cwd }),
    caller: (payload) => callerOf(dialect, payload, {}),
    keep: () => undefined,
    kept: () => undefined,
    cwd: "/w",
    now: () => 0,
    id: "e",
    ...(event !== null && { event }),
  };
  const { stdout, stderr, exitCode } = await answerHook(dialect, text, ports);
  return {
    judged: judged.map(({ event: name, args }) => [name, args?.["command"]]),
    refused: form.refused({ code: exitCode, stdout, stderr }),
    said: `${stdout}${stderr}`,
  };
}

describe.each(envelopeHosts)("an envelope of %s", (host) => {
  it("in which nothing is wrong is judged, and let through", async () => {
    const { judged, refused } = await heard({ host, text: JSON.stringify(soundCall(host)) });
    expect({ judged, refused }).toEqual({ judged: [["tool_call", "touch CONTROL"]], refused: false });
  });

  it.each(
    envelopeFaults
      .filter((one) => one.host === host && one.answer === "refused")
      .map((one) => [one.fault, one] as const),
  )("is refused in its own form, without being judged: %s", async (_, fault) => {
    const { judged, refused, said } = await heard(fault);
    expect({ judged, refused }).toEqual({ judged: [], refused: true });
    expect(said).toContain("`hookwarden doctor ");
  });

  it.each(
    envelopeFaults
      .filter((one) => one.host === host && one.answer === "judged")
      .map((one) => [one.fault, one] as const),
  )("is judged as the call that it is: %s", async (_, fault) => {
    expect((await heard(fault)).judged).toEqual([["tool_call", "touch CONTROL"]]);
  });
});
