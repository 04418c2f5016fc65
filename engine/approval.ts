import type { AuditBody } from "../schema/generated.ts";
import { engineVersion } from "../schema/version.ts";
import { digest } from "./canonical.ts";
import { shortName } from "./session/bounds.ts";
import type { SessionData } from "./session/session.ts";

/** A human's answer to a question. */
export interface HumanAnswer {
  /** Session of the question; by default the one that has it. */
  readonly session?: string;
  /** Id of the event that was asked about. */
  readonly of: string;
  readonly answer: "allow" | "deny" | "timeout";
  /** Who answered, e.g. `user`. */
  readonly by: string;
  /** Event time, milliseconds since the epoch; the session's own by default. */
  readonly time?: number;
}

/**
 * Returns the record of a human's answer to an open question; undefined if there is no such question. Folding the record makes
 * the changes: remembered approvals, cleared labels, and the effects that waited for the answer (semantics section 5).
 */
export function approvalRecord(
  session: string,
  { of, answer, by, time }: HumanAnswer,
  data: SessionData | undefined,
  policyDigest: string,
  tables: Readonly<Record<string, string>>,
): AuditBody | undefined {
  const question = data?.questions.get(shortName(of));
  if (!data || !question) return undefined;
  const at = Math.max(data.time, time ?? data.time);
  const cleared = answer === "allow" ? question.clears : [];
  const { key, remember, denial_key } = question;
  const asked = { key, remember, ...(denial_key !== undefined && { denial_key }) };
  const approval = { of, answer, by, ...asked, clears: [...cleared] };
  return {
    v: 1,
    kind: "approval",
    event: "approval",
    id: `approval:${of}`,
    time: new Date(at).toISOString(),
    host: "",
    session,
    agent: "",
    event_digest: digest(approval),
    outcome: answer === "allow" ? "allow" : "block",
    answered: "none",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    approval,
    state: { at, ...(cleared.length > 0 && { cleared: [...cleared] }) },
    observations: {},
    policy_digest: policyDigest,
    engine: engineVersion,
    tables: { ...tables },
  };
}
