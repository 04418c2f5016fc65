import type { Json, PlanAction, PlanBudget, PlanRule, PlanSequence } from "../../engine/plan.ts";

/** One way to break a rule as a whole. `key` is the changed field of the rule. */
export interface RuleChange {
  readonly id: string;
  readonly operator: string;
  readonly key: string;
  readonly after: string;
  readonly rule: PlanRule;
}

/** Returns every change of a rule outside its conditions, in a fixed order. */
export function ruleChanges(rule: PlanRule): RuleChange[] {
  return [
    ...eventChanges(rule),
    ...toolChanges(rule),
    ...conditionChanges(rule),
    ...exceptionChanges(rule),
    ...(rule.sequence ? sequenceChanges(rule, rule.sequence) : []),
    ...(rule.budget ? budgetChanges(rule, rule.budget) : []),
    ...rule.actions.flatMap((action, i) => actionChanges(rule, action, i)),
  ];
}

function eventChanges(rule: PlanRule): RuleChange[] {
  if (rule.events.length < 2) return [];
  return rule.events.map((event) => ({
    id: `event ${event}`,
    operator: "drop an event",
    key: "event",
    after: `without ${event}`,
    rule: { ...rule, events: rule.events.filter((one) => one !== event) },
  }));
}

function toolChanges(rule: PlanRule): RuleChange[] {
  if (rule.tools.length === 0) return [];
  const one = { operator: "drop a tool", key: "tool" };
  const drops = rule.tools.length < 2 ? [] : rule.tools;
  return [
    { id: "any tool", operator: "widen to any tool", key: "tool", after: "(removed)", rule: { ...rule, tools: [] } },
    ...drops.map((tool) => ({
      ...one,
      id: `tool ${tool}`,
      after: `without ${tool}`,
      rule: { ...rule, tools: rule.tools.filter((other) => other !== tool) },
    })),
  ];
}

function conditionChanges(rule: PlanRule): RuleChange[] {
  const { when, unless, ...rest } = rule;
  const made: RuleChange[] = [];
  if (when)
    made.push({
      id: "when",
      operator: "drop the condition",
      key: "when",
      after: "(removed)",
      rule: { ...rest, ...(unless && { unless }) },
    });
  if (unless)
    made.push({
      id: "unless",
      operator: "drop `unless`",
      key: "unless",
      after: "(removed)",
      rule: { ...rest, ...(when && { when }) },
    });
  return made;
}

function exceptionChanges(rule: PlanRule): RuleChange[] {
  const key = "exceptions";
  return rule.exceptions.flatMap((exception, i): RuleChange[] => {
    const others = rule.exceptions.filter((_, at) => at !== i);
    const dropped = { ...rule, exceptions: others };
    const endless = rule.exceptions.map((one, at) => (at === i ? { ...one, expires: undefined } : one));
    return [
      { id: `exception ${i}`, operator: "drop an exception", key, after: "(removed)", rule: dropped },
      ...(exception.expires === undefined
        ? []
        : [
            {
              id: `exception end ${i}`,
              operator: "drop the end of an exception",
              key,
              after: "without `expires`",
              rule: { ...rule, exceptions: endless },
            },
          ]),
    ];
  });
}

/** Change of a window, in milliseconds. */
const moved = 1000;

function sequenceChanges(rule: PlanRule, sequence: PlanSequence): RuleChange[] {
  const { items, calls, time, executed: _, ...rest } = sequence;
  const change = (id: string, operator: string, after: string, made: PlanSequence): RuleChange => ({
    id: `sequence ${id}`,
    operator,
    key: "sequence",
    after,
    rule: { ...rule, sequence: made },
  });
  const { sequence: __, ...unordered } = rule;
  const found: RuleChange[] = [
    { id: "sequence", operator: "drop the sequence", key: "sequence", after: "(removed)", rule: unordered },
  ];
  if (items.length > 1) {
    found.push(
      change("order", "turn the order round", "in the other order", { ...sequence, items: [...items].reverse() }),
    );
    for (const i of items.keys()) {
      const left = items.filter((___, at) => at !== i);
      found.push(change(`item ${i}`, "drop an item", `without item ${i + 1}`, { ...sequence, items: left }));
    }
  }
  for (const by of [-1, 1]) {
    const bound = "move a boundary";
    if (calls !== undefined && calls + by > 0)
      found.push(change(`calls ${by}`, bound, `calls: ${calls + by}`, { ...sequence, calls: calls + by }));
    if (time !== undefined && time + by * moved > 0) {
      const later = time + by * moved;
      found.push(change(`time ${by}`, bound, `time: ${later / 1000}s`, { ...sequence, time: later }));
    }
  }
  if (sequence.executed) {
    const kept = { ...rest, items, ...(calls !== undefined && { calls }), ...(time !== undefined && { time }) };
    found.push(change("executed", "count blocked calls too", "without `executed`", kept));
  }
  return found;
}

