/**
 * Maximum times in a row that a rule may make an agent go on that wants to stop; then it stops. Without a limit, a rule that
 * can never be satisfied would keep an agent working, and paying, forever.
 */
export const goOnLimit = 8;

/** Counts, in one process, how often in a row agents that wanted to stop had to go on. */
export class GoOnCount {
  readonly #times = new Map<string, number>();

  /** True if the agent of a session must go on once more; `wanted` says that a rule wants it. */
  sendsOn(session: string, wanted: boolean): boolean {
    const before = this.#times.get(session) ?? 0;
    this.#times.delete(session);
    if (!wanted || before >= goOnLimit) return false;
    this.#times.set(session, before + 1);
    return true;
  }
}
