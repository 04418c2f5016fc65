import type { StoredNeeds } from "../engine/index-stored.ts";
import type { Ir, Json, Plan, PlanAction, PlanRule } from "../engine/plan.ts";

/**
 * A plan as stored in a file that is read in part: a head with the parts that every event needs, then each rule and each named
 * condition separately. A hook does not read a rule that by the head is not for its event.
 */
export interface StoredPlan {
  readonly head: StoredHead;
  /** Rules and conditions, each as JSON. */
  readonly parts: Buffer;
}

/** Place of a part: offset and length in bytes, from the end of the head. */
type Place = readonly [at: number, length: number];

/** The fields of a rule that every event needs. `does` lists the names of its actions. */
type StoredRule = Pick<PlanRule, (typeof asked)[number]> & { readonly does: readonly string[]; readonly at: Place };

const asked = [
  "id",
  "policy",
  "position",
  "mode",
  "events",
  "tools",
  "needs",
  "sequence",
  "budget",
  "captures",
] as const;

/** The part of a plan that is read for every event. */
export interface StoredHead {
  readonly plan: Omit<Plan, "conditions" | "rules">;
  readonly conditions: readonly (readonly [name: string, place: Place])[];
  readonly rules: readonly StoredRule[];
  /** Needs of the rules, where these were derived. */
  readonly needs?: StoredNeeds | undefined;
}

/** Takes a plan apart. */
export function storePlan(plan: Plan, needs?: StoredNeeds): StoredPlan {
  const texts: Buffer[] = [];
  let end = 0;
  const place = (value: unknown): Place => {
    const text = Buffer.from(JSON.stringify(value), "utf8");
    texts.push(text);
    end += text.length;
    return [end - text.length, text.length];
  };
  const { conditions, rules, ...rest } = plan;
  const head = {
    plan: rest,
    conditions: Object.entries(conditions).map(([name, ir]) => [name, place(ir)] as const),
    rules: rules.map((rule) => {
      const own = Object.fromEntries(asked.map((name) => [name, rule[name]])) as Pick<PlanRule, (typeof asked)[number]>;
      return { ...own, does: rule.actions.map(({ action }) => action), at: place(rule) };
    }),
    needs,
  };
  return { head, parts: Buffer.concat(texts) };
}

/** Reads some bytes of the parts. Throws when they cannot be had as they were when the head was read. */
export type ReadPart = (at: number, length: number) => Buffer;

/** Returns the plan of a head; its rules and conditions are read when data is needed that the head does not contain. */
export function latePlan({ plan, conditions, rules }: StoredHead, read: ReadPart): Plan {
  const part = ([at, length]: Place): unknown => JSON.parse(read(at, length).toString("utf8"));
  const named: Record<string, never> = {};
  for (const [name, place] of conditions) {
    let made: unknown;
    const get = (): unknown => (made ??= part(place));
    Object.defineProperty(named, name, { get, enumerable: true });
  }
  return {
    ...plan,
    conditions: named,
    rules: rules.map((stored) => new PartlyReadRule(stored, () => part(stored.at) as PlanRule)),
  };
}

/** Returns the whole plan of a head as plain values, as it was stored. */
export function wholePlan({ plan, conditions, rules }: StoredHead, read: ReadPart): Plan {
  const part = ([at, length]: Place): unknown => JSON.parse(read(at, length).toString("utf8"));
  return {
    ...plan,
    conditions: Object.fromEntries(conditions.map(([name, place]) => [name, part(place) as Ir])),
    rules: rules.map(({ at }) => part(at) as PlanRule),
  };
}

/** A rule whose fields are read on demand. */
class PartlyReadRule implements PlanRule {
  readonly id: string;
  readonly policy: number;
  readonly position: number;
  readonly mode: PlanRule["mode"];
  readonly events: PlanRule["events"];
  readonly tools: readonly string[];
  readonly needs: boolean;
  declare readonly sequence?: NonNullable<PlanRule["sequence"]>;
  declare readonly budget?: NonNullable<PlanRule["budget"]>;
  declare readonly captures?: true;
  readonly actions: readonly PlanAction[];
  readonly #read: () => PlanRule;
  #whole: PlanRule | undefined;

  constructor(stored: StoredRule, read: () => PlanRule) {
    this.id = stored.id;
    this.policy = stored.policy;
    this.position = stored.position;
    this.mode = stored.mode;
    this.events = stored.events;
    this.tools = stored.tools;
    this.needs = stored.needs;
    if (stored.sequence) this.sequence = stored.sequence;
    if (stored.budget) this.budget = stored.budget;
    if (stored.captures) this.captures = stored.captures;
    this.actions = stored.does.map((action, i) => new PartlyReadAction(action, () => this.#rest.actions[i]));
    this.#read = read;
  }

  get title(): string {
    return this.#rest.title;
  }

  get severity(): PlanRule["severity"] {
    return this.#rest.severity;
  }

  get tags(): readonly string[] {
    return this.#rest.tags;
  }

  get each(): NonNullable<PlanRule["each"]> {
    return this.#rest.each as NonNullable<PlanRule["each"]>;
  }

  get when(): NonNullable<PlanRule["when"]> {
    return this.#rest.when as NonNullable<PlanRule["when"]>;
  }

  get unless(): NonNullable<PlanRule["unless"]> {
    return this.#rest.unless as NonNullable<PlanRule["unless"]>;
  }

  get reason(): NonNullable<PlanRule["reason"]> {
    return this.#rest.reason as NonNullable<PlanRule["reason"]>;
  }

  get guidance(): NonNullable<PlanRule["guidance"]> {
    return this.#rest.guidance as NonNullable<PlanRule["guidance"]>;
  }

  get unsure(): NonNullable<PlanRule["unsure"]> {
    return this.#rest.unsure as NonNullable<PlanRule["unsure"]>;
  }

  get exceptions(): PlanRule["exceptions"] {
    return this.#rest.exceptions;
  }

  get at(): PlanRule["at"] {
    return this.#rest.at;
  }

  /** Returns the whole rule, for serialization. */
  toJSON(): PlanRule {
    return this.#rest;
  }

  get #rest(): PlanRule {
    this.#whole ??= this.#read();
    return this.#whole;
  }
}

/** Optional fields of a rule that `PartlyReadRule` would silently lose: there must be none. */
type Lost = Exclude<keyof PlanRule, keyof PartlyReadRule>;
true satisfies [Lost] extends [never] ? true : Lost;

class PartlyReadAction implements PlanAction {
  readonly action: string;
  readonly #read: () => PlanAction | undefined;

  constructor(action: string, read: () => PlanAction | undefined) {
    this.action = action;
    this.#read = read;
  }

  get parameters(): Json {
    return this.#read()?.parameters ?? null;
  }

  get templates(): NonNullable<PlanAction["templates"]> {
    return this.#read()?.templates as NonNullable<PlanAction["templates"]>;
  }

  get conditions(): NonNullable<PlanAction["conditions"]> {
    return this.#read()?.conditions as NonNullable<PlanAction["conditions"]>;
  }

  toJSON(): PlanAction | undefined {
    return this.#read();
  }
}
