import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GastownPi } from "../../adapters/gastown/api.ts";
import { createGastownExtension } from "../../adapters/gastown/entry.ts";
import { engineGate } from "../../adapters/hooks/engine-gate.ts";
import { hostVersion } from "../../adapters/host-version.ts";
import { createOmpExtension } from "../../adapters/omp/entry.ts";
import { createOptaGuard } from "../../adapters/opta/index.ts";
import type { PiApi, PiContext } from "../../adapters/pi/api.ts";
import { createExtension, installGuard } from "../../adapters/pi/entry.ts";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { contextWith, toolCallEvent } from "./pi/payloads.ts";
import { bodiesOf } from "./session-trail.ts";

/** Who records name as the one through whom an event came. */

const policy = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, title: No, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
`;

let root = "";
let file = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-callers-")));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  file = join(root, "p.yaml");
  writeFileSync(file, policy);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** A host of pi's family that loads an extension; `more` is what its interface has besides. */
function startHost(more: object = {}) {
  const handlers: [string, (event: unknown, context: PiContext) => unknown][] = [];
  const on = (name: string, handler: (event: unknown, context: PiContext) => unknown) =>
    void handlers.push([name, handler]);
  const api = Object.defineProperties({ on }, Object.getOwnPropertyDescriptors(more)) as unknown as PiApi;
  const context = contextWith({ cwd: root, sessionManager: { getSessionId: () => "s1" } });
  const call = async (): Promise<void> => {
    for (const [name, handler] of handlers)
      if (name === "tool_call") await handler(toolCallEvent("echo hello"), context);
  };
  return { api, call };
}

const recorded = () => bodiesOf(join(root, "state/hookwarden/audit"), "s1").find(({ event }) => event === "tool_call");

/** An engine that an application made, and what it put on record. */
function ownEngine() {
  const bodies: object[] = [];
  const seal = { seq: 0, written: "", pid: 0, latency_us: 0, mono: 0, prev: "", hash: "" };
  const append = (body: object) => {
    bodies.push(body);
    return seal;
  };
  const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy) }] });
  return { bodies, engine: createEngine(plan, { store: { append } }) };
}

describe("records name the adapter", () => {
  it("pi", async () => {
    const { api, call } = startHost();
    await createExtension({ policies: [file] })(api);
    await call();
    expect(recorded()).toMatchObject({ adapter: "pi", host: "pi" });
    expect(recorded()).not.toHaveProperty("host_version");
  });

  it("omp, with the version that its interface has", async () => {
    const { api, call } = startHost({ pi: { VERSION: "18.2.3" } });
    await createOmpExtension({ policies: [file] })(api);
    await call();
    expect(recorded()).toMatchObject({ adapter: "omp", host: "omp", host_version: "18.2.3" });
  });

  it.each([
    ["has none", {}],
    ["throws", Object.defineProperty({}, "pi", { enumerable: true, get: () => missing() })],
    ["gives no version", { pi: { VERSION: { major: 18 } } }],
  ])("omp, without a version where its interface %s", async (_, more) => {
    const { api, call } = startHost(more);
    await createOmpExtension({ policies: [file] })(api);
    await call();
    expect(recorded()).toMatchObject({ adapter: "omp" });
    expect(recorded()).not.toHaveProperty("host_version");
  });

  it("gastown, on pi", async () => {
    const { api, call } = startHost({ registerFlag: () => undefined, getFlag: () => undefined });
    const log = { file: () => undefined, screen: () => undefined };
    await createGastownExtension({ guard: { policies: [file] }, log, env: {} })(api as GastownPi);
    await call();
    expect(recorded()).toMatchObject({ adapter: "gastown", host: "pi" });
  });

  it("pi, for an engine that an application made and installs itself", async () => {
    const { bodies, engine } = ownEngine();
    const { api, call } = startHost();
    installGuard(api, () => engine);
    await call();
    expect(bodies[0]).toMatchObject({ adapter: "pi" });
  });

  it("opta", async () => {
    const { bodies, engine } = ownEngine();
    const guard = createOptaGuard(engine, { log: () => {} });
    const given = { tool_name: "run_command", tool_args: '{"command":"touch FORBIDDEN"}' };
    expect(await guard.fire("tool.pre", { event: "tool.pre", session_id: "s1", cwd: root, ...given })).toMatchObject({
      cancelled: true,
    });
    expect(bodies[0]).toMatchObject({ adapter: "opta" });
  });

  it("hooks, for a runner of hook modules", async () => {
    const { bodies, engine } = ownEngine();
    const gate = engineGate(engine, () => ({ cwd: root, sessionManager: { getSessionId: () => "s1" } }));
    await gate?.toolCall(toolCallEvent("echo hello"));
    expect(bodies[0]).toMatchObject({ adapter: "hooks" });
  });
});

function missing(): never {
  throw new Error("no such export");
}

describe("a host's version", () => {
  it.each(["1.18.33", "0.87.1-beta.2", "test/1", "@scope/name@1.0.0+5"])("may be %s", (version) => {
    expect(hostVersion(version)).toBe(version);
  });

  it.each([undefined, 5, "", "two words", "a\nb", "1".repeat(65)])("is none for %j", (value) => {
    expect(hostVersion(value)).toBeUndefined();
  });
});
