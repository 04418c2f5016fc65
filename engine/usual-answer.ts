import type { PlanPolicy } from "./plan.ts";

/** Answers of a plan's policies where no rule answers. */
interface Answers<T> {
  /** True if the answer depends on whether the call is understood. */
  readonly asks: boolean;
  readonly known: T;
  readonly unknown: T;
}

/** Answer to calls that no rule answers, as most are: it depends on the policies alone, so that it is computed once. */
export class UsualAnswer<T> {
  readonly #answers = new WeakMap<readonly PlanPolicy[], Answers<T>>();

  /** `work` computes the answer to a call that is unknown, or known; `isUnknown` is called only where that matters. */
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
