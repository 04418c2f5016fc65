import { describe, expect, it } from "vitest";
import { countedElements } from "../../engine/index-costs.ts";
import { type Key, needsOf } from "../../engine/index-keys.ts";
import { requiredLiterals } from "../../engine/index-literals.ts";
import { type LinkedPlan, type LinkOptions, linkPlan } from "../../engine/link-plan.ts";
import { normalise } from "../../engine/normalise.ts";
import type { Plan, PlanRule } from "../../engine/plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine, storedNeeds, vocabularyFor } from "../../runtime.ts";
import type { FactSet } from "../../schema/facts.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

const regex = createRegexEngine();
const call = (args: object, tool = "bash") => ({ event: "tool_call", tool, args });
const command = (text: string) => call({ command: text });

function planOf(rules: string): Plan {
  const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(rules) });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return plan;
}

/** One rule that blocks, of a policy of its own. */
function ruleOf(head: string): { readonly plan: Plan; readonly rule: PlanRule } {
  const plan = planOf(`  - { id: r, event: tool_call, ${head}, action: block, reason: x }\n`);
  const rule = plan.rules.find(({ id }) => id === "p/r");
  if (!rule) throw new Error("the rule is in the plan");
  return { plan, rule };
}

function linkedOf(plan: Plan, options: LinkOptions = {}): LinkedPlan {
  const linked = linkPlan(plan, vocabularyFor(regex), regex, options);
  if (linked instanceof EvaluationError) throw new Error(linked.message);
  return linked;
}

/** Ids of a policy's own guards that are judged for an event, and the facts that were computed to tell. */
function guarding(plan: Plan, wire: object): { readonly ids: readonly string[]; readonly asked: readonly string[] } {
  const read = normalise(wire);
  if ("code" in read) throw new Error(read.message);
  const files = hermeticFiles(read.files);
  const asked = new Set<string>();
  const watched = new Proxy(facts.of(read.event, files), {
    get: (target, name: keyof FactSet) => {
      asked.add(name);
      return target[name];
    },
  });
  const session = new SessionState().view(read.event);
  const view = { event: read.event, facts: watched, files, regex, session };
  const idsOf = (options?: LinkOptions): readonly string[] =>
    linkedOf(plan, options)
      .candidates(read.event)
      .guards({ ...view })
      .map(({ rule }) => rule.id);
  const ids = idsOf();
  const askedFirst = [...asked];
  // An engine that judges one event looks for what rules need in another way, and leaves the same ones out.
  expect(idsOf({ late: true, needs: storedNeeds(plan, regex) })).toEqual(ids);
  return { ids: ids.filter((id) => id.startsWith("p/")), asked: askedFirst };
}