function budgetChanges(rule: PlanRule, budget: PlanBudget): RuleChange[] {
  const change = (id: string, operator: string, after: string, made: PlanBudget): RuleChange => ({
    id: `budget ${id}`,
    operator,
    key: "budget",
    after,
    rule: { ...rule, budget: made },
  });
  const { budget: _, ...unlimited } = rule;
  const { within, ...whole } = budget;
  const found: RuleChange[] = [
    { id: "budget", operator: "drop the budget", key: "budget", after: "(removed)", rule: unlimited },
  ];
  for (const by of [-1, 1]) {
    const limit = budget.limit + by;
    if (limit >= 0) found.push(change(`limit ${by}`, "move a boundary", `limit: ${limit}`, { ...budget, limit }));
    const window = (within ?? 0) + by * moved;
    if (within !== undefined && window > 0)
      found.push(change(`within ${by}`, "move a boundary", `within: ${window / 1000}s`, { ...budget, within: window }));
  }
  if (within !== undefined) found.push(change("whole", "drop the window", "without `within`", whole));
  const per = budget.per === "session" ? "tool" : "session";
  found.push(change("per", "count per something else", `per: ${per}`, { ...budget, per }));
  if (budget.executed) {
    const { executed: __, ...all } = budget;
    found.push(change("executed", "count blocked calls too", "without `executed`", all));
  }
  return found;
}

/** Replacements of an action: one that is weaker or stronger, or one that does nothing. */
const otherActions: ReadonlyMap<string, readonly string[]> = new Map([
  ["block", ["ask"]],
  ["ask", ["block", "record"]],
  ["allow", ["block", "record"]],
]);

function actionChanges(rule: PlanRule, one: PlanAction, index: number): RuleChange[] {
  const { action } = one;
  if (action === "record") return [];
  return [...replacedAction(rule, action, index), ...parameterChanges(rule, one, index)];
}

function replacedAction(rule: PlanRule, action: string, index: number): RuleChange[] {
  return (otherActions.get(action) ?? ["record"]).map((other) => ({
    id: `action ${index} ${other}`,
    operator: other === "record" ? "drop an action" : "change the strength of an action",
    key: "action",
    after: other === "record" ? `without ${action}` : other,
    rule: {
      ...rule,
      actions: rule.actions.map((one, at) => (at === index ? { action: other, parameters: {} } : one)),
    },
  }));
}

/** Changes numbers by one, and removes one element of lists. The input of a program is invisible to a test. */
function parameterChanges(rule: PlanRule, { action, parameters }: PlanAction, index: number): RuleChange[] {
  if (action === "run" || typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) return [];
  const change = (id: string, operator: string, after: string, name: string, value: Json): RuleChange => ({
    id: `action ${index} ${name} ${id}`,
    operator,
    key: "action",
    after,
    rule: {
      ...rule,
      actions: rule.actions.map((one, at) =>
        at === index ? { ...one, parameters: { ...parameters, [name]: value } } : one,
      ),
    },
  });
  return Object.entries(parameters).flatMap(([name, value]: [string, Json]) => {
    if (typeof value === "number")
      return [-1, 1].map((by) => change(`${by}`, "move a boundary", `${name}: ${value + by}`, name, value + by));
    if (!Array.isArray(value)) return [];
    const list = value as readonly Json[];
    return list.map((element, i) => {
      const left = list.filter((_, at) => at !== i);
      const after = `${name} without ${JSON.stringify(element).slice(0, 60)}`;
      return change(`without ${i}`, "drop an element of a list", after, name, left);
    });
  });
}
