import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Frontier, leafHash } from "../../engine/audit/merkle.ts";
import { canonicalJson, sha256 } from "../../engine/canonical.ts";
import { firstPrev, type Link, sealLine } from "../../engine/chain.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { makeAuditKeys } from "../../store/audit-keys.ts";
import { Checkpointer, type CheckpointOptions } from "../../store/checkpoints.ts";

/** Wall clock at which made trails begin. */
export const began = Date.UTC(2026, 0, 1);

/** Body of a record, with what a test changes in it. */
export function recordBody(session: string, id: string, extra: Partial<AuditBody> = {}): AuditBody {
  return {
    v: 1,
    event: "tool_call",
    id,
    time: new Date(began).toISOString(),
    host: "pi",
    session,
    agent: "main",
    tool: "bash",
    event_digest: sha256(id),
    outcome: "block",
    answered: "rule",
    rule: "p/r",
    reason: "because é 😀",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    observations: {},
    policy_digest: sha256("plan"),
    engine: "0.1.0",
    tables: {},
    ...extra,
  };
}

/** Writes the trail of one session in the layout of the store, and checkpoints of it: a stand-in that is quick and exact. */
export class MadeSession {
  readonly folder: string;
  readonly session: string;
  readonly #audit: string;
  readonly #checkpointer: Checkpointer;
  #frontier = new Frontier();
  #number = 0;
  #seq = 0;
  #prev = firstPrev;
  #previous: { readonly segment: number; readonly head: string } | null = null;

  constructor(state: string, session: string, options: CheckpointOptions = {}) {
    this.session = session;
    this.folder = sha256(session).slice("sha256:".length);
    this.#audit = join(state, "audit");
    this.#checkpointer = new Checkpointer(this.#audit, state, { durability: "relaxed", ...options });
    this.rotate();
  }

  /** Path of the segment that is written now. */
  get path(): string {
    return join(this.#audit, this.folder, `${String(this.#number).padStart(6, "0")}.jsonl`);
  }

  /** Begins the next segment with its header. */
  rotate(): this {
    if (this.#number > 0) this.#previous = { segment: this.#number, head: this.#prev };
    this.#number += 1;
    this.#frontier = new Frontier();
    const segment = { number: this.#number, previous: this.#previous };
    return this.write(recordBody(this.session, "", { kind: "note", event: "segment", observations: { segment } }));
  }

  write(...bodies: readonly AuditBody[]): this {
    let text = "";
    for (const body of bodies) {
      const link: Link = {
        seq: this.#seq,
        written: new Date(began + this.#seq).toISOString(),
        mono: this.#seq,
        pid: 7,
        latency_us: 12,
        prev: this.#prev,
      };
      const { seal, line } = sealLine(canonicalJson(body), link);
      this.#frontier.add(leafHash(Buffer.from(line, "utf8")));
      this.#seq += 1;
      this.#prev = seal.hash;
      text += `${line}\n`;
    }
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, text, { flag: "a" });
    return this;
  }

  /** Writes some plain records. */
  add(count: number): this {
    return this.write(...Array.from({ length: count }, (_, i) => recordBody(this.session, `e${this.#seq + i}`)));
  }

  /** Writes a checkpoint of what is there; throws what the checkpointer says. */
  checkpoint(now = began + 1_000_000 + this.#seq): this {
    const why = this.#checkpointer.write(
      {
        session: this.folder,
        number: this.#number,
        frontier: this.#frontier,
        seq: this.#seq - 1,
        head: this.#prev,
      },
      now,
    );
    if (why !== undefined) throw new Error(why);
    return this;
  }
}

/** Two checkpointed sessions, one of two segments, and a copy of the checkpoints: the verifier key is the result. */
export function makeTrail(state: string, copyTo: string): string {
  const { verifier } = makeAuditKeys(state);
  new Checkpointer(join(state, "audit"), state, { durability: "relaxed", copyTo }).begin(began);
  new MadeSession(state, "one", { copyTo }).add(2).checkpoint().add(1).checkpoint().rotate().add(1).checkpoint();
  new MadeSession(state, "two", { copyTo }).add(2).checkpoint();
  return verifier;
}

/** The complete lines of a file. */
export function linesIn(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}
