import { describe, expect, it } from "vitest";
import { type CompileResult, compile } from "../../../compiler/compile.ts";
import type { Plan } from "../../../engine/plan.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine } from "../../../runtime.ts";
import type { Changes, Decision } from "../../../schema/generated.ts";
import type { Wire } from "../language/events.ts";
import { type GivenPolicy, yamlOf } from "../language/policies.ts";
import { Random } from "../language/random.ts";
import { randomSteps, type Step } from "../language/session-events.ts";
import { isOwnSeed, seed } from "../seed.ts";
import { trustedPolicies, untrustedPolicies } from "./untrusted-policies.ts";

/** What a policy of a project that nobody has trusted can never do. One seed prints with every failure; `FC_SEED` repeats it. */
const regex = createRegexEngine();
const strictness = { allow: 0, ask: 1, block: 2 } as const;
const encoder = new TextEncoder();

function compiled(policies: readonly GivenPolicy[]): CompileResult {
  const files = policies.map(({ data, scope }, i) => ({
    ...{ name: `${scope}${i}.yaml`, path: `/policies/${scope}${i}.yaml` },
    ...{ bytes: encoder.encode(yamlOf(data)), scope },
  }));
  return compile({ files, regex, brokenProject: "ask" });
}

/** A run with events that are no calls too: results, prompts, conversations. */
function stepsOf(random: Random): readonly Step[] {
  const steps = randomSteps(random.fork(), 24);
  return steps.map((step): Step => {
    if (!("event" in step) || random.chance(0.75)) return step;
    const { id, session, time } = step.event;
    return { event: { ...otherEvent(random), id, session, ...(time !== undefined && { time }) } };
  });
}

function otherEvent(random: Random): Wire {
  const text = random.pick(["main k12", "a secret is here", "ls -l", "nothing"]);
  return random.pick<Wire>([
    { event: "tool_result", tool: "bash", args: { command: "ls" }, result: { content: [{ type: "text", text }] } },
    { event: "before_agent_start", prompt: text, system_prompt: "Be careful, main." },
    { event: "context", messages: [{ role: "user", content: text }] },
    { event: "stop" },
    { event: "session_start" },
  ]);
}

/** What a decision changes of an event, but for texts of a result, which may be redacted to a token. */
function argumentsOf({ content, details, structured, labels, ...rest }: Changes): unknown {
  return rest;
}

/** What text of the user's policies reaches the model beside a result. */
function told(changes: Changes): readonly string[] {
  return [...JSON.stringify(changes).matchAll(/The result is odd\.|Never push\./g)].map(([text]) => text);
}

function shown(policies: readonly GivenPolicy[], more: unknown): string {
  const texts = policies.map(({ scope, data }) => `# ${scope}\n${yamlOf(data)}`);
  return [`seed ${seed}`, ...texts, JSON.stringify(more, undefined, 1)].join("\n");
}

/** True where what the user wrote asks what became of earlier calls, which a refusal of a call has a part in. */
const leansOnPast = (policies: readonly GivenPolicy[]): boolean =>
  /session\.calls|session\.asked|"sequence"|"budget"|"run"/.test(JSON.stringify(policies));

/** Both plans on one run, each in the state that its own decisions led to. */
function expectNoLooser(all: readonly GivenPolicy[], before: Plan, after: Plan, steps: readonly Step[]): number {
  const [one, other] = [createEngine(before, { regex }), createEngine(after, { regex })];
  const asksLabels = JSON.stringify(all).includes("session.labels");
  let strict = 0;
  // A call that is refused leaves no label of what it would have told.
  let hasOtherLabels = false;
  for (const step of steps) {
    if (!("event" in step)) {
      for (const engine of [one, other]) engine.answer({ ...step, by: "user" });
      continue;
    }
    const [wanted, given] = [one.decide(step.event).decision, other.decide(step.event).decision];
    const both = { step, wanted, given };
    if (wanted.outcome !== "allow") strict++;
    if (hasOtherLabels) break;
    if (strictness[given.outcome] < strictness[wanted.outcome]) expect(given, shown(all, both)).toEqual(wanted);
    hasOtherLabels = asksLabels && strictness[given.outcome] > strictness[wanted.outcome];
    if (given.outcome === "block") continue;
    if (given.answered !== "error" && wanted.answered !== "error")
      expect(argumentsOf(given.changes), shown(all, both)).toEqual(argumentsOf(wanted.changes));
    expect(told(given.changes), shown(all, both)).toEqual(expect.arrayContaining([...told(wanted.changes)]));
    expectOnlyTokens(given, wanted, shown(all, both));
  }
  return strict;
}

/** Of a result nothing is put in that the user's policies did not put in, but for tokens. */
function expectOnlyTokens(given: Decision, wanted: Decision, why: string): void {
  const words = /git push --force|skip the checks|status/;
  const texts = JSON.stringify(given.changes.content ?? []);
  if (!words.test(JSON.stringify(wanted.changes))) expect(words.test(texts), why).toBe(false);
}

describe(`an untrusted policy of a project, whatever it says (seed ${seed})`, () => {
  it("turns no refusal or question into a pass, and changes no argument of a call", () => {
    const random = new Random(seed + 11);
    let [sets, strict, loaded] = [0, 0, 0];
    const wanted = isOwnSeed ? 600 : 30;
    for (let tried = 0; sets < wanted && tried < wanted * 6; tried++) {
      const trusted = trustedPolicies(random.fork());
      const added = untrustedPolicies(random.fork()).map((data): GivenPolicy => ({ scope: "project", data }));
      const steps = stepsOf(random.fork());
      const before = compiled(trusted);
      if (!before.plan || leansOnPast(trusted)) continue;
      const after = compiled([...trusted, ...added]);
      expect(after.plan, shown([...trusted, ...added], after.diagnostics)).toBeDefined();
      if (!after.plan) continue;
      sets++;
      if (after.plan.policies.some(({ scope, id }) => scope === "project" && id !== "project-not-loaded")) loaded++;
      strict += expectNoLooser([...trusted, ...added], before.plan, after.plan, steps);
    }
    expect({ sets, strict: strict > wanted, loaded: loaded > wanted / 3 }).toEqual({
      sets: wanted,
      strict: true,
      loaded: true,
    });
  });
});
