import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOmpExtension } from "../../../adapters/omp/entry.ts";
import type { PiApi } from "../../../adapters/pi/api.ts";
import { createExtension } from "../../../adapters/pi/entry.ts";
import { compile } from "../../../compiler/compile.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { defaultRoots, discoverRoots } from "../../../store/discover.ts";
import { approveOnce, requestReload } from "../../../store/human-decisions.ts";
import { trust, trustedDigests } from "../../../store/trust.ts";
import { host } from "./fake-host.ts";
import { contextWith, toolCallEvent } from "./payloads.ts";

/** A session of the real extension with home, state and project in folders of the test's own. */
let root = "";
let project = "";
let state = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-pi-")));
  project = join(root, "project");
  state = join(root, "home", ".local", "state", "hookwarden");
  vi.stubEnv("HOME", join(root, "home"));
  vi.stubEnv("XDG_STATE_HOME", undefined);
  put(join(root, "home", ".config", "hookwarden", "p.yaml"), blocking("one"));
  mkdirSync(project, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

/** A policy that blocks reading one file, asks for another, and lets the rest be. */
const blocking = (name: string) => `version: 1
policy: p
labels: { seen: { kind: mark } }
rules:
  - { id: block, event: tool_call, tool: read, when: { args.path: { ends_with: ${name} } }, action: block, reason: no ${name} }
  - { id: ask, event: tool_call, tool: read, when: { args.path: { ends_with: asked } }, action: ask, reason: sure? }
  - { id: mark, event: tool_call, tool: read, when: { args.path: { ends_with: marker } }, action: { label: { add: [seen] } } }
  - { id: marked, event: tool_call, tool: read, when: { all: [{ args.path: { ends_with: later } }, { session.labels: { contains: seen } }] }, action: block, reason: marked }
`;

async function started() {
  const pi = host();
  const audit = join(root, "audit");
  await createExtension({ cwd: project, audit: { folder: audit } })(pi as unknown as PiApi);
  const read = async (path: string, session = "s", hasUI = false) => {
    const context = { ...contextWith({ hasUI }), sessionManager: { getSessionId: () => session } };
    const event = { ...toolCallEvent(), toolName: "read", input: { path }, toolCallId: `${session}${path}` };
    const reply = (await pi.handlers.get("tool_call")?.(event, context as never)) as { reason?: string } | undefined;
    return { refused: reply?.reason ?? "", said: context.said };
  };
  const records = (): AuditBody[] =>
    readdirSync(audit, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .flatMap((name) => readFileSync(join(audit, name), "utf8").trim().split("\n"))
      .map((line) => (JSON.parse(line) as { body: AuditBody }).body);
  return { read, records };
}

const userPolicy = () => join(root, "home", ".config", "hookwarden", "p.yaml");

/** Digest of the plan that stands on disk now. */
function planNow(): string {
  const { files } = discoverRoots(defaultRoots(project), project);
  return compile({ files, trusted: trustedDigests(state) }).plan?.digest ?? "";
}

describe("a running session", () => {
  it("keeps the plan it began with, and says once that another stands on disk", async () => {
    const { read, records } = await started();
    expect((await read("one")).refused).toContain("no one");
    put(userPolicy(), blocking("two"));
    const seen = await read("one", "s", true);
    expect(seen.refused).toContain("no one");
    expect(seen.said).toEqual([expect.stringContaining("until `hookwarden reload`")]);
    expect((await read("two")).refused).toBe("");
    const notes = records().filter(({ event }) => event === "reload_pending");
    expect(notes).toMatchObject([
      { kind: "note", session: "s", observations: { policies: expect.stringMatching(/^sha256:/) } },
    ]);
  });

  it("takes the new plan over when a human reloads it, and goes on with its labels", async () => {
    const { read, records } = await started();
    await read("marker");
    put(userPolicy(), blocking("two"));
    await read("x");
    requestReload(state, planNow(), Date.now());
    expect((await read("two")).refused).toContain("no two");
    expect((await read("later")).refused).toContain("marked");
    expect(records().map(({ event }) => event)).toContain("reloaded");
  });

  it("is not moved by a request for another plan, or one from before it began", async () => {
    put(userPolicy(), blocking("two"));
    requestReload(state, planNow(), Date.now() - 60_000);
    put(userPolicy(), blocking("one"));
    const { read } = await started();
    await read("x");
    requestReload(state, `sha256:${"0".repeat(64)}`, Date.now());
    put(userPolicy(), blocking("two"));
    expect((await read("two")).refused).toBe("");
    expect((await read("one")).refused).toContain("no one");
  });

  it("keeps its plan when what stands on disk does not load", async () => {
    const { read, records } = await started();
    await read("x");
    put(userPolicy(), "version: 1\npolicy: p\nrules: 7\n");
    expect((await read("one")).refused).toContain("no one");
    const notes = records().filter(({ event }) => event === "reload_pending");
    expect(notes).toMatchObject([{ observations: { policies: expect.stringMatching(/^sha256:/) } }]);
  });
});

it("a new session begins with what stands on disk", async () => {
  const { read } = await started();
  await read("x");
  put(userPolicy(), blocking("two"));
  expect((await read("two", "another")).refused).toContain("no two");
  expect((await read("two")).refused).toBe("");
});

describe("a call that nobody can be asked about", () => {
  it("says that a human can let it run, not how, and then runs once", async () => {
    const { read, records } = await started();
    const { refused } = await read("asked");
    expect(refused).not.toMatch(/sha256|hookwarden approve/);
    const key = records().at(-1)?.state?.question?.key ?? "";
    approveOnce(state, key, Date.now());
    expect((await read("asked")).refused).toBe("");
    expect((await read("asked")).refused).toContain("only a human lets it run");
    const approvals = records().filter(({ kind }) => kind === "approval");
    expect(approvals).toMatchObject([{ approval: { by: "break-glass", answer: "allow", key } }]);
  });
});

describe("a project's policy", () => {
  const own = () => join(project, ".hookwarden", "p.yaml");
  const loosening = `version: 1
policy: mine
rules:
  - { id: rewrite, event: tool_call, tool: read, action: { modify: { set: { path: other } } } }
`;

  it("that does not load puts side effects to the human, with the reason; reading goes on", async () => {
    put(own(), "version: 1\npolicy: mine\nrules: 7\n");
    const { read } = await started();
    expect((await read("x")).refused).toBe("");
    expect((await read("one")).refused).toContain("no one");
    const pi = host();
    await createExtension({ cwd: project, audit: false })(pi as unknown as PiApi);
    const write = { ...toolCallEvent(), toolName: "write", input: { path: "x", content: "x" } };
    const reply = await pi.handlers.get("tool_call")?.(write, contextWith());
    expect(reply).toMatchObject({
      block: true,
      reason: expect.stringContaining("project's policy does not load (HW102"),
    });
  });

  it("counts in a subfolder of its repository as well, and is none where others are named", async () => {
    put(
      own(),
      "version: 1\npolicy: mine\nrules: [{ id: r, event: tool_call, tool: ls, action: block, reason: mine }]\n",
    );
    mkdirSync(join(project, ".git"));
    const cwd = join(project, "a", "b");
    mkdirSync(cwd, { recursive: true });
    const list = { ...toolCallEvent(), toolName: "ls", input: { path: "." } };
    for (const create of [createExtension, createOmpExtension]) {
      const below = host();
      await create({ cwd, audit: false })(below as unknown as PiApi);
      const reply = await below.handlers.get("tool_call")?.(list, contextWith({ cwd }));
      expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("mine/r") });
      const named = host();
      await create({ cwd, audit: false, policies: [userPolicy()] })(named as unknown as PiApi);
      const other = (await named.handlers.get("tool_call")?.(list, contextWith({ cwd }))) as
        | { block?: true }
        | undefined;
      expect(other?.block).toBeUndefined();
    }
  });

  it("does what loosens only once a human trusts its bytes", async () => {
    put(own(), loosening);
    const one = await started();
    expect((await one.read("one")).refused).toContain("no one");
    trust(state, [{ digest: compileDigest(), path: own(), time: "2026-11-22T00:00:00Z" }]);
    const two = await started();
    expect((await two.read("one")).refused).toBe("");
  });

  function compileDigest(): string {
    const { files } = discoverRoots(defaultRoots(project), project);
    const { stages } = compile({ files });
    return stages.typed.find(({ resolved }) => resolved.scope === "project")?.digest ?? "";
  }
});
