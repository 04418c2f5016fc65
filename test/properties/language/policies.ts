import { factsOfTools } from "../../../compiler/never/absent-facts.ts";
import type { Scope } from "../../../engine/plan.ts";
import { type Constant, type Environment, environmentOf } from "../../../rules/environment.ts";
import { command, effectTypes } from "../../../rules/fact-types.ts";
import { bool, int, list, record, string, type Type } from "../../../rules/types.ts";
import type { EventName } from "../../../schema/events.ts";
import { randomDeclarations } from "./declarations.ts";
import { Expressions, type Place } from "./expressions.ts";
import type { Random } from "./random.ts";
import {
  labels,
  randomActions,
  randomBudget,
  randomChanges,
  randomInjection,
  randomSequence,
  sessionCondition,
} from "./session-parts.ts";
import { type Tests, YamlTests } from "./tests.ts";

/** A policy file as data: what the reproduction shrinks and the YAML writer prints. */
export interface PolicyData {
  readonly [key: string]: unknown;
  readonly policy: string;
  readonly rules: readonly RuleData[];
}

/** A rule as data. */
export type RuleData = Readonly<Record<string, unknown>>;

/** A policy of a set, with the scope that it is given. */
export interface GivenPolicy {
  readonly scope: Scope;
  readonly data: PolicyData;
}

const parameters = {
  owners: { type: "list(string)", default: ["ada", "dev"] },
  most: { type: "int", default: 2 },
  strict: { type: "bool", default: true },
  word: { type: "string", default: "k1" },
  sizes: { type: "list(int)", default: [1, 2, 3] },
};
const lists = { known: ["main", "notes", "/tmp/x"], empty: [] };
const parameterTypes: Readonly<Record<string, Type>> = {
  owners: list(string),
  most: int,
  strict: bool,
  word: string,
  sizes: list(int),
};

const acting: readonly EventName[] = ["tool_call", "user_bash"];
const heads: readonly { readonly event: readonly EventName[]; readonly tool?: string | readonly string[] }[] = [
  { event: acting },
  { event: acting },
  { event: ["tool_call"] },
  { event: ["tool_call"], tool: "bash" },
  { event: ["tool_call"], tool: "read" },
  { event: ["tool_call"], tool: ["write", "edit"] },
  { event: ["tool_call"], tool: "fetch" },
  { event: ["tool_call"], tool: "task" },
  { event: ["tool_call"], tool: "mcp__fs__*" },
  { event: ["tool_call"], tool: ["mcp__t__run", "unheard_of"] },
  { event: ["tool_call"], tool: "*" },
  { event: ["user_bash"] },
  { event: ["input"] },
  { event: ["tool_call", "input"] },
];

/** Heads of rules that change the call. */
const changeable: typeof heads = [
  { event: ["tool_call"], tool: "bash" },
  { event: ["tool_call"], tool: "bash" },
  { event: ["user_bash"] },
  { event: ["input"] },
];

/** One to three policies of one set: scopes, modes, fallbacks, parameters, named conditions, rules, exceptions. */
export function randomPolicies(random: Random): readonly GivenPolicy[] {
  const count = random.chance(0.75) ? 1 : 2 + random.below(2);
  const drawn = random.times(count, (i): GivenPolicy => {
    const scope = random.pick<Scope>(count === 1 ? ["user"] : ["builtin", "managed", "user", "project"]);
    return { scope, data: randomPolicy(random, `p${i}`, scope) };
  });
  if (!random.chance(0.3)) return drawn;
  // Two that differ do not load, so that policies that declare anything declare the same.
  const declared = randomDeclarations(random.fork());
  return drawn.map((one) => (random.chance(0.8) ? { ...one, data: { ...one.data, ...declared } } : one));
}

