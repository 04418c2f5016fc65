import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { pinFile } from "../../../store/pinned-plan.ts";

let root = "";
let project = "";
let state = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-seen-")));
  project = join(root, "project");
  state = join(root, "home/.local/state/hookwarden");
  for (const folder of [project, join(root, "home")]) mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const policy = (word: string): string => `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch ${word} }, action: block, reason: not this }
`;

/** One hook, late enough for what was written before it to count as settled. */
async function hook(command: string, session = "s1"): Promise<string> {
  const payload = {
    session_id: session,
    cwd: project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c1",
  };
  const { stdout } = await runHook(["claude-code", "--policy", join(root, "p.yaml")], {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify(payload));
    })(),
    variables: {},
    cwd: project,
    home: join(root, "home"),
    now: () => Date.now() + 60_000,
  });
  return stdout;
}

const pin = (session = "s1") => pinFile(state, session);
const seen = (session = "s1") => pin(session).replace(".plan.json", ".seen");
const events = (session = "s1"): string[] => {
  const name = createHash("sha256").update(session).digest("hex");
  const lines = readFileSync(join(state, "audit", name, "000001.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line).body.event);
};

describe("a session of which something was seen", () => {
  beforeEach(async () => {
    write("p.yaml", policy("FORBIDDEN"));
    for (let i = 0; i < 2; i++) expect(await hook("echo hello")).toBe("");
    expect(existsSync(seen())).toBe(true);
  });

  it("is judged as before, and nothing is kept anew", async () => {
    const before = statSync(seen()).mtimeMs;
    expect(await hook("touch FORBIDDEN")).toContain("not this");
    expect(await hook("echo hello")).toBe("");
    expect(statSync(seen()).mtimeMs).toBe(before);
  });

  it("is closed once its pinned plan was altered, whatever its size and time say", async () => {
    const { atime, mtime } = statSync(pin());
    writeFileSync(pin(), readFileSync(pin(), "utf8").replace("FORBIDDEN", "PERMITTED"));
    utimesSync(pin(), atime, mtime);
    const answer = await hook("echo hello");
    expect(answer).toContain("HW508");
    expect(answer).toContain("altered");
  });

  it("has a changed policy on record, and keeps its plan", async () => {
    write("p.yaml", policy("OTHER"));
    expect(await hook("touch OTHER")).toBe("");
    expect(await hook("touch FORBIDDEN")).toContain("not this");
    expect(events()).toContain("reload_pending");
    expect(await hook("touch OTHER", "s2")).toContain("not this");
  });

  it("has a policy on record that has come to the project", async () => {
    write("project/.hookwarden/policy.yaml", policy("PROJECT").replace("policy: p", "policy: q"));
    expect(await hook("touch PROJECT")).toBe("");
    expect(events()).toContain("reload_pending");
  });

  it.each<[string, () => void]>([
    ["altered", () => writeFileSync(seen(), readFileSync(seen(), "utf8").replace("sha256:", "sha255:"))],
    ["empty", () => writeFileSync(seen(), "")],
    ["gone", () => rmSync(seen())],
  ])("is looked at anew where what was seen is %s", async (_, change) => {
    change();
    expect(await hook("touch FORBIDDEN")).toContain("not this");
    write("p.yaml", policy("OTHER"));
    expect(await hook("touch OTHER")).toBe("");
    expect(events()).toContain("reload_pending");
  });

  it("is not taken for another", async () => {
    write("p.yaml", policy("OTHER"));
    await hook("echo hello", "s2");
    copyFileSync(seen(), seen("s2"));
    expect(await hook("touch FORBIDDEN", "s2")).toBe("");
    expect(await hook("touch OTHER", "s2")).toContain("not this");
    expect(events("s2")).not.toContain("reload_pending");
  });
});
