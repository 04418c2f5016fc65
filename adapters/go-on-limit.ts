/**
 * Times in a row that a rule may send an agent on which was about to stop; then it stops all the same. Without an end, a
 * rule that can never be satisfied would keep an agent working, and paying, for ever.
 */
export const goOnLimit = 8;

/** Counts within one process how often in a row agents were sent on which were about to stop. */
export class GoOnCount {
  readonly #times = new Map<string, number>();

  /** Whether the agent of a session is sent on once more; `wanted` says that a rule would have it so. */
  sendsOn(session: string, wanted: boolean): boolean {
    const before = this.#times.get(session) ?? 0;
    this.#times.delete(session);
    if (!wanted || before >= goOnLimit) return false;
    this.#times.set(session, before + 1);
    return true;
  }
}
