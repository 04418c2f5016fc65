import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { sha256 } from "../../engine/canonical.ts";
import { makeAuditKeys, rotateAuditKeys } from "../../store/audit-keys.ts";
import { began, MadeSession, makeTrail } from "./trail.ts";

/** A checkpointed audit folder in a scratch folder of its own. */
export interface Place {
  readonly root: string;
  readonly state: string;
  readonly audit: string;
  /** The copy of the checkpoints. */
  readonly copy: string;
  /** The verifier key of epoch 1. */
  readonly key: string;
}

/** Makes places from two that are made once; removes them when the tests of a file are done. */
export class Places {
  readonly #root = mkdtempSync(join(tmpdir(), "hookwarden-audit-"));
  readonly #made = new Map<boolean, string>();
  #next = 0;

  constructor() {
    afterAll(() => rmSync(this.#root, { recursive: true, force: true }));
  }

  /** A trail of one session `two` with two records and one checkpoint. */
  makeSmall(): Place {
    const root = join(this.#root, `${this.#next++}`);
    const [state, copy] = [join(root, "state"), join(root, "copy")];
    const key = makeAuditKeys(state).verifier;
    new MadeSession(state, "two", { copyTo: copy }).add(1).checkpoint();
    return { root, state, audit: join(state, "audit"), copy, key };
  }

  /** A fresh copy of the trail of `makeTrail`; `rotated` with a second key and a third session. */
  make({ rotated = false } = {}): Place {
    const pattern = join(this.#root, rotated ? "rotated" : "plain");
    const key = this.#made.get(rotated) ?? makePattern(pattern, rotated);
    this.#made.set(rotated, key);
    const root = join(this.#root, `${this.#next++}`);
    cpSync(pattern, root, { recursive: true });
    return { root, state: join(root, "state"), audit: join(root, "state", "audit"), copy: join(root, "copy"), key };
  }
}

function makePattern(root: string, rotated: boolean): string {
  const [state, copy] = [join(root, "state"), join(root, "copy")];
  const key = makeTrail(state, copy);
  if (!rotated) return key;
  rotateAuditKeys(state, began);
  new MadeSession(state, "three", { copyTo: copy }).add(1).checkpoint();
  return key;
}

/** Path of a segment of a session. */
export function segmentOf(place: Place, session: string, number = 1): string {
  return join(place.audit, sha256(session).slice("sha256:".length), `00000${number}.jsonl`);
}
