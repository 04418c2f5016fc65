import { join } from "node:path";
import { hookwarden } from "./guard-files.ts";
import type { InstalledHost } from "./install.ts";
import { bash, done, guard, has, read, runOpencode, sent, told } from "./opencode-process.ts";
import type { Cases } from "./report.ts";
import { filesBelow, makeScratch, type Scratch } from "./scratch.ts";

/** A session that has read the notes makes no marker file. */
const policy = `version: 1
policy: sessions-test
title: What a session may after it has read
description: The rules of the tests of sessions in several processes. They name harmless stand-ins, nothing else.
default: allow
unknown: block
labels: { seen_notes: { kind: taint } }

rules:
  - id: notes-are-read
    title: Whoever reads the notes is marked
    event: tool_call
    tool: read
    when: { args.path: { ends_with: notes.txt } }
    action: { label: { add: [seen_notes] } }

  - id: no-marker-afterwards
    title: The marker file after the notes
    event: tool_call
    tool: bash
    each: { w: effects.writes }
    when: { all: [{ w.path: { glob: "**/FORBIDDEN" } }, { session.labels: { contains: seen_notes } }] }
    action: block
    reason: the session has read the notes
`;

const reading = [read("notes.txt"), done] as const;
const touching = [bash("touch FORBIDDEN"), done] as const;
const resume = { args: ["--continue"] } as const;
/** The scripted model goes by what the conversation has had, so a resumed one is given its beginning too. */
const goingOn = [...reading, ...touching] as const;

/** A session of OpenCode that goes on in another process, which must know what it has come to. */
export async function opencodeSessionCases(host: InstalledHost, cases: Cases): Promise<void> {
  const group = (name: string, work: (scratch: Scratch) => Promise<void>): Promise<void> =>
    cases.group(name, async () => {
      const scratch = makeScratch();
      try {
        await work(scratch);
      } finally {
        scratch.remove();
      }
    });
  await group("sessions, control", async (scratch) => {
    await runOpencode(host, scratch, reading, undefined);
    const again = await runOpencode(host, scratch, goingOn, undefined, resume);
    const same = sent(again).includes("last line of the notes");
    cases.check("control: the resumed session is the same one", same, told(again));
    cases.check("control: and without a plugin it makes the marker file", has(scratch, "FORBIDDEN"), told(again));
  });
  await group("sessions", async (scratch) => {
    const plugin = guard(scratch.write("policies/sessions.yaml", policy));
    const first = await runOpencode(host, scratch, reading, plugin);
    cases.check("the first process reads the notes", sent(first).includes("last line of the notes"), told(first));
    const again = await runOpencode(host, scratch, goingOn, plugin, resume);
    const held = again.requests.length > 1 && !has(scratch, "FORBIDDEN");
    cases.check("a resumed session still has its label", held, told(again));
    cases.check("and the model is told why", sent(again).includes("the session has read the notes"), told(again));
    const folder = join(scratch.home, ".local/state/hookwarden/audit");
    const files = filesBelow(folder).filter((file) => file.endsWith(".jsonl"));
    const verified = hookwarden(scratch, ["audit", "verify", ...files]);
    cases.check("the trail of both processes verifies", files.length > 0 && verified.status === 0, verified.output);
    const fresh = await runOpencode(host, scratch, touching, plugin);
    cases.check("a session of its own has no label", has(scratch, "FORBIDDEN"), told(fresh));
  });
}
