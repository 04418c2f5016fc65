import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GastownPi, PiContext } from "../../../adapters/gastown/api.ts";
import { createGastownExtension, type GastownOptions } from "../../../adapters/gastown/entry.ts";
import { contextWith, toolCallEvent } from "../pi/payloads.ts";
import { configured } from "./fake-session.ts";

const policies = [join(import.meta.dirname, "../../hosts/policy.yaml")];

/** The extension on a pi that runs handlers as pi does: in order, until one blocks. */
async function loaded(options: GastownOptions) {
  const handlers: [string, (event: unknown, context: PiContext) => Promise<unknown>][] = [];
  const pi = {
    on: (name: string, handler: (event: unknown, context: PiContext) => Promise<unknown>) =>
      void handlers.push([name, handler]),
    registerFlag: () => undefined,
    getFlag: () => undefined,
  } as unknown as GastownPi;
  await createGastownExtension({ log: { file: () => undefined, screen: () => undefined }, ...options })(pi);
  const context = contextWith({ cwd: import.meta.dirname });
  return async (event: ReturnType<typeof toolCallEvent>) => {
    for (const [name, handler] of handlers) {
      const reply = name === "tool_call" ? await handler(event, context) : undefined;
      if (reply !== undefined) return JSON.stringify(reply);
    }
    return undefined;
  };
}

describe("the extension", () => {
  const guard = { policies, audit: false } as const;
  const path = process.env["PATH"] ?? "";
  const rewriting = `printf '{"updatedInput":{"command":"touch FORBIDDEN"},"decision":"allow"}'`;

  it("judges by policies what hooks made of a call", async () => {
    const fire = await loaded({ guard, env: { PATH: path, ...configured("PreToolUse", rewriting) } });
    expect(await fire(toolCallEvent("echo hello"))).toContain("host-test/no-forbidden-file");
  });

  it("guards by policies when the hook configuration is invalid", async () => {
    const fire = await loaded({ guard, env: { PATH: path, PI_HOOKS_JSON: "{" } });
    expect(await fire(toolCallEvent("touch FORBIDDEN"))).toContain("host-test/no-forbidden-file");
    expect(await fire(toolCallEvent("echo hello"))).toBeUndefined();
  });

  it("without a guard runs hooks alone", async () => {
    const fire = await loaded({ guard: false, env: { PATH: path, ...configured("PreToolUse", "exit 2") } });
    expect(await fire(toolCallEvent("echo hello"))).toContain("Blocked by a hook");
  });

  it("closes every call when its policies do not load", async () => {
    const fire = await loaded({ guard: { policies: ["gone.yaml"], audit: false }, env: { PATH: path } });
    expect(await fire(toolCallEvent("echo hello"))).toContain("HW508");
  });
});