function randomPolicy(random: Random, id: string, scope: Scope): PolicyData {
  const conditions = randomConditions(random.fork());
  // Rules that change a call are of use in numbers, since what they do depends on each other.
  const changes = scope !== "project" && random.chance(0.15);
  const rules = random.times(1 + random.below(4) + (changes ? 1 : 0), (i) =>
    randomRule(random.fork(), `r${i}`, scope, changes && random.chance(0.6)),
  );
  const exceptions = random.chance(0.35) ? [randomException(random.fork(), id)] : [];
  const used = JSON.stringify([rules, exceptions, conditions]);
  return {
    version: 1,
    policy: id,
    tools: ["unheard_of"],
    ...(random.chance(0.3) && { default: random.pick(["allow", "ask", "block"]) }),
    ...(random.chance(0.3) && { unknown: random.pick(["allow", "ask", "block"]) }),
    ...(random.chance(0.1) && { mode: "monitor" }),
    ...(/\bparameters\.|\$(?:owners|most|strict|word|sizes)\b/.test(used) && { parameters }),
    ...(/\blists\.|\$(?:known|empty)\b/.test(used) && { lists }),
    ...(/"label":|clears|"session.labels"/.test(used) && { labels }),
    conditions,
    rules,
    ...(exceptions.length > 0 && { exceptions }),
  };
}

/** Conditions over what every event has; one refers to another, one speaks of the element `e`. */
function randomConditions(random: Random): Record<string, Tests> {
  const everywhere = placeOf([...acting, "input"], [], undefined, false, []);
  const expressions = new Expressions(random, everywhere);
  const tests = new YamlTests(random, everywhere, { conditions: [], lists: ["$owners", "$known"] });
  return {
    first: random.chance(0.5) ? expressions.condition(2) : tests.condition(1),
    second: random.pick<Tests>([
      "conditions.first || environment.interactive",
      { not: "$first" },
      { all: ["$first", { "environment.user": "$owners" }] },
      expressions.condition(2),
    ]),
    of_element: random.pick<Tests>([
      "e.certain",
      { "e.via": { in: ["ls", "git", "cat"] } },
      "!e.certain || conditions.first",
    ]),
    by_shell: random.pick<Tests>([
      "shell.commands.all(c, c.certain)",
      { none: { "shell.commands": { program: "git" } } },
    ]),
  };
}

/** The place of a condition, as the checker will see it. */
function placeOf(
  events: readonly EventName[],
  tools: readonly string[],
  each: Type | undefined,
  allow: boolean,
  named: readonly string[],
): Place {
  const environment = environmentOf(events, tools, {
    parameters: new Map(
      Object.entries(parameters).map(([name, { default: value }]) => [
        name,
        { type: parameterTypes[name] ?? string, value: value as Constant },
      ]),
    ),
    lists: new Map(Object.entries(lists)),
    ...(each && { each: { name: "e", type: each } }),
  });
  return { environment: withFactsOf(tools, environment), allow, named };
}

/** Leaves out facts that the tools never have, since a rule that asks for them does not load. */
function withFactsOf(tools: readonly string[], environment: Environment): Environment {
  const had = factsOfTools(tools);
  if (!had) return environment;
  const variables = new Map(environment.variables);
  const effects = variables.get("effects");
  variables.delete("shell");
  if (effects?.type.kind === "record") {
    const fields = [...effects.type.fields()].filter(([name]) => had.has(`effects.${name}`));
    variables.set("effects", { ...effects, type: record("effects", () => Object.fromEntries(fields)) });
  }
  return { ...environment, variables };
}

const eachLists: readonly { readonly list: string; readonly element: Type }[] = [
  ...Object.entries(effectTypes).map(([kind, element]) => ({ list: `effects.${kind}`, element })),
  ...["reads", "writes", "deletes", "network"].map((kind) => ({
    list: `effects.${kind}`,
    element: effectTypes[kind] as Type,
  })),
  { list: "shell.commands", element: command },
  { list: "session.labels", element: string },
];

