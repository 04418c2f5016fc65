import type { PlanPolicy } from "./plan.ts";

/** Answers of a plan's policies where no rule answers. */
interface Answers<T> {
  /** Whether a call is understood makes a difference. */
  readonly asks: boolean;
  readonly known: T;
  readonly unknown: T;
}

/** The answer to most calls, which no rule speaks of: it rests on the policies alone, so that it is worked out once. */
export class UsualAnswer<T> {
  readonly #answers = new WeakMap<readonly PlanPolicy[], Answers<T>>();

  /** `work` gives the answer to a call that is not understood, or to any other; whether it is, is asked only where it matters. */
  of(policies: readonly PlanPolicy[], isUnknown: () => boolean, work: (isUnknown: boolean) => T): T {
    let made = this.#answers.get(policies);
    if (!made) {
      const asks = policies.some(({ mode, unknown }) => mode !== "monitor" && unknown !== "allow");
      made = { asks, known: work(false), unknown: work(true) };
      this.#answers.set(policies, made);
    }
    return made.asks && isUnknown() ? made.unknown : made.known;
  }
}
