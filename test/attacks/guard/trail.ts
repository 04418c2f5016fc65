import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Frontier, leafHash } from "../../../engine/audit/merkle.ts";
import { type NoteKey, parseVerifierKey } from "../../../engine/audit/note.ts";
import type { AuditRecord } from "../../../schema/generated.ts";
import { verifyAudit } from "../../../store/audit-verify.ts";
import { Checkpointer } from "../../../store/checkpoints.ts";
import { independentReport } from "../../audit/independent.ts";
import type { Cases } from "../../hosts/report.ts";
import type { Scratch } from "../../hosts/scratch.ts";
import { caseNames } from "../held.ts";
import { trailAttacks } from "./trail-attacks.ts";

/** The trail of a guarded session is intact by both verifiers, and each change of it is told by both. */
export async function trailCases(scratch: Scratch, verifier: string, cases: Cases): Promise<void> {
  const state = join(scratch.home, ".local/state/hookwarden");
  checkpoint(state);
  const untouched = await verdicts(join(state, "audit"), verifier);
  const intact = untouched.ours === "intact" && untouched.theirs === "intact";
  cases.check("guard: the trail of the session is intact by both verifiers", intact, untouched);
  for (const { id, change } of trailAttacks) {
    const copy = join(scratch.root, id);
    cpSync(state, copy, { recursive: true });
    const path = segmentWithRefusals(join(copy, "audit"));
    const lines = linesOf(path);
    const changed = change(lines);
    writeFileSync(path, changed.map((line) => `${line}\n`).join(""));
    const name = `guard/${id}`;
    // What the control shows: the untouched trail is intact, so that it is the change which is told.
    cases.check(caseNames.leaks(name), intact && changed.join("\n") !== lines.join("\n"), untouched);
    const found = await verdicts(join(copy, "audit"), verifier);
    cases.check(caseNames.held(name), found.ours === "altered" && found.theirs === "altered", found);
  }
}

/** The checkpoint that the session would have had after a minute. */
function checkpoint(state: string): void {
  const path = segmentWithRefusals(join(state, "audit"));
  const lines = linesOf(path);
  const frontier = new Frontier();
  for (const line of lines) frontier.add(leafHash(Buffer.from(line, "utf8")));
  const { seq, hash } = (JSON.parse(lines.at(-1) ?? "") as AuditRecord).seal;
  const place = { session: basename(dirname(path)), number: Number.parseInt(basename(path), 10) };
  const missed = new Checkpointer(join(state, "audit"), state).write(
    { ...place, frontier, seq, head: hash },
    Date.now(),
  );
  if (missed !== undefined) throw new Error(missed);
}

const linesOf = (path: string): string[] => readFileSync(path, "utf8").split("\n").slice(0, -1);

/** What both verifiers say, with what each has found for the report. */
interface Verdicts {
  readonly ours: string;
  readonly theirs: string;
  readonly found: unknown;
}

async function verdicts(audit: string, verifier: string): Promise<Verdicts> {
  const keys = new Map([[1, parseVerifierKey(verifier) as NoteKey]]);
  const { status, files } = await verifyAudit(audit, "/", { keys });
  const theirs = await independentReport(audit, [verifier], undefined);
  const found = [files.filter((file) => file.status !== "intact"), theirs.problems];
  return { ours: status, theirs: theirs.status, found };
}

/** The segment of the session that the attacks were made in. */
function segmentWithRefusals(audit: string): string {
  const all = readdirSync(audit, { recursive: true, encoding: "utf8" })
    .filter((name) => /^[0-9a-f]{64}\/\d+\.jsonl$/.test(name))
    .map((name) => join(audit, name));
  const found = all.find((path) => readFileSync(path, "utf8").includes('"outcome":"block"'));
  if (found === undefined) throw new Error(`no refusal stands in ${all.join(" ")}`);
  return found;
}
