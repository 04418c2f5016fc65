import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { call, demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

const lines = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function judge(stdin: string | Uint8Array, args: readonly string[] = []) {
  scratch.put("p.yaml", demoPolicy);
  return run(["eval", "--policy", "p.yaml", ...args], { cwd: scratch.path, stdin });
}

describe("eval", () => {
  it("prints one decision per event, in order, with the keys of the events page in their order", async () => {
    const ran = await judge(call("touch FORBIDDEN", { id: "e1" }) + call("touch other", { id: "e2" }));
    expect(ran).toMatchObject({ code: 0, err: "" });
    const [first, second] = ran.out.split("\n");
    expect(first).toMatch(
      /^\{"id":"e1","outcome":"block","answered":"rule","rule":"demo\/no-forbidden","reason":"the file is forbidden","guidance":"Choose another name\.","matched":\[\{"rule":"demo\/no-forbidden","outcome":"block","element":"shell\.commands\[0\]"\}\],"would":\[\],"changes":\{\},"errors":\[\],.*"policy_digest":"sha256:[0-9a-f]{64}"\}$/,
    );
    expect(JSON.parse(second as string)).toMatchObject({ id: "e2", outcome: "allow", answered: "default" });
  });

  it.each(["eval", "explain"])(
    "%s says nothing of a finding that a comment ignores, and what else there is",
    async (command) => {
      const policy = (comment: string): string =>
        `version: 1\npolicy: p\nrules:\n  - { id: s, event: PreToolUse, tool: read, action: block, reason: no }\n  - { id: t, event: PreToolUse, tool: edit, action: block, reason: no } # ${comment}\n`;
      const errOf = async (comment: string): Promise<string> => {
        scratch.put("ignored.yaml", policy(comment));
        return (await run([command, "--policy", "ignored.yaml"], { cwd: scratch.path, stdin: call("ls") })).err;
      };
      const places = (text: string): readonly string[] => text.match(/ignored\.yaml:\d+/g) ?? [];
      expect(places(await errOf("hooks are named so here"))).toEqual(["ignored.yaml:4", "ignored.yaml:5"]);
      expect(places(await errOf("hookwarden-ignore HW602: hooks are named so here"))).toEqual(["ignored.yaml:4"]);
      expect(places(await errOf("hookwarden-ignore HW616: another code"))).toEqual([
        "ignored.yaml:4",
        "ignored.yaml:5",
      ]);
    },
  );

  it("gives byte-equal output for the same input, read from a file or standard input", async () => {
    const events = `${call("touch FORBIDDEN")}${call("ls")}nonsense\n`;
    scratch.put("events.jsonl", events);
    const first = await judge(events);
    expect((await judge(events)).out).toBe(first.out);
    expect((await judge("", ["--events", "events.jsonl"])).out).toBe(first.out);
    expect((await judge(events, ["--events", "-"])).out).toBe(first.out);
    expect(await judge(events, ["--no-index"])).toEqual(first);
  });

  it("takes `files` beside the environment for those in it, as examples and suites do", async () => {
    scratch.put(
      "links.yaml",
      `version: 1
policy: links
title: Links
default: allow
rules:
  - { id: no, title: No, event: tool_call, each: { r: effects.reads }, when: { r.path.real: { glob: "**/private" } }, action: block, reason: not this }
`,
    );
    const files = { "/w/notes": { symlink: "/w/private" } };
    const event = { event: "tool_call", tool: "read", args: { path: "notes" } };
    for (const given of [
      { ...event, files, environment: { cwd: "/w" } },
      { ...event, environment: { cwd: "/w", files } },
    ]) {
      const ran = await run(["eval", "--policy", "links.yaml"], {
        cwd: scratch.path,
        stdin: `${JSON.stringify(given)}\n`,
      });
      expect(lines(ran.out)).toMatchObject([{ outcome: "block", rule: "links/no" }]);
    }
  });

  it("names events without an id by their line", async () => {
    const ran = await judge(`${call("a")}\n${call("b")}`);
    expect(lines(ran.out).map((d) => d["id"])).toEqual(["1", "3"]);
  });

  const misfits: readonly [string, string | Uint8Array, string][] = [
    ["text that is not JSON", "nonsense", "HW501"],
    ["JSON that is no object", "[1]", "HW501"],
    ["an event without a name", '{"tool":"bash"}', "HW501"],
    ["an unknown event", '{"event":"tool_cal","tool":"bash"}', "HW501"],
    ["a field of the wrong type", '{"event":"tool_call","tool":7}', "HW501"],
    ["a call without a tool", '{"event":"tool_call"}', "HW501"],
    [
      "files in two places",
      '{"event":"tool_call","tool":"bash","args":{"command":"ls"},"files":{},"environment":{"files":{}}}',
      "HW501",
    ],
    ["files that are none", '{"event":"tool_call","tool":"bash","args":{"command":"ls"},"files":7}', "HW501"],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "HW501"],
    ["a repeat over the bound", call("ls", { repeat: 10_001 }).trim(), "HW501"],
    [
      "a payload nested too deep",
      `{"event":"tool_call","tool":"bash","args":${'{"a":'.repeat(500)}1${"}".repeat(500)}}`,
      "HW504",
    ],
  ];
  it.each(misfits)(
    "gives %s its closed decision with the code, judges the rest, and exits 2",
    async (_, line, code) => {
      const ran = await judge(Buffer.concat([Buffer.from(line), Buffer.from(`\n${call("touch other")}`)]));
      const [closed, next] = lines(ran.out);
      expect(closed).toMatchObject({ id: "1", outcome: "block", answered: "error", errors: [{ code }] });
      expect(next).toMatchObject({ id: "2", outcome: "allow" });
      expect(ran.err).toContain(`error[${code}]`);
      expect(ran.err).toContain("<stdin>:1");
      expect(ran.code).toBe(2);
    },
  );

  it("withholds a result that does not fit", async () => {
    const ran = await judge('{"event":"tool_result","tool":"read","result":{"content":"SECRET"}}\n');
    expect(ran.code).toBe(2);
    expect(ran.out).toContain('"answered":"error"');
    expect(ran.out).not.toContain("SECRET");
  });

  it("reads past a line over the bound without holding it", async () => {
    const huge = Buffer.alloc(limits.eventBytes + 10, 0x20);
    const ran = await judge(Buffer.concat([huge, Buffer.from(`\n${call("ls")}`)]));
    expect(lines(ran.out)).toMatchObject([
      { id: "1", outcome: "block" },
      { id: "2", outcome: "allow" },
    ]);
    expect(ran.err).toContain("error[HW504]");
    expect(ran.code).toBe(2);
  });

  it("skips blank lines and reads a last line without a line break", async () => {
    const ran = await judge(`\n  \n${call("ls").trim()}`);
    expect(lines(ran.out)).toHaveLength(1);
    expect(ran.code).toBe(0);
  });

  it("repeats an event, each copy later than the one before", async () => {
    const event = call("ls", { repeat: 3, every: "2s", time: "2026-01-01T00:00:00Z", id: "e" });
    const ran = await judge(event, ["--audit", "a.jsonl"]);
    expect(lines(ran.out)).toHaveLength(3);
    const times = lines(readFileSync(join(scratch.path, "a.jsonl"), "utf8")).map(
      (record) => (record["body"] as { time: string }).time,
    );
    expect(times).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:02.000Z", "2026-01-01T00:00:04.000Z"]);
  });

  it("prints no decision for an approval, and says when it answers no question", async () => {
    const ran = await judge(`${call("ls", { id: "e1" })}{"event":"approval","of":"e1","answer":"allow","by":"user"}\n`);
    expect(lines(ran.out)).toHaveLength(1);
    expect(ran.err).toContain("no earlier event `e1` waits for an answer");
    expect(ran.code).toBe(2);
    expect(await judge('{"event":"approval"}\n')).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("HW501"),
    });
  });

  it("does not quote a line that it cannot read", async () => {
    const ran = await judge('{"event":"tool_call","token":hidden}\n');
    expect(ran.err).not.toContain("hidden");
  });

  it("writes an audit trail that verifies, next to which a run without one decides the same", async () => {
    const events = call("touch FORBIDDEN") + call("ls");
    const without = await judge(events);
    const ran = await judge(events, ["--audit", "logs/audit.jsonl"]);
    expect(ran.out).toBe(without.out);
    expect(statSync(join(scratch.path, "logs/audit.jsonl")).mode & 0o777).toBe(0o600);
    const verified = await run(["audit", "verify", "logs/audit.jsonl"], { cwd: scratch.path });
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/intact, 2 records, head sha256:/) });
  });

  it("refuses an audit file that cannot be written, before any decision", async () => {
    scratch.put("folder/x", "");
    expect(await judge(call("ls"), ["--audit", "folder"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("HW702"),
    });
  });

  it("refuses events that cannot be read", async () => {
    expect(await judge("", ["--events", "nowhere.jsonl"])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("error[HW703]: `nowhere.jsonl` does not exist"),
    });
    expect(await judge("", ["--events", "."])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("HW703"),
    });
  });

  it("says how a file of events is given, where it stands behind the policies", async () => {
    const ran = await run(["eval", "--policy", "p.yaml", "events.jsonl"], { cwd: scratch.path });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("a file of events is no policy");
    expect(ran.err).toContain("give it with `--events events.jsonl`");
  });

  it("is hermetic: files of this machine play no part", async () => {
    const ran = await judge(call("touch other", { environment: { cwd: scratch.path } }));
    expect(lines(ran.out)[0]).toMatchObject({ outcome: "allow" });
  });
});
