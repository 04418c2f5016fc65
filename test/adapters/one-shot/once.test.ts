import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { approveOnce } from "../../../store/human-decisions.ts";
import { waitingKey } from "../../cli/human.ts";

/** Hosts that read each other's files call two hooks of ours for one event: it is judged once, and both say the same. */

let root = "";
let project = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-once-")));
  project = join(root, "project");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(root, "home"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const state = () => join(root, "home/.local/state/hookwarden");
const answers = () => join(state(), "sessions/answers");

function write(path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const rules = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: asks, event: tool_call, tool: bash, when: { args.command: touch ASKED }, action: ask, reason: is it meant }
  - { id: twice, event: tool_call, tool: bash, when: { args.command: touch COUNTED }, budget: { per: session, limit: 2 }, action: block, reason: often enough }
`;

/** Where each wiring of a test stands: one file is that of the host itself. */
const files = {
  claude: "home/.claude/settings.json",
  copilot: "home/.copilot/hooks/hookwarden.json",
  cursor: "home/.cursor/hooks.json",
};
const wire = (...names: (keyof typeof files)[]): void => {
  for (const name of names) write(files[name], '{ "command": "/x/hookwarden-hook.cjs" }');
};

const camel = (command: string, more: Payload = {}): Payload => ({
  sessionId: "s1",
  timestamp: 1795317759422,
  cwd: project,
  toolName: "bash",
  toolArgs: { command },
  ...more,
});
const pascal = (command: string): Payload => ({
  hook_event_name: "PreToolUse",
  session_id: "s1",
  timestamp: "2026-11-22T03:23:20.024Z",
  cwd: project,
  tool_name: "Bash",
  tool_input: { command },
});

let clock = Date.now();
async function hook(host: string, payload: Payload, more: readonly string[] = []) {
  const file = write("p.yaml", rules);
  const reply = await runHook([host, "--policy", file, ...more], {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify(payload));
    })(),
    variables: {},
    cwd: project,
    home: join(root, "home"),
    now: () => clock,
  });
  const said = reply.stdout === "" ? {} : (JSON.parse(reply.stdout) as Payload);
  return { ...reply, is: String(said["permissionDecision"] ?? said["permission"] ?? "allow") };
}

/** Events on record of the session. */
function recorded(session = "s1"): string[] {
  const folder = join(state(), "audit", createHash("sha256").update(session).digest("hex"));
  if (!existsSync(folder)) return [];
  const lines = readFileSync(join(folder, "000001.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line).body.event as string).filter((event) => event !== "segment");
}

describe("an event for which a host calls two hooks", () => {
  it.each([
    ["one after the other", false],
    ["at once", true],
  ])("is judged and recorded once, and answered alike by both (%s)", async (_title, atOnce) => {
    wire("claude", "copilot");
    const hooks = [() => hook("copilot", camel("touch ASKED")), () => hook("claude-code", pascal("touch ASKED"))];
    const replies = atOnce ? await Promise.all(hooks.map((run) => run())) : [await hooks[0]?.(), await hooks[1]?.()];
    expect(replies[0]).toMatchObject({ is: "ask" });
    expect(replies[1]).toEqual(replies[0]);
    expect(recorded()).toEqual(["tool_call"]);
    expect(readdirSync(answers())).toEqual([]);
  });

  it("counts once", async () => {
    wire("claude", "copilot");
    const both = async () => [
      await hook("copilot", camel("touch COUNTED")),
      await hook("claude-code", pascal("touch COUNTED")),
    ];
    const outcomes = [];
    for (let n = 0; n < 3; n++) outcomes.push((await both()).map(({ is }) => is));
    expect(outcomes).toEqual([
      ["allow", "allow"],
      ["allow", "allow"],
      ["deny", "deny"],
    ]);
  });

  it("runs once a human let it through, which each of the two would have used up for the other", async () => {
    wire("claude", "cursor");
    const shell = { conversation_id: "s1", cursor_version: "1", workspace_roots: [project] };
    const edit = { ...shell, tool_name: "Shell", tool_input: { command: "touch ASKED" }, tool_use_id: "t1" };
    const both = async () => [
      await hook("cursor", { ...edit, hook_event_name: "preToolUse" }),
      await hook("claude-code", { ...edit, hook_event_name: "PreToolUse" }),
    ];
    const refused = await both();
    expect(refused.map(({ is }) => is)).toEqual(["deny", "deny"]);
    const key = waitingKey(state());
    approveOnce(state(), key, Date.now());
    expect((await both()).map(({ is }) => is)).toEqual(["allow", "allow"]);
    expect((await both()).map(({ is }) => is)).toEqual(["deny", "deny"]);
  });

  it("is judged by each where only one of the two is wired, and nothing is kept", async () => {
    wire("copilot");
    await hook("copilot", camel("touch ASKED"));
    await hook("copilot", camel("touch ASKED"));
    expect(recorded()).toEqual(["tool_call", "tool_call"]);
    expect(existsSync(answers())).toBe(false);
  });

  it("is judged by each where their command lines have other policies", async () => {
    wire("claude", "copilot");
    await hook("copilot", camel("touch ASKED"));
    await hook("claude-code", pascal("touch ASKED"), [
      "--policy",
      write("q.yaml", rules.replace("policy: p", "policy: q")),
    ]);
    expect(recorded().filter((event) => event === "tool_call")).toHaveLength(2);
  });

  it.each([
    ["another session", { sessionId: "s2" }],
    ["other arguments", { toolArgs: { command: "touch OTHER" } }],
    ["another folder", { cwd: "/" }],
  ])("shares nothing with %s", async (_title, more) => {
    wire("claude", "copilot");
    await hook("claude-code", pascal("touch ASKED"));
    await hook("copilot", camel("touch ASKED", more));
    expect([...recorded(), ...recorded("s2")].filter((event) => event === "tool_call")).toHaveLength(2);
  });

  it("is judged anew when it comes again, from the same hook or much later from the other", async () => {
    wire("claude", "copilot");
    await hook("copilot", camel("touch ASKED"));
    await hook("copilot", camel("touch ASKED"));
    clock += 20_000;
    await hook("claude-code", pascal("touch ASKED"));
    expect(recorded()).toEqual(["tool_call", "tool_call", "tool_call"]);
  });

  it("of two hooks of each event one always judges, whatever came before and in which order", async () => {
    wire("claude", "copilot");
    const step = fc.constantFrom("both", "turned", "at once", "copilot alone", "claude alone");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.uuid(), async (steps, session) => {
        const own = () => hook("copilot", { ...camel("touch ASKED"), sessionId: session });
        const other = () => hook("claude-code", { ...pascal("touch ASKED"), session_id: session });
        for (const name of steps) {
          const before = recorded(session).length;
          if (name === "at once") await Promise.all([own(), other()]);
          if (name === "both" || name === "copilot alone") await own();
          if (name !== "at once" && name !== "copilot alone") await other();
          if (name === "turned") await own();
          if (name !== "copilot alone" && name !== "claude alone")
            expect(recorded(session).length).toBeGreaterThan(before);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("is refused by the second in time where the first gives no answer", async () => {
    wire("claude", "copilot");
    await hook("copilot", camel("touch HARMLESS"));
    // As if the first had been ended before it could say anything.
    for (const name of readdirSync(answers())) if (name.endsWith(".answer")) rmSync(join(answers(), name));
    const late = await hook("claude-code", pascal("touch HARMLESS"), ["--budget", "300"]);
    expect(late).toMatchObject({ is: "deny", exitCode: 2 });
  });

  it.each([
    ["made up", () => "{}"],
    ["changed", (text: string) => text.replace('"stdout":"', '"stdout":" ')],
    ["of another event", (text: string) => text],
  ])("takes no answer that is %s", async (title, changed) => {
    wire("claude", "copilot");
    await hook("copilot", camel("touch ASKED"));
    const [theirs = ""] = readdirSync(answers()).filter((name) => name.endsWith(".answer"));
    if (title === "of another event") {
      await hook("copilot", camel("touch HARMLESS"));
      const [other = ""] = readdirSync(answers()).filter((name) => name.endsWith(".answer") && name !== theirs);
      writeFileSync(join(answers(), theirs), readFileSync(join(answers(), other)));
    } else {
      const path = join(answers(), theirs);
      writeFileSync(path, changed(readFileSync(path, "utf8")));
    }
    expect((await hook("claude-code", pascal("touch ASKED"))).is).toBe("deny");
  });
});
