import type { Plan, PlanBudget, PlanRule } from "../../engine/plan.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { PastCall, SessionView } from "../../schema/session.ts";

/** Something that counts for sequences: at which call and when, and which items of which rule it is. */
interface Step {
  readonly rule: string;
  readonly items: readonly number[];
}

/** Something taken from a budget. */
interface Spent {
  readonly rule: string;
  readonly bucket: string;
  readonly amount: number;
}

/** What one event adds, as the reference found it. */
export interface Added {
  readonly event: JudgedEvent;
  readonly outcome: PastCall["outcome"];
  readonly labels: readonly string[];
  readonly shadow: readonly string[];
  readonly project: readonly string[];
  readonly paths: readonly { readonly path: string; readonly labels: readonly string[] }[];
  readonly steps: readonly Step[];
  readonly spent: readonly Spent[];
  readonly question?: Question | undefined;
}

/** A question to the human. */
export interface Question {
  readonly key: string;
  readonly remember: boolean;
  /** Key of those that remember, where others ask as well: a denial is theirs. */
  readonly denial?: string | undefined;
  readonly clears: readonly string[];
}

interface Open extends Question {
  readonly steps: readonly Step[];
  readonly spent: readonly Spent[];
}

type At<T> = T & { readonly call: number; readonly time: number };

/** The whole past of one session, kept as it came and searched anew each time (language section 5). */
export class History {
  readonly #plan: Plan;
  #time = 0;
  #turn = 0;
  #calls = 0;
  #asked = 0;
  #labels: readonly string[] = [];
  #shadow: readonly string[] = [];
  #project: readonly string[] = [];
  readonly #past: (PastCall & { readonly id: string })[] = [];
  readonly #steps: At<Step>[] = [];
  readonly #spent: At<Spent>[] = [];
  readonly #paths: { readonly path: string; readonly labels: readonly string[] }[] = [];
  readonly #open = new Map<string, Open>();
  readonly #approvals = new Map<string, "allow" | "deny" | "timeout">();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  get labels(): readonly string[] {
    return this.#labels;
  }

  view(event: JudgedEvent): SessionView {
    const now = Math.max(this.#time, event.time);
    return {
      turn: Math.max(this.#turn, event.session.turn),
      labels: [...new Set([...this.#labels, ...event.session.labels])],
      shadowLabels: this.#shadow,
      projectLabels: this.#project,
      calls: [...this.#past],
      asked: this.#asked,
      now,
      sequenceHolds: (rule) => this.#holds(this.#rule(rule), now),
      budgetLeft: (rule, bucket) => this.#left(this.#rule(rule)?.budget, rule, bucket, now),
      delivered: () => false,
      approval: (key) => {
        const answer = this.#approvals.get(key);
        return answer && { answer, by: "user" };
      },
      digestOfCall: () => undefined,
      pathLabels: (path) => this.#paths.filter((one) => isIn(path, one.path)).flatMap(({ labels }) => [...labels]),
    };
  }

  /** Takes in what an event came to. */
  add({ event, outcome, labels, shadow, project, paths, steps, spent, question }: Added): void {
    this.#time = Math.max(this.#time, event.time);
    this.#turn = Math.max(this.#turn, event.session.turn);
    this.#call(event, outcome);
    this.#labels = [...new Set([...this.#labels, ...labels])];
    this.#shadow = [...new Set([...this.#shadow, ...shadow])];
    this.#project = [...new Set([...this.#project, ...project])];
    this.#paths.push(...paths);
    const waits = outcome !== "allow";
    const lateSteps = steps.filter(({ rule }) => waits && this.#rule(rule)?.sequence?.executed === true);
    const lateSpent = spent.filter(({ rule }) => waits && this.#rule(rule)?.budget?.executed === true);
    this.#count(
      steps.filter((one) => !lateSteps.includes(one)),
      spent.filter((one) => !lateSpent.includes(one)),
    );
    if (!question) return;
    this.#asked += 1;
    this.#open.set(event.id, { ...question, steps: lateSteps, spent: lateSpent });
  }

  /** A human's answer to the question about an event. False when there is none. */
  answer(of: string, answer: "allow" | "deny" | "timeout"): boolean {
    const question = this.#open.get(of);
    if (!question) return false;
    this.#open.delete(of);
    if (question.remember) this.#approvals.set(question.key, answer);
    else if (question.denial !== undefined && answer !== "allow") this.#approvals.set(question.denial, answer);
    if (answer !== "allow") return true;
    this.#labels = this.#labels.filter((label) => !question.clears.includes(label));
    this.#count(question.steps, question.spent);
    return true;
  }

  #rule(id: string): PlanRule | undefined {
    return this.#plan.rules.find((rule) => rule.id === id);
  }

  #call(event: JudgedEvent, outcome: PastCall["outcome"]): void {
    if (event.event === "tool_result") {
      const last = this.#past.findLastIndex((call) => call.id === event.call_id);
      const call = this.#past[last];
      if (call) this.#past[last] = { ...call, executed: true };
      return;
    }
    if (!["tool_call", "user_bash", "user_python"].includes(event.event)) return;
    this.#calls += 1;
    const { call_id, id, tool, agent } = event;
    const past = { event: event.event, tool: tool?.name ?? "bash", outcome, executed: false, agent: agent.id };
    this.#past.push({ ...past, id: call_id ?? id, time: this.#time });
    if (this.#past.length > limits.calls) this.#past.shift();
  }

  #count(steps: readonly Step[], spent: readonly Spent[]): void {
    const at = { call: this.#calls, time: this.#time };
    this.#steps.push(...steps.map((step) => ({ ...step, ...at })));
    this.#spent.push(...spent.map((one) => ({ ...one, ...at })));
  }

  /** Tries every start: the rest of the items must follow it, each by another event. */
  #holds(rule: PlanRule | undefined, now: number): boolean {
    const sequence = rule?.sequence;
    if (!sequence) return false;
    const steps = this.#steps.filter((step) => step.rule === rule.id);
    const follows = (from: number, item: number): boolean =>
      item === sequence.items.length ||
      steps.some((s, i) => i >= from && s.items.includes(item) && follows(i + 1, item + 1));
    return steps.some(
      (start, i) =>
        start.items.includes(0) &&
        (sequence.calls === undefined || this.#calls - start.call < sequence.calls) &&
        (sequence.time === undefined || now - start.time <= sequence.time) &&
        follows(i + 1, 1),
    );
  }

  /** What is left after all that was taken within the window. */
  #left(budget: PlanBudget | undefined, rule: string, bucket: string, now: number): number {
    if (!budget) return 0;
    const taken = this.#spent.filter(
      (one) =>
        one.rule === rule && one.bucket === bucket && (budget.within === undefined || now - one.time < budget.within),
    );
    const used = taken.reduce((sum, { amount }) => Math.min(sum + amount, Number.MAX_SAFE_INTEGER), 0);
    return Math.max(0, budget.limit - used);
  }
}

function isIn(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}