describe("the plan's index", () => {
  const shown = (key: Key): string =>
    `${key.source.id} ${key.test}${key.test === "some" ? "" : ` ${key.test === "text" ? key.literal : key.value}`}`;

  it.each([
    ["when: { args.command: { contains: psql } }, tool: bash", [["args.command text psql"]]],
    [
      "when: { args.command: { contains_any: [one, two] } }, tool: bash",
      [["args.command text one", "args.command text two"]],
    ],
    [
      'when: { args.command: { matches: "^deploy-[0-9]+|rollback" } }, tool: bash',
      [["args.command text deploy-", "args.command text rollback"]],
    ],
    ['when: { args.command: { matches: "(?i)deploy" } }, tool: bash', []],
    ["when: { args.command: { not: { contains: psql } } }, tool: bash", []],
    ["when: { args.foo: bar }", [["args.foo? equals bar"], ["args.foo? some"]]],
    ["when: { environment.interactive: false }", [["environment.interactive equals false"]]],
    [
      'when: \'shell.commands.exists(c, c.program in ["psql", "mysql"])\'',
      [
        ["shell.commands > $0.program equals psql", "shell.commands > $0.program equals mysql"],
        ["shell.commands >  some"],
      ],
    ],
    ["each: { d: effects.deletes }", [["effects.deletes >  some"]]],
    [
      "each: { w: effects.writes }, when: { any: [{ w.via: cp }, { w.via: mv }] }",
      [["effects.writes > $0.via equals cp", "effects.writes > $0.via equals mv"], ["effects.writes >  some"]],
    ],
    [
      "when: 'shell.commands.exists(c, c.operands.exists(o, o == \"prod\"))'",
      [
        ["shell.commands > $0.operands > $1 equals prod"],
        ["shell.commands >  some"],
        ["shell.commands > $0.operands >  some"],
      ],
    ],
    ["when: 'shell.commands.all(c, c.program == \"ls\")'", []],
    [
      'when: \'args.foo == "bar" || environment.user == "ci"\'',
      [["args.foo equals bar", "environment.user equals ci"]],
    ],
    ['when: \'args.foo == "bar" || environment.user != "ci"\'', []],
    ["when: 'args.items.exists(i, i == 1) && environment.user == \"ci\"'", []],
  ] as const)("%s", (head, wanted) => {
    const { plan, rule } = ruleOf(head);
    const { needs } = needsOf(rule, { regex, condition: (name) => plan.conditions[name] });
    expect(needs.map((need) => need.map(shown))).toEqual(wanted);
  });

  it("judges the rules whose tool, lists and texts are there, in judging order", () => {
    const plan = planOf(`
  - { id: a, event: tool_call, tool: read, action: block, reason: x }
  - { id: b, event: tool_call, tool: bash, when: { args.command: { contains: psql } }, action: block, reason: x }
  - { id: c, event: tool_call, each: { w: effects.writes }, action: block, reason: x }
  - { id: d, event: tool_call, tool: "b*", action: block, reason: x }
  - { id: e, event: tool_call, when: { some: { shell.commands: { program: ls } } }, action: ask, reason: x }
  - { id: f, event: input, action: ask, reason: x }
`);
    expect(guarding(plan, command("ls")).ids).toEqual(["p/d", "p/e"]);
    expect(guarding(plan, command("psql > out.txt")).ids).toEqual(["p/b", "p/c", "p/d"]);
    expect(guarding(plan, call({ path: "/tmp/x" }, "read")).ids).toEqual(["p/a"]);
    expect(guarding(plan, { event: "input", text: "ls" }).ids).toEqual(["p/f"]);
  });

  it("judges every rule whose value is of another kind, is missing or cannot be searched", () => {
    const plan = planOf(`
  - { id: a, event: tool_call, when: { args.foo: { contains: psql } }, action: block, reason: x }
  - { id: b, event: tool_call, when: 'args.foo == "x"', action: block, reason: x }
`);
    const judged = (foo?: unknown): readonly string[] =>
      guarding(plan, call(foo === undefined ? {} : { foo }, "unheard_of")).ids;
    expect(judged("nothing")).toEqual([]);
    expect(judged("with psql in it")).toEqual(["p/a"]);
    expect(judged("x")).toEqual(["p/b"]);
    // An absent value is an error where nothing asks for its presence.
    expect(judged()).toEqual(["p/b"]);
    expect(judged(7)).toEqual(["p/a"]);
    expect(judged(null)).toEqual(["p/a", "p/b"]);
    expect(judged({ kind: "path" })).toEqual(["p/a", "p/b"]);
    expect(judged("y".repeat(70_000))).toEqual(["p/a"]);
  });

  it("judges every rule that needs facts where a list is longer than steps were counted for", () => {
    const plan = planOf(
      "  - { id: a, event: tool_call, when: { some: { shell.commands: { program: psql } } }, action: block, reason: x }\n",
    );
    expect(guarding(plan, command("ls\n".repeat(countedElements))).ids).toEqual([]);
    expect(guarding(plan, command("ls\n".repeat(countedElements + 1))).ids).toEqual(["p/a"]);
  });

  it("takes no two places of an event for one", () => {
    const plan = planOf(`
  - { id: a, event: tool_call, when: 'has(args.\`x.y\`) && args.\`x.y\` == "k"', action: block, reason: x }
  - { id: b, event: tool_call, when: 'has(args.x) && has(args.x.y) && args.x.y == "k"', action: block, reason: x }
`);
    expect(guarding(plan, call({ "x.y": "k", x: { y: "no" } }, "unheard_of")).ids).toEqual(["p/a"]);
    expect(guarding(plan, call({ "x.y": "no", x: { y: "k" } }, "unheard_of")).ids).toEqual(["p/b"]);
  });

  it("computes no facts for rules that need none", () => {
    const plain = planOf(`
  - { id: a, event: input, when: { input.text: { contains: psql } }, action: block, reason: x }
  - { id: b, event: input, when: { environment.user: ada }, action: block, reason: x }
`);
    expect(guarding(plain, { event: "input", text: "ls" }).asked).toEqual([]);
    const { plan } = ruleOf("each: { d: effects.deletes }");
    expect(guarding(plan, command("ls")).asked).not.toContain("secrets");
  });

  it("looks only for elements of a rule that may run out of steps before its condition is false", () => {
    const { plan, rule } = ruleOf(
      `each: { w: effects.writes }, when: 'effects.reads.all(r, effects.reads.all(q, effects.reads.all(s, s.via != r.via || q.certain))) && w.via == "cp"'`,
    );
    const { needs } = needsOf(rule, { regex, condition: (name) => plan.conditions[name] });
    expect(needs).toMatchObject([[{ test: "some", source: { id: "effects.writes > " } }]]);
    expect(guarding(plan, command("ls")).ids).toEqual([]);
    expect(guarding(plan, command("touch a")).ids).toEqual(["p/r"]);
  });

  it("leaves out nothing of a rule without elements that may run out of steps", () => {
    const { plan, rule } = ruleOf(
      `when: 'secrets.all(r, secrets.all(q, r.where != q.where)) && args.command == "cp"', tool: bash`,
    );
    expect(needsOf(rule, { regex, condition: (name) => plan.conditions[name] }).needs).toEqual([]);
  });

  it("counts the steps over a list of the policy by its length", () => {
    const { plan, rule } = ruleOf(
      `each: { c: shell.commands }, when: '["-a", "-b"].exists(o, c.words.exists(w, w.text == o)) && c.program == "cp"'`,
    );
    const { needs } = needsOf(rule, { regex, condition: (name) => plan.conditions[name] });
    expect(needs).toMatchObject([[{ test: "equals", value: "cp" }], [{ test: "some" }]]);
  });

  it("keeps a rule's error where a pattern of the plan is refused", () => {
    const { plan, rule } = ruleOf('when: { args.command: { matches: "deploy" } }, tool: bash');
    const broken = JSON.parse(JSON.stringify(rule).replace('"deploy"', '"deploy("')) as PlanRule;
    const rules = plan.rules.map((one) => (one === rule ? broken : one));
    const [first, second] = [true, false].map((index) =>
      createEngine({ ...plan, rules }, { index }).decide(command("ls")),
    );
    expect(first?.decision.errors).toMatchObject([{ rule: "p/r", code: "HW502" }]);
    expect(second).toEqual(first);
  });

  it("gives the same candidates for the same event and tool, and bounds how many it keeps", () => {
    const { plan } = ruleOf("tool: bash");
    const { candidates } = linkedOf(plan);
    const event = (tool: string) => {
      const read = normalise(call({}, tool));
      if ("code" in read) throw new Error(read.message);
      return read.event;
    };
    const first = candidates(event("bash"));
    expect(candidates(event("bash"))).toBe(first);
    const ids = (tool: string): readonly string[] => candidates(event(tool)).enforced.map(({ rule }) => rule.id);
    for (let i = 0; i < 300; i++) expect(ids(`mcp__t__f${i}`)).not.toContain("p/r");
    expect(candidates(event("bash"))).not.toBe(first);
    expect(ids("bash")).toContain("p/r");
  });
});

