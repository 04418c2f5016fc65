import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import type { Plan } from "../../../engine/plan.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine } from "../../../runtime.ts";
import { declaredCommand, randomDeclarations } from "../language/declarations.ts";
import { randomEvent, type Wire } from "../language/events.ts";
import { type GivenPolicy, type PolicyData, randomPolicies, yamlOf } from "../language/policies.ts";
import { Random } from "../language/random.ts";
import { isOwnSeed, seed } from "../seed.ts";

/** What programs and tools that a repository declares can never do. One seed prints with every failure; `FC_SEED` repeats it. */
const regex = createRegexEngine();
const strictness = { allow: 0, ask: 1, block: 2 } as const;
const encoder = new TextEncoder();
const rounds = isOwnSeed ? 500 : 25;

function planOf(policies: readonly GivenPolicy[]): Plan | undefined {
  const files = policies.map(({ data, scope }, i) => ({
    ...{ name: `${scope}${i}.yaml`, path: `/policies/${scope}${i}.yaml` },
    ...{ bytes: encoder.encode(yamlOf(data)), scope },
  }));
  return compile({ files, regex }).plan;
}

/** A policy whose refusals rest on how many effects and commands there are, on what there is none of, and on operands. */
function leaning(random: Random): PolicyData {
  const when = [
    "!effects.writes.exists(w, w.path.within('/tmp'))",
    "effects.writes.all(w, w.path.within('/home'))",
    "effects.reads.size() < 2",
    "effects.network.size() == 0 && effects.deletes.size() == 0",
    "shell.commands.size() == 1",
    "shell.commands.all(c, c.program in ['frobnicate', 'wrapit', 'shortly'])",
    "!shell.commands.exists(c, c.program == 'git')",
    "shell.commands.exists(c, 'main' in c.operands)",
    "shell.commands.exists(c, c.program == 'frobnicate-too')",
    "effects.runs.exists_one(r, r.target == 'wrapit')",
    "effects.pushes.filter(p, p.remote == 'origin').size() == 0",
  ];
  const chosen = when.filter(() => random.chance(0.4));
  return {
    version: 1,
    policy: "leaning",
    tools: ["unheard_of"],
    default: random.pick(["allow", "allow", "ask", "block"]),
    unknown: random.pick(["allow", "ask", "block"]),
    rules: [
      ...chosen.map((condition, i) => ({
        ...{ id: `r${i}`, event: ["tool_call", "user_bash"], when: condition },
        ...{ action: random.pick(["block", "ask"]), reason: "no" },
      })),
      {
        ...{ id: "let", event: ["tool_call", "user_bash"], each: { c: "shell.commands" } },
        ...{ when: "c.program != 'git'", action: { allow: { opaque: random.chance(0.7) } }, reason: "fine" },
      },
    ],
  };
}

function events(random: Random): readonly Wire[] {
  return random.times(12, (i): Wire => {
    const event = randomEvent(random.fork());
    const command = declaredCommand(random.fork());
    const drawn = random.next();
    if (drawn < 0.25) return { ...event, id: `e${i}` };
    if (drawn < 0.4)
      return { ...event, id: `e${i}`, event: "tool_call", tool: "unheard_of", args: { path: "/etc/x", name: "k1" } };
    return { ...event, id: `e${i}`, event: "tool_call", tool: "bash", args: { command } };
  });
}

describe(`programs and tools that a project declares (seed ${seed})`, () => {
  it("turn no refusal or question into a pass, whatever a refusal rests on", () => {
    const random = new Random(seed + 31);
    let [sets, strict, stricter] = [0, 0, 0];
    for (let tried = 0; sets < rounds && tried < rounds * 6; tried++) {
      const others = random.chance(0.4)
        ? randomPolicies(random.fork()).filter(({ scope }) => scope === "user" || scope === "managed")
        : [];
      const user: GivenPolicy = { scope: "user", data: leaning(random.fork()) };
      const declared = randomDeclarations(random.fork());
      const project: GivenPolicy = { scope: "project", data: { version: 1, policy: "repo", ...declared, rules: [] } };
      const steps = events(random.fork());
      const before = planOf([...others, user]);
      const after = before && planOf([...others, user, project]);
      if (!before || !after) continue;
      sets++;
      const [one, other] = [createEngine(before, { regex }), createEngine(after, { regex })];
      for (const step of steps) {
        const [wanted, given] = [one.decide(step).decision, other.decide(step).decision];
        if (wanted.outcome !== "allow") strict++;
        if (strictness[given.outcome] > strictness[wanted.outcome]) stricter++;
        const texts = [...others, user, project].map(({ scope, data }) => `# ${scope}\n${yamlOf(data)}`);
        if (strictness[given.outcome] < strictness[wanted.outcome])
          expect(given, [`seed ${seed}`, ...texts, JSON.stringify(step)].join("\n")).toEqual(wanted);
      }
    }
    // What they add must be seen too.
    expect({ sets, strict: strict > rounds, stricter: stricter > 0 }).toEqual({
      sets: rounds,
      strict: true,
      stricter: true,
    });
  });

  it("say nothing of calls that do not name them: decision and record stay, but for digests of policies", () => {
    const random = new Random(seed + 32);
    const user: GivenPolicy = { scope: "user", data: leaning(random.fork()) };
    const nothing: GivenPolicy = { scope: "project", data: { version: 1, policy: "repo", rules: [] } };
    const own = {
      programs: { "never-called": { effects: [{ writes: "/etc/x" }] } },
      tools: [{ name: "nor_this", effects: [] }],
    };
    const declaring: GivenPolicy = { scope: "project", data: { ...nothing.data, ...own } };
    const [one, other] = [planOf([user, nothing]), planOf([user, declaring])].map((plan) =>
      createEngine(plan, { regex }),
    );
    for (const step of events(random.fork())) {
      const shown = (engine: typeof one): string => {
        const { decision, body } = engine?.decide(step) ?? {};
        return JSON.stringify([decision, body]).replace(/"(?:policy_digest|source|key|approval_key)":"[^"]*"/g, "");
      };
      expect(shown(other)).toBe(shown(one));
    }
  });
});
