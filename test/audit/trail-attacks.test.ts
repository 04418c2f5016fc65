import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type NoteKey, parseVerifierKey } from "../../engine/audit/note.ts";
import { verifyAudit } from "../../store/audit-verify.ts";
import { independentReport } from "./independent.ts";
import { linesOfFile, textOfFile, writeText } from "./mutant-lines.ts";
import { type Trail, Trails } from "./mutant-places.ts";

/** What somebody does to a checkpointed trail; both verifiers are given its key, and say the same. */
const trails = new Trails();
afterAll(() => trails.close());

const log = ({ audit }: Trail): string => join(audit, "checkpoints.jsonl");
const sessions = ({ audit }: Trail): string[] => readdirSync(audit).filter((name) => /^[0-9a-f]{64}$/.test(name));
const first = (trail: Trail): string => join(trail.audit, sessions(trail)[0] as string);
const segment = (trail: Trail): string => join(first(trail), "000001.jsonl");
const withLines = (path: string, change: (lines: string[]) => string[]): void =>
  writeText(
    path,
    change(linesOfFile(path))
      .map((line) => `${line}\n`)
      .join(""),
  );

const altered: readonly (readonly [string, (trail: Trail) => void])[] = [
  ["the log of checkpoints replaced by a segment", (t) => writeText(log(t), textOfFile(segment(t)))],
  ["the log of checkpoints without its beginning", (t) => withLines(log(t), (lines) => lines.slice(1))],
  [
    "the log of checkpoints a folder",
    (t) => {
      rmSync(log(t));
      mkdirSync(log(t));
    },
  ],
  [
    "the log of checkpoints a link to nowhere",
    (t) => {
      rmSync(log(t));
      symlinkSync(join(t.root, "nowhere"), log(t));
    },
  ],
  ["the log of checkpoints removed", (t) => rmSync(log(t))],
  ["the log of checkpoints of another installation", (t) => cpSync(log(trails.original("unkeyed")), log(t))],
  ["records cut off that a checkpoint covers", (t) => withLines(segment(t), (lines) => lines.slice(0, 1))],
  [
    "an outcome changed",
    (t) => writeText(segment(t), textOfFile(segment(t)).replace('"outcome":"block"', '"outcome":"allow"')),
  ],
  ["two records swapped", (t) => withLines(segment(t), ([a = "", b = "", ...rest]) => [b, a, ...rest])],
  [
    "a segment a folder",
    (t) => {
      rmSync(segment(t));
      mkdirSync(segment(t));
    },
  ],
  [
    "a session a file",
    (t) => {
      const path = first(t);
      rmSync(path, { recursive: true });
      writeFileSync(path, "");
    },
  ],
  ["a session removed", (t) => rmSync(first(t), { recursive: true })],
  [
    "everything of another installation",
    (t) => {
      rmSync(t.audit, { recursive: true });
      cpSync(trails.original("packed").audit, t.audit, { recursive: true });
    },
  ],
];

const strange: readonly (readonly [string, (trail: Trail) => string])[] = [
  ["a segment with the number 0", (t) => put(join(first(t), "000000.jsonl"))],
  ["a segment with another form of its number", (t) => put(join(first(t), "0000001.jsonl"))],
  ["a packed segment beside the same one", (t) => put(join(first(t), "000001.jsonl.gz"))],
  ["a file that is called like a segment in the audit folder", (t) => put(join(t.audit, "000001.jsonl"))],
  [
    "a session without a segment",
    (t) => {
      mkdirSync(join(t.audit, "a".repeat(64)));
      return join(t.audit, "a".repeat(64));
    },
  ],
  [
    "a segment that is a link",
    (t) => {
      renameSync(segment(t), join(t.root, "aside.jsonl"));
      symlinkSync(join(t.root, "aside.jsonl"), segment(t));
      return segment(t);
    },
  ],
  [
    "a session that is a link",
    (t) => {
      const path = first(t);
      renameSync(path, join(t.root, "aside"));
      symlinkSync(join(t.root, "aside"), path);
      return path;
    },
  ],
];

function put(path: string): string {
  writeFileSync(path, "{}\n");
  return path;
}

async function verdicts(trail: Trail) {
  const key = parseVerifierKey(trail.key) as NoteKey;
  const ours = await verifyAudit(trail.audit, "/", { keys: new Map([[1, key]]) });
  return { ours, theirs: await independentReport(trail.audit, [trail.key], undefined) };
}

describe("somebody who changes a trail", () => {
  it("is told by neither verifier of a trail that nobody changed", async () => {
    const { ours, theirs } = await verdicts(trails.fresh("covered"));
    expect([ours.status, theirs.status, ours.strange, theirs.strange]).toEqual(["intact", "intact", [], []]);
  });

  it.each(altered)("is seen by both: %s", async (_name, change) => {
    const trail = trails.fresh("covered");
    change(trail);
    const { ours, theirs } = await verdicts(trail);
    expect([ours.status, theirs.status]).toEqual(["altered", "altered"]);
    expect(theirs.strange).toEqual(ours.strange);
  });

  it("is seen by both where nothing is left of the log of checkpoints", async () => {
    const trail = trails.fresh("covered");
    writeFileSync(log(trail), "");
    const { ours, theirs } = await verdicts(trail);
    expect([ours.status, theirs.status]).toEqual(["unchecked", "unchecked"]);
  });

  it.each(strange)("is named by both: %s", async (_name, change) => {
    const trail = trails.fresh("covered");
    const path = change(trail).slice(trail.audit.length + 1);
    const { ours, theirs } = await verdicts(trail);
    expect([ours.status, theirs.status]).toEqual(["intact", "intact"]);
    expect([ours.strange, theirs.strange]).toEqual([[path], [path]]);
  });
});
