import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { verifyAudit } from "../../store/audit-verify.ts";
import { stopwatch } from "./measure.ts";

/** What the check of a file took. */
export interface Verified {
  readonly status: string;
  readonly records: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Reading the same file and digesting each line of it, which any check has to do. */
  readonly floorSeconds: number;
  /** Peak of the process, taken before the floor was measured. */
  readonly peakMiB: number;
}

/** Checks a file: the whole work of a process of its own, for a peak is only known of a whole process. */
export async function verifiedHere(path: string): Promise<Verified> {
  const elapsed = stopwatch();
  const { status, records } = await verifyAudit(path, "/", {});
  const seconds = elapsed() / 1_000;
  const peakMiB = process.resourceUsage().maxRSS / 1_024;
  const floorSeconds = await floor(path);
  return { status, records, bytes: statSync(path).size, seconds, floorSeconds, peakMiB };
}

async function floor(path: string): Promise<number> {
  const elapsed = stopwatch();
  for await (const line of createInterface({ input: createReadStream(path) }))
    createHash("sha256").update(line).digest();
  return elapsed() / 1_000;
}
