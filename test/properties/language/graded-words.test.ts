import { describe, expect, it } from "vitest";
import { evaluateRule, type RuleResult } from "../../../engine/evaluate-rule.ts";
import type { LinkedRule } from "../../../engine/link-plan.ts";
import { normalise } from "../../../engine/normalise.ts";
import { SessionState } from "../../../engine/session-state.ts";
import { facts } from "../../../facts/facts.ts";
import { bash } from "../../engine/actions/engine.ts";
import { seed } from "../seed.ts";
import { assignments, concrete, randomParts, template } from "./command-templates.ts";
import { Compared, files, gradeOf, regex, rounds, ruleOn } from "./graded-world.ts";
import { Random } from "./random.ts";

/** Tests that ask for each word by itself: what a command of many words is read as shows in one of them. */
const texts = ["prod", "x", "push", "a-1", "", "dev", "-f", "--force", "--", "-n"].map((text) => JSON.stringify(text));
const options = ["--force", "-f", "--namespace", "-n", "--no-verify", "-r", "-m"].map((name) => JSON.stringify(name));
const conditions = [
  ...texts.flatMap((text) => [
    `c.operands.exists(o, o == ${text})`,
    `c.operands.all(o, o == ${text})`,
    `c.operands.exists_one(o, o == ${text})`,
    `size(c.operands) > 0 && c.operands[0] == ${text}`,
    `c.words.exists(w, w.text == ${text})`,
  ]),
  ...options.flatMap((name) => [
    `c.has_option(${name})`,
    `c.option(${name}).hasValue()`,
    `c.options.exists(o, o.names.contains(${name}))`,
    ...texts.slice(0, 7).map((text) => `c.option(${name}).orValue("other") == ${text}`),
  ]),
  ...["push", "commit", "get", "delete"].map((name) => `c.?subcommand.orValue("") == ${JSON.stringify(name)}`),
  ...[0, 1, 2, 3].map((count) => `size(c.operands) == ${count}`),
  "has(c.subcommand)",
  "size(c.options) > 1",
  "size(c.words) > 3",
];

type Judge = (rule: LinkedRule) => RuleResult;

/** Reads a command once for all conditions. */
function judgeOf(command: string): {
  readonly judge: Judge;
  readonly commands: number;
  readonly isWrapper: boolean;
} {
  const read = normalise(bash(command));
  if ("code" in read) throw new Error(read.message);
  const session = new SessionState().view(read.event);
  const found = facts.of(read.event, files);
  const world = { event: read.event, facts: found, files, regex, session };
  const commands = found.shell?.commands ?? [];
  // A wrapper hides another command behind an unknown word, and not another reading of this one.
  const isWrapper = commands.length > 1;
  return { judge: (rule) => evaluateRule(rule, world), commands: commands.length, isWrapper };
}

describe(`graded conditions on single words of commands (seed ${seed})`, () => {
  const rules = conditions.flatMap((condition) => {
    const rule = ruleOn("c: shell.commands", condition)?.rule;
    return rule ? [{ condition, rule }] : [];
  });

  it.each([1, 2] as const)("are never surely wrong about a command with %i unknown parts", (holes) => {
    const random = new Random(seed + 70 + holes);
    const compared = new Compared();
    const wrong: string[] = [];
    for (let i = 0; i < rounds(120); i++) {
      const parts = randomParts(random, holes);
      const unknown = judgeOf(template(parts));
      if (unknown.isWrapper) continue;
      const exact = assignments(parts, random).map((values) => {
        const command = concrete(parts, values);
        return { command, ...judgeOf(command) };
      });
      const same = exact.filter(({ commands }) => commands === unknown.commands);
      for (const { condition, rule } of rules) {
        const grade = gradeOf(unknown.judge(rule));
        compared.add(grade, same.length);
        if (grade !== "no" && grade !== "yes") continue;
        const contrary = grade === "no" ? "match" : "no";
        const other = same.find(({ judge }) => judge(rule).kind === contrary);
        if (other) wrong.push(`${condition} of ${template(parts)}: ${grade}; ${other.command}`);
      }
    }
    expect(wrong.slice(0, 40)).toEqual([]);
    compared.expectAll("no", "open", "telling", "yes");
  });
});
