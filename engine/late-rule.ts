import type { ActionCode } from "../schema/ports.ts";
import { toolMatcher } from "../schema/tool-matcher.ts";
import type { LinkedAction, LinkedRule } from "./linked.ts";
import type { PlanAction, PlanPolicy, PlanRule } from "./plan.ts";

const noNames: ReadonlySet<string> = new Set();

/** Parts of a rule that are linked at first use. */
type Late = Pick<
  LinkedRule,
  "list" | "when" | "unless" | "exceptions" | "graded" | "named" | "spoken" | "spends" | "reason" | "guidance"
>;

/**
 * A rule for an engine that judges one event. Such an engine reads only the events, tools and actions of most rules. Conditions
 * and texts are linked at first use, so that a plan with late rules (`store/stored-plan.ts`) is read only in part.
 */
export class LateRule implements LinkedRule {
  readonly rule: PlanRule;
  readonly policy: PlanPolicy;
  /** Not linked, because the rule is judged only once. */
  readonly plain = undefined;
  readonly guards: readonly LinkedAction[];
  readonly transforms: readonly LinkedAction[];
  readonly programs: readonly LinkedAction[];
  readonly deliveries: readonly LinkedAction[];
  readonly marks: readonly LinkedAction[];
  readonly #link: () => Late;
  #linked: Late | undefined;
  #matches: LinkedRule["matchesTool"] | undefined;

  /** `link` is called at most once. */
  constructor(rule: PlanRule, policy: PlanPolicy, actions: readonly LinkedAction[], link: () => Late) {
    this.rule = rule;
    this.policy = policy;
    this.guards = ofKind(actions, "guard");
    this.transforms = ofKind(actions, "transform");
    this.programs = ofKind(actions, "program");
    this.deliveries = ofKind(actions, "deliver");
    this.marks = ofKind(actions, "mark");
    this.#link = link;
  }

  matchesTool = (tool: string | undefined): boolean => {
    this.#matches ??= toolMatcher(this.rule.tools);
    return this.#matches(tool);
  };

  get needs(): boolean {
    return this.rule.needs;
  }

  get each(): LinkedRule["each"] {
    return this.rule.each;
  }

  get sequenced(): boolean {
    return this.rule.sequence !== undefined;
  }

  get list(): LinkedRule["list"] {
    return this.#late.list;
  }

  get when(): LinkedRule["when"] {
    return this.#late.when;
  }

  get unless(): LinkedRule["unless"] {
    return this.#late.unless;
  }

  get exceptions(): LinkedRule["exceptions"] {
    return this.#late.exceptions;
  }

  get named(): NonNullable<LinkedRule["named"]> {
    return () => this.#late.named?.() ?? noNames;
  }

  get graded(): LinkedRule["graded"] {
    return this.#late.graded;
  }

  get spoken(): LinkedRule["spoken"] {
    return this.#late.spoken;
  }

  get spends(): LinkedRule["spends"] {
    return this.#late.spends;
  }

  get reason(): LinkedRule["reason"] {
    return this.#late.reason;
  }

  get guidance(): LinkedRule["guidance"] {
    return this.#late.guidance;
  }

  get #late(): Late {
    this.#linked ??= this.#link();
    return this.#linked;
  }
}

const none: readonly LinkedAction[] = [];

function ofKind(actions: readonly LinkedAction[], kind: ActionCode["kind"]): readonly LinkedAction[] {
  return actions.some(({ code }) => code.kind === kind) ? actions.filter(({ code }) => code.kind === kind) : none;
}

/** An action of such a rule. */
export class LateAction implements LinkedAction {
  readonly plan: PlanAction;
  readonly code: ActionCode;
  readonly #link: () => LinkedAction;
  #linked: LinkedAction | undefined;

  /** `link` is called at most once. */
  constructor(plan: PlanAction, code: ActionCode, link: () => LinkedAction) {
    this.plan = plan;
    this.code = code;
    this.#link = link;
  }

  get templates(): LinkedAction["templates"] {
    return this.#made.templates;
  }

  get conditions(): LinkedAction["conditions"] {
    return this.#made.conditions;
  }

  get #made(): LinkedAction {
    this.#linked ??= this.#link();
    return this.#linked;
  }
}
