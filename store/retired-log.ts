import { checkLine } from "../engine/chain.ts";
import { eachAuditLine } from "./audit-lines.ts";

/** Name of the trail of retired sessions in the audit folder: a chain of its own. */
export const retiredLog = "retired.jsonl";

/** How checkpoints name that trail. */
export const retiredTrail = "retired";

/** Summary of a retired session. */
export interface RetiredSession {
  /** Records that it had. */
  readonly records: number;
  /** Hash of the last of them. */
  readonly head: string;
}

/**
 * Reads retired sessions by the name of their folder from the first `covered` records of the trail: no checkpoint vouches for
 * later ones. Rejects with what reading throws.
 */
export async function readRetired(path: string, covered: number): Promise<ReadonlyMap<string, RetiredSession>> {
  const found = new Map<string, RetiredSession>();
  await eachAuditLine(path, ({ bytes, number }) => {
    const check = bytes && number <= covered ? checkLine(bytes) : undefined;
    if (!check?.ok || check.record.body.event !== "retired") return;
    const note = check.record.body.observations["retired"] as Partial<Record<string, unknown>> | undefined;
    const { session, records, head } = note ?? {};
    if (typeof session === "string" && typeof records === "number" && typeof head === "string")
      found.set(session, { records, head });
  });
  return found;
}
