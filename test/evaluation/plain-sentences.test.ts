import { describe, expect, it } from "vitest";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { exampleEnvironment } from "../../schema/example-environment.ts";
import type { Decision } from "../../schema/generated.ts";
import { bash, call, planOf } from "../engine/actions/engine.ts";
import type { PlainCall } from "./plain-sentences/sentence.ts";
import { knownGaps, plainSentences } from "./plain-sentences.ts";

/** What lies on the disk, all of it: a small project. */
const project = [
  ...[".env", ".env.example", ".gitignore", "README.md", "package.json", "config/.env", "docs/a.md"],
  ".github/workflows/ci.yml",
  ...["src/a.ts", "src/env.ts", "src/a.test.ts", "src/migrations.old/001.sql", "test/a.ts", "test/a.py"],
  ...["migrations/001.sql", "db/migrations/001.sql", "build/main.o", "dist/app.js", "dist/app.css"],
];
const files = Object.fromEntries(project.map((name) => [`${exampleEnvironment.workspace}/${name}`, {}]));
const surroundings = { environment: { ...exampleEnvironment, interactive: true, files } };
const textOf = (given: PlainCall): string => (typeof given === "string" ? given : JSON.stringify(given));

function decide(plan: Plan, given: PlainCall): Decision {
  const event =
    typeof given === "string" ? bash(given, surroundings) : call(given.tool, { ...given.args }, surroundings);
  return createEngine(plan).decide(event).decision;
}

/** Whether the call passes. What stops it is the author's rule or the policy's default, not a failure to judge the call. */
function passes(plan: Plan, given: PlainCall): boolean {
  const { outcome, answered } = decide(plan, given);
  if (outcome !== "allow") expect(answered, textOf(given)).toMatch(/^(?:rule|default)$/);
  return outcome === "allow";
}

describe("plain sentences", () => {
  it("are twenty, each with ten calls for and ten against", () => {
    expect(plainSentences.length).toBe(20);
    expect(new Set(plainSentences.map(({ sentence }) => sentence)).size).toBe(20);
    for (const { stops, passes } of plainSentences) expect([stops.length, passes.length]).toEqual([10, 10]);
  });

  it("have few known gaps, each about a call of theirs", () => {
    expect(knownGaps.length).toBeLessThanOrEqual(8);
    for (const gap of knownGaps) {
      const about = plainSentences.find(({ sentence }) => sentence === gap.sentence);
      const calls = [...(about?.stops ?? []), ...(about?.passes ?? [])].map(textOf);
      expect(calls).toContain(textOf(gap.call));
    }
  });
});

describe.each(plainSentences)("$sentence", ({ sentence, policy, stops, passes: harmless }) => {
  const plan = planOf(policy.trim());
  const isGap = (given: PlainCall): boolean =>
    knownGaps.some((gap) => gap.sentence === sentence && textOf(gap.call) === textOf(given));
  const rows = (calls: readonly PlainCall[]) => calls.map((given) => [textOf(given), given] as const);

  it.each(rows(stops))("stops %s", (_, given) => {
    expect(passes(plan, given)).toBe(isGap(given));
  });

  it.each(rows(harmless))("lets %s through", (_, given) => {
    expect(passes(plan, given)).toBe(!isGap(given));
  });
});
