import type { RecordedOnce, RecordedPathLabels, RecordedQuestion, RecordedState } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { SessionView } from "../schema/session.ts";

/** Collects what one event adds to its session; the session itself changes only when the record is folded. */
export class StateChange {
  readonly #session: SessionView;
  readonly #labels = new Set<string>();
  readonly #shadow = new Set<string>();
  readonly #paths: RecordedPathLabels[] = [];
  readonly #once: RecordedOnce[] = [];
  readonly #steps = new Map<string, number[]>();
  readonly #spent: { rule: string; bucket: string; amount: number }[] = [];

  constructor(session: SessionView) {
    this.#session = session;
  }

  label(labels: readonly string[]): void {
    for (const label of labels) if (!this.#session.labels.includes(label)) this.#labels.add(label);
  }

  /** Labels of rules in monitor mode: only such rules see them. */
  shadow(labels: readonly string[]): void {
    for (const label of labels) if (!this.#session.shadowLabels.includes(label)) this.#shadow.add(label);
  }

  path(entry: RecordedPathLabels): void {
    this.#paths.push(entry);
  }

  step(rule: string, item: number): void {
    const items = this.#steps.get(rule);
    if (items) items.push(item);
    else this.#steps.set(rule, [item]);
  }

  spend(rule: string, bucket: string, amount: number): void {
    this.#spent.push({ rule, bucket, amount });
  }

  /** True the first time for this rule in this turn or session. */
  once(rule: string, scope: RecordedOnce["scope"]): boolean {
    if (this.#session.delivered({ rule, scope })) return false;
    if (this.#once.some((one) => one.rule === rule && one.scope === scope)) return false;
    this.#once.push({ rule, scope });
    return true;
  }

  get labels(): readonly string[] {
    return [...this.#labels];
  }

  /** The change as the record carries it. */
  recorded(event: JudgedEvent, question: RecordedQuestion | undefined): RecordedState {
    const { turn, now } = this.#session;
    return {
      at: now,
      ...(turn !== 0 && { turn }),
      ...(event.session.parent !== undefined && { parent: event.session.parent }),
      ...(this.#labels.size > 0 && { labels: [...this.#labels] }),
      ...(this.#shadow.size > 0 && { shadow: [...this.#shadow] }),
      ...(this.#paths.length > 0 && { paths: this.#paths }),
      ...(this.#once.length > 0 && { once: this.#once }),
      ...(this.#steps.size > 0 && { steps: [...this.#steps].map(([rule, items]) => ({ rule, items })) }),
      ...(this.#spent.length > 0 && { spent: this.#spent }),
      ...(question && { question }),
    };
  }
}
