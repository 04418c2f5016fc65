import { canonicalJson } from "../engine/canonical.ts";
import { type SealedBytes, sealBytes } from "../engine/chain.ts";
import type { AuditBody } from "../schema/generated.ts";
import type { Clock } from "../schema/ports.ts";
import { elapsed } from "./elapsed.ts";

/** One moment by both clocks, in milliseconds. */
export interface Moment {
  readonly wall: number;
  readonly mono: number;
}

/** A jump of the wall clock. */
export interface ClockJump {
  /** The wall clock as last recorded, and now; RFC 3339. */
  readonly before: string;
  readonly after: string;
  /** Milliseconds by the wall clock in between, and by the monotonic clock where this process knows. */
  readonly wall_ms: number;
  readonly mono_ms?: number;
}

/** Milliseconds that the wall clock may move against the monotonic one before it is a jump. */
const mostDrift = 5_000;

/** Seals the records of one process, and watches its clocks. */
export class Sealer {
  readonly #clock: Clock;
  readonly #monotonic: Clock;
  #last: Moment | undefined;

  constructor(clock: Clock = { now: () => Date.now() }, monotonic: Clock = { now: elapsed }) {
    this.#clock = clock;
    this.#monotonic = monotonic;
  }

  /** Now, by both clocks. */
  now(): Moment {
    return { wall: this.#clock.now(), mono: Math.round(this.#monotonic.now()) };
  }

  /**
   * Returns the jump of the wall clock before `now`: it went backwards from the last record (`written`, by any process), or moved
   * against the monotonic clock by more than 5 s since this process's own last record.
   */
  jump(now: Moment, written: number | undefined): ClockJump | undefined {
    const last = this.#last;
    this.#last = now;
    const drifted = last && Math.abs(now.wall - last.wall - (now.mono - last.mono)) > mostDrift;
    if (drifted) return { ...between(last.wall, now.wall), mono_ms: now.mono - last.mono };
    return written !== undefined && now.wall < written ? between(written, now.wall) : undefined;
  }

  /** Seals a body as the record `seq` after the one whose hash is `prev`. */
  seal(body: AuditBody, seq: number, prev: string, now: Moment, latencyUs: number): SealedBytes {
    return sealBytes(canonicalJson(body), {
      seq,
      prev,
      written: new Date(now.wall).toISOString(),
      mono: now.mono,
      pid: process.pid,
      latency_us: Math.max(0, Math.round(latencyUs)),
    });
  }
}

function between(before: number, after: number): ClockJump {
  return {
    before: new Date(before).toISOString(),
    after: new Date(after).toISOString(),
    wall_ms: Math.round(after - before),
  };
}