describe("literals that a pattern requires", () => {
  it.each([
    ["deploy", ["deploy"]],
    ["^deploy-[0-9]+", ["deploy-"]],
    ["a(?:bcd|efgh)+z", ["bcd", "efgh"]],
    ["abc?def", ["def"]],
    ["abcd*", ["abc"]],
    ["abc+d", ["abc"]],
    ["abc{2}", ["abc"]],
    ["abcd{0,2}", ["abc"]],
    ["one|two", ["one", "two"]],
    ["one|x", undefined],
    ["(?:one)?", undefined],
    ["a\\.b\\.c", ["a.b.c"]],
    ["\\bgit push\\b", ["git push"]],
    ["[abc]def[^x]", ["def"]],
    ["(?i)abc", undefined],
    ["(?P<n>abc)", undefined],
    ["\\Qabc\\E", undefined],
    ["\\x41bcd", undefined],
    ["[[:alpha:]]abc", undefined],
    ["abc{", undefined],
    ["(abc", undefined],
    ["abc)", undefined],
    ["", undefined],
    ["ab", undefined],
    [`${"(".repeat(40)}abc${")".repeat(40)}`, undefined],
    ["x\ud83d\ude00?yz", undefined],
    ["\ud83d\ude00ab", ["\ud83d\ude00ab"]],
    ["abc\ud83d", undefined],
  ] as const)("of %j are %j", (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });
});

describe("an engine without a policy", () => {
  it("is one shared value, and so is everything that it answers", async () => {
    const engine = createEngine([]);
    expect(createEngine([])).toBe(engine);
    expect(createEngine([], { index: false })).toBe(engine);
    const [one, other] = [engine.decide(command("ls")), engine.decide({ event: "nonsense" })];
    expect(other).toBe(one);
    expect(await engine.judge(command("ls"))).toBe(one);
    expect(engine.active).toBe(false);
  });

  it("looks at nothing of an event", () => {
    const looked = new Proxy({}, { get: () => expect.unreachable(), ownKeys: () => expect.unreachable() });
    expect(createEngine([]).decide(looked).decision.outcome).toBe("allow");
  });
});