function randomRule(random: Random, id: string, scope: Scope, changes: boolean): RuleData {
  const head = random.pick(changes ? changeable : heads);
  const tools = head.tool === undefined ? [] : [head.tool].flat();
  const acts = head.event.every((event) => acting.includes(event));
  const had = factsOfTools(tools);
  const lists = eachLists.filter(({ list }) => !had || had.has(list) || list === "session.labels");
  const each = random.chance(0.35) ? random.pick(acts ? lists : eachLists.slice(-1)) : undefined;
  const named = namedFor(acts, each?.element);
  const place = (allow: boolean): Place =>
    placeOf(head.event, tools, each?.element, allow, [
      ...named.filter((name) => !(allow && name === "by_shell")).map((name) => `conditions.${name}`),
      "parameters.strict",
      "(parameters.most > 1)",
      'parameters.word.startsWith("k")',
    ]);
  const condition = (allow: boolean): Tests => randomCondition(random, place(allow), named);
  const decided = changes ? randomChanges(random, head.event) : randomActions(random, scope);
  const tells = scope !== "project" && !head.event.includes("user_bash") && random.fork().chance(0.2);
  const actions = tells ? tellingToo(random, decided, head.event, each !== undefined) : decided;
  const allows = /"allow"/.test(JSON.stringify(actions));
  return {
    id,
    event: head.event.length === 1 ? head.event[0] : head.event,
    ...(head.tool !== undefined && { tool: head.tool }),
    ...(each && { each: { e: each.list } }),
    ...(random.chance(changes ? 0.3 : 0.85) && {
      when: random.chance(0.12) ? sessionCondition(random) : condition(allows),
    }),
    ...(random.chance(0.3) && { unless: condition(true) }),
    ...(random.chance(0.1) && { sequence: randomSequence(random) }),
    ...(random.chance(0.1) && { budget: randomBudget(random, acts && !had) }),
    action: actions.length === 1 ? actions[0] : actions,
    ...(random.chance(0.12) && { mode: "monitor" }),
    ...(random.chance(0.03) && { enabled: false }),
    reason: each && each.element.kind === "record" && random.chance(0.3) ? "because of {e.certain}" : `rule ${id}`,
  };
}

/** The actions with a text for the model beside them, or a text alone. */
function tellingToo(random: Random, actions: unknown[], events: readonly EventName[], hasEach: boolean): unknown[] {
  const text = randomInjection(random.fork(), events, hasEach);
  return random.chance(0.3) ? [text] : [...actions, text];
}

function namedFor(acts: boolean, element: Type | undefined): readonly string[] {
  const isEffect = element?.kind === "record" && element.fields().has("via");
  return ["first", "second", ...(isEffect ? ["of_element"] : []), ...(acts ? ["by_shell"] : [])];
}

/** Half of the conditions are YAML tests, half are expressions. */
function randomCondition(random: Random, place: Place, named: readonly string[]): Tests {
  if (random.chance(0.5)) return new Expressions(random, place).condition(3);
  const references = {
    conditions: named.filter((name) => !(place.allow && name === "by_shell")).map((name) => `$${name}`),
    lists: ["$owners", "$known"],
  };
  return new YamlTests(random, place, references).condition(2);
}

function randomException(random: Random, id: string): Record<string, unknown> {
  const place = placeOf([...acting, "input"], [], undefined, true, ["conditions.first"]);
  return {
    rules: [`${id}/${random.pick(["*", "r0", "r*"])}`],
    ...(random.chance(0.8) && { when: randomCondition(random, place, ["first"]) }),
    owner: "platform",
    reason: "for the time being",
    ...(random.chance(0.5) && { expires: random.pick(["2026-01-31", "2027-01-31", "1970-01-01"]) }),
  };
}

/** A policy as YAML text. Long conditions that are expressions stand in block scalars, the rest in flow style. */
export function yamlOf(data: PolicyData): string {
  const { rules, ...head } = data;
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${lines.join("\n")}\nrules:${rules.length === 0 ? " []" : ""}\n${rules.map(yamlRule).join("")}`;
}

function yamlRule(rule: RuleData): string {
  const lines = Object.entries(rule).map(([key, value]) => {
    const isText = (key === "when" || key === "unless") && typeof value === "string" && !value.startsWith("$");
    return isText ? `${key}: |\n      ${value}` : `${key}: ${JSON.stringify(value)}`;
  });
  return `  - ${lines.join("\n    ")}\n`;
}
