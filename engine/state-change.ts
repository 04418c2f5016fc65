import type { RecordedOnce, RecordedPathLabels, RecordedQuestion, RecordedState } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { SessionView } from "../schema/session.ts";

/** Collects what one event adds to its session; the session itself changes only when the record is folded. */
export class StateChange {
  readonly #session: SessionView;
  // Made at first use, because most events change nothing.
  #labels: Set<string> | undefined;
  #shadow: Set<string> | undefined;
  #project: Set<string> | undefined;
  #paths: RecordedPathLabels[] | undefined;
  #once: RecordedOnce[] | undefined;
  #steps: Map<string, number[]> | undefined;
  #spent: { rule: string; bucket: string; amount: number }[] | undefined;

  constructor(session: SessionView) {
    this.#session = session;
  }

  label(labels: readonly string[]): void {
    this.#labels ??= new Set();
    for (const label of labels) if (!this.#session.labels.includes(label)) this.#labels.add(label);
  }

  /** Labels of rules in monitor mode: only such rules see them. */
  shadow(labels: readonly string[]): void {
    this.#shadow ??= new Set();
    for (const label of labels) if (!this.#session.shadowLabels.includes(label)) this.#shadow.add(label);
  }

  /** Sets labels of an untrusted project's policies, which only their own rules see. */
  project(labels: readonly string[]): void {
    this.#project ??= new Set();
    for (const label of labels) if (!this.#session.projectLabels.includes(label)) this.#project.add(label);
  }

  path(entry: RecordedPathLabels): void {
    this.#paths ??= [];
    this.#paths.push(entry);
  }

  step(rule: string, item: number): void {
    this.#steps ??= new Map();
    const items = this.#steps.get(rule);
    if (items) items.push(item);
    else this.#steps.set(rule, [item]);
  }

  spend(rule: string, bucket: string, amount: number): void {
    this.#spent ??= [];
    this.#spent.push({ rule, bucket, amount });
  }

  /** True the first time for this rule in this turn or session. */
  once(rule: string, scope: RecordedOnce["scope"]): boolean {
    if (this.#session.delivered({ rule, scope })) return false;
    this.#once ??= [];
    if (this.#once.some((one) => one.rule === rule && one.scope === scope)) return false;
    this.#once.push({ rule, scope });
    return true;
  }

  get labels(): readonly string[] {
    return this.#labels ? [...this.#labels] : none;
  }

  /** The change as the record carries it. */
  recorded(event: JudgedEvent, question: RecordedQuestion | undefined): RecordedState {
    const { turn, now } = this.#session;
    const state: RecordedState = { at: now };
    if (turn !== 0) state.turn = turn;
    if (event.session.parent !== undefined) state.parent = event.session.parent;
    if (this.#labels?.size) state.labels = [...this.#labels];
    if (this.#shadow?.size) state.shadow = [...this.#shadow];
    if (this.#project?.size) state.project = [...this.#project];
    if (this.#paths) state.paths = this.#paths;
    if (this.#once?.length) state.once = this.#once;
    if (this.#steps) state.steps = [...this.#steps].map(([rule, items]) => ({ rule, items }));
    if (this.#spent) state.spent = this.#spent;
    if (question) state.question = question;
    return state;
  }
}

const none: readonly string[] = [];
