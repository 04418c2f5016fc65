import type { ApproximateKind } from "../schema/facts.ts";
import type { ActionCode } from "../schema/ports.ts";
import type { Linked } from "./frame.ts";
import type { PlanAction, PlanPolicy, PlanRule } from "./plan.ts";
import type { SpokenFor } from "./spoken-for.ts";

/** A text template as constant parts and closures. */
export type LinkedTemplate = readonly (string | Linked)[];

/** An action with its code; templates and conditions are closures, by the names of their parameters. */
export interface LinkedAction {
  readonly plan: PlanAction;
  readonly code: ActionCode;
  readonly templates: ReadonlyMap<string, LinkedTemplate>;
  readonly conditions: ReadonlyMap<string, Linked>;
}

/** An exception with its condition as a closure; `expires` in milliseconds since the epoch, exclusive. */
export interface LinkedException {
  readonly when: Linked | undefined;
  readonly expires: number | undefined;
  readonly reason: string;
}

/** The conditions of a rule by grades, linked when facts first hold values that are known in part. */
export interface GradedConditions extends Waivers {
  /** Kinds of facts that they read. */
  readonly sees: ReadonlySet<ApproximateKind>;
  readonly list: Linked | undefined;
  readonly when: Linked | undefined;
  /** Amount that a match takes from the rule's budget. */
  readonly spends: Linked | undefined;
  /** Its `when` loosens, as that of an `allow`. */
  readonly loosens: boolean;
}

/** Conditions ready to run: those of a rule, or of an item of a sequence. */
export interface LinkedCondition {
  readonly rule: Pick<PlanRule, "needs" | "each" | "captures">;
  /** `needs` and `each` are copied from the rule for speed: linked rules share one object layout, rules of a plan do not. */
  readonly needs: boolean;
  readonly each: PlanRule["each"];
  readonly matchesTool: (tool: string | undefined) => boolean;
  readonly list: Linked | undefined;
  readonly when: Linked | undefined;
  readonly unless: Linked | undefined;
  readonly exceptions: readonly LinkedException[];
  readonly graded: () => GradedConditions;
  /** Names in the waivers of a rule that make another run of a command, such as variables and options. */
  readonly named?: () => ReadonlySet<string>;
}

/** Conditions that waive an element. */
export type Waivers = Pick<LinkedCondition, "unless" | "exceptions">;

/** An item of a rule's sequence, by its index. */
export interface LinkedItem extends LinkedCondition {
  readonly owner: LinkedRule;
  readonly index: number;
}

/** A rule ready to run: every expression a closure, every action its code. */
export interface LinkedRule extends LinkedCondition {
  readonly rule: PlanRule;
  readonly policy: PlanPolicy;
  /**
   * The `when` of a guard that reads no facts, elements or session: if it is false, the guard says `no`. Most guards that an
   * index cannot leave out are such, and usually only this is evaluated.
   */
  readonly plain: Linked | undefined;
  /** Of a rule with an `allow`: the part of a call that its own words cover. */
  readonly spoken: () => SpokenFor;
  /** The rule asks for a sequence. */
  readonly sequenced: boolean;
  /** Amount that a match takes from the rule's budget. */
  readonly spends: Linked | undefined;
  readonly guards: readonly LinkedAction[];
  readonly transforms: readonly LinkedAction[];
  readonly programs: readonly LinkedAction[];
  readonly deliveries: readonly LinkedAction[];
  readonly marks: readonly LinkedAction[];
  readonly reason: LinkedTemplate;
  readonly guidance: LinkedTemplate;
}
