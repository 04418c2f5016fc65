import { digest } from "../engine/canonical.ts";
import { joinEvent } from "../engine/session-state.ts";
import type { AuditBody, RecordedState } from "../schema/generated.ts";
import { engineVersion } from "../schema/version.ts";
import { inheritEvent } from "./session-load.ts";
import type { SnapshotEnd } from "./session-snapshot.ts";

/**
 * Returns the first record of a forked, resumed or sub-agent's session. It names the position in its parent's records whose state
 * it starts with, so that the state can be rebuilt from records alone.
 */
export function inheritRecord(
  session: string,
  parent: string,
  at: number,
  end: SnapshotEnd | undefined,
  policyDigest: string,
): AuditBody {
  const from = end ? { parent: { seq: end.seq, hash: end.hash } } : {};
  return note(
    session,
    inheritEvent,
    `begins with the state of session \`${parent}\``,
    { at, parent },
    from,
    policyDigest,
  );
}

/** Returns the record of labels that a session gets from a descendant that started with its state. */
export function joinRecord(
  session: string,
  from: string,
  at: number,
  { labels, shadow }: { readonly labels: readonly string[]; readonly shadow: readonly string[] },
  policyDigest: string,
): AuditBody {
  const state: RecordedState = {
    at,
    ...(labels.length > 0 && { labels: [...new Set(labels)] }),
    ...(shadow.length > 0 && { shadow: [...new Set(shadow)] }),
  };
  return note(session, joinEvent, `labels of session \`${from}\``, state, {}, policyDigest);
}

function note(
  session: string,
  event: string,
  text: string,
  state: RecordedState,
  observations: AuditBody["observations"],
  policyDigest: string,
): AuditBody {
  return {
    v: 1,
    kind: "note",
    event,
    id: "",
    time: new Date(state.at).toISOString(),
    host: "",
    session,
    agent: "",
    event_digest: digest({ event, text }),
    outcome: "allow",
    answered: "none",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    note: text,
    state,
    observations,
    policy_digest: policyDigest,
    engine: engineVersion,
    tables: {},
  };
}
