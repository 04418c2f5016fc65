import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { liveFiles } from "../../adapters/live-files.ts";
import { sha256 } from "../../engine/canonical.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import { type ReplayPorts, replay } from "../../engine/replay.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine, vocabularyFor } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type FileSystem } from "../../schema/ports.ts";
import { engineVersion } from "../../schema/version.ts";
import { execFileSync } from "../bounded-process.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

/** Scripts on the disk that a call runs are read once, within bounds, and are on record by their digest. */
const app = "/home/dev/app";
const regex = createRegexEngine();
const { plan, diagnostics } = compileTexts({
  "policy.yaml": withHead(`version: 1
policy: p
audit: { keep: events }
rules:
- id: etc
  event: tool_call
  each: { w: effects.writes }
  when: { w.path: { glob: "/etc/**" } }
  action: block
  reason: "{w.path} stays"
`),
});
if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("\n"));

const call = (command: string, folder = app) => ({
  event: "tool_call",
  id: "1",
  tool: "bash",
  args: { command },
  environment: { cwd: folder, workspace: folder, home: "/home/dev", interactive: true },
});

const engineOn = (files: FileSystem) => createEngine(plan, { regex, files });

function judged(command: string, files: FileSystem, folder?: string) {
  const { decision, body } = engineOn(files).decide(call(command, folder));
  if (!body) throw new Error("no record");
  return { outcome: decision.outcome, body };
}

const marking = "touch /etc/x\n";
const disk = (scripts: Readonly<Record<string, string>>): FileSystem =>
  hermeticFiles(Object.fromEntries(Object.entries(scripts).map(([name, text]) => [`${app}/${name}`, { text }])));

describe("a script that a call runs", () => {
  it("is on record by its digest, and its text is not", () => {
    const { outcome, body } = judged("sh a.sh", disk({ "a.sh": marking }));
    expect(outcome).toBe("block");
    expect(body.observations.scripts).toEqual([
      { path: `${app}/a.sh`, digest: sha256(marking), length: marking.length },
    ]);
  });

  it("leaves the record as it was where none is run", () => {
    const { body } = judged("cat a.sh", disk({ "a.sh": marking }));
    expect(Object.keys(body.observations)).toEqual(["regex"]);
  });

  it("is read once, however often it is run, and at most four are", () => {
    const files = disk(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.sh`, "true\n"])));
    let reads = 0;
    const counting: FileSystem = {
      ...files,
      readText: (path, most) => {
        reads += 1;
        return files.readText(path, most);
      },
    };
    const { body } = judged(Array.from({ length: 9 }, (_, i) => `sh ${i}.sh; ./${i}.sh`).join("; "), counting);
    expect(body.observations.scripts).toHaveLength(limits.standingScripts);
    expect(reads).toBe(limits.standingScripts);
  });

  it.each([
    ["over the bound of its length", `${"#".repeat(limits.standingBytes)}\n${marking}`],
    ["with a syntax error", `if then fi ((\n${marking}`],
    ["that costs more than a script may", `${"x=$(a || ls; b || ls); ".repeat(2_000)}\n${marking}`],
  ])("%s adds nothing, and the call is understood as far as before", (_, text) => {
    const plain = judged("sh other.sh", disk({ "a.sh": text }));
    const { outcome, body } = judged("sh a.sh", disk({ "a.sh": text }));
    expect([outcome, body.understanding]).toEqual(["allow", plain.body.understanding]);
  });
});

describe("the first line", () => {
  it.each([
    ["./a.sh", "#!/usr/bin/env ruby", "allow"],
    ["./a.sh", "#!/usr/bin/env -S bash -e", "block"],
    ["./a.sh", "#!/bin/busybox sh", "block"],
    ["./a.sh", "#!/opt/x/bin/zsh", "block"],
    // A shell that is named runs any text.
    ["sh a.sh", "#!/usr/bin/env ruby", "block"],
    ["cat a.sh | sh", "#!/usr/bin/env ruby", "block"],
  ])("%s with %s: %s", (command, line, expected) => {
    expect(judged(command, disk({ "a.sh": `${line}\n${marking}` })).outcome).toBe(expected);
  });
});

describe("a replay", () => {
  const ports = (files: FileSystem): ReplayPorts => ({
    factsOf: (event, given) => facts.of(event, given),
    filesOf: () => files,
    regex,
    tables: facts.versions,
    engine: engineVersion,
    sessionKey: "",
  });
  const linked = linkPlan(plan, vocabularyFor(regex), regex);
  if (linked instanceof EvaluationError) throw new Error(linked.message);

  it.each([
    ["is the same where the script is", { "a.sh": marking }, "same"],
    ["says that it does not know where the script is another", { "a.sh": "true\n" }, "unknown"],
    ["says that it does not know where the script is gone", {}, "unknown"],
  ] as const)("%s", (_, scripts, kind) => {
    const { body } = judged("sh a.sh", disk({ "a.sh": marking }));
    const [step] = [...replay(linked, [{ body }], ports(disk(scripts)))];
    expect(step).toMatchObject({ kind });
  });
});

describe("on a real disk", () => {
  const root = mkdtempSync(join(tmpdir(), "hookwarden-scripts-"));
  const folder = join(root, "app");
  mkdirSync(folder);
  afterAll(() => rmSync(root, { recursive: true }));

  it("reads a regular file, and neither a pipe, a device nor a file outside of the workspace", () => {
    writeFileSync(join(folder, "a.sh"), marking);
    writeFileSync(join(root, "outside.sh"), marking);
    symlinkSync("../outside.sh", join(folder, "link.sh"));
    symlinkSync("a.sh", join(folder, "inside.sh"));
    symlinkSync("/dev/zero", join(folder, "device.sh"));
    symlinkSync("loop.sh", join(folder, "loop.sh"));
    execFileSync("mkfifo", [join(folder, "pipe.sh")]);
    const outcomes = ["a", "inside", "link", "device", "loop", "pipe"].map(
      (name) => judged(`sh ${name}.sh`, liveFiles, folder).outcome,
    );
    expect(outcomes).toEqual(["block", "block", "allow", "allow", "allow", "allow"]);
  });
});
