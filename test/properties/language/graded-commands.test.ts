import { describe, expect, it } from "vitest";
import { evaluateRule, type RuleResult } from "../../../engine/evaluate-rule.ts";
import type { LinkedRule } from "../../../engine/link-plan.ts";
import { normalise } from "../../../engine/normalise.ts";
import { SessionState } from "../../../engine/session-state.ts";
import { facts } from "../../../facts/facts.ts";
import { bash } from "../../engine/actions/engine.ts";
import { seed } from "../seed.ts";
import {
  assignments,
  concrete,
  type Part,
  programs,
  randomParts,
  randomProgram,
  template,
} from "./command-templates.ts";
import { Compared, files, gradeOf, regex, rounds, ruleOn } from "./graded-world.ts";
import { Random } from "./random.ts";

function randomCondition(random: Random, depth: number): string {
  const text = (): string => JSON.stringify(random.pick(["prod", "x", "push", "a-1", "", "dev", "pr", "1"]));
  const option = (): string =>
    JSON.stringify(random.pick(["--force", "-f", "--namespace", "-n", "--no-verify", "-r", "-m"]));
  if (depth === 0 || random.chance(0.3))
    return random.pick([
      () => `c.program == ${JSON.stringify(random.pick(programs))}`,
      () => `c.program in ["git", "rm"]`,
      () => `c.?subcommand.orValue("") == ${JSON.stringify(random.pick(["push", "commit", "get", "delete"]))}`,
      () => `has(c.subcommand)`,
      () => `c.operands.exists(o, o == ${text()})`,
      () => `c.operands.contains(${text()})`,
      () => `${text()} in c.operands`,
      () => `c.operands.all(o, o.startsWith(${text()}))`,
      () => `c.operands.exists(o, o.glob("*${random.pick(["x", "d", "-1"])}"))`,
      () => `size(c.operands) == ${random.pick(["0", "1", "2"])}`,
      () => `size(c.operands) > 0 && c.operands[0] == ${text()}`,
      () => `c.operands.exists_one(o, o == ${text()})`,
      () => `c.operands.filter(o, o != ${text()}).size() > 0`,
      () => `c.has_option(${option()})`,
      () => `c.option(${option()}).orValue("") == ${text()}`,
      () => `c.option(${option()}).hasValue()`,
      () => `c.options.exists(o, o.names.contains(${option()}))`,
      () => `c.words.exists(w, w.text == ${text()})`,
      () => `size(c.words) > 2`,
      () => `c.text.contains(${text()})`,
    ])();
  const inner = (): string => `(${randomCondition(random, depth - 1)})`;
  return random.pick([
    () => `${inner()} && ${inner()}`,
    () => `${inner()} || ${inner()}`,
    () => `!${inner()}`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
    () => `${inner()} == ${inner()}`,
  ])();
}

function judge(
  rule: LinkedRule,
  command: string,
): RuleResult & { readonly commands: number; readonly isHidden: boolean } {
  const read = normalise(bash(command));
  if ("code" in read) throw new Error(read.message);
  const session = new SessionState().view(read.event);
  const found = facts.of(read.event, files);
  const result = evaluateRule(rule, { event: read.event, facts: found, files, regex, session });
  const commands = found.shell?.commands ?? [];
  // A command that an unknown word of a wrapper hides is only possible, which counts as yes (reach page, section 1).
  const isHidden = commands.some(({ wrappers, certain }) => wrappers.length > 0 && !certain);
  return { ...result, commands: commands.length, isHidden };
}

describe(`graded conditions on commands (seed ${seed})`, () => {
  const random = new Random(seed + 7);
  const compared = new Compared();
  const wrong: string[] = [];

  function compare(
    rule: LinkedRule,
    condition: string,
    parts: readonly Part[],
    values: readonly Readonly<Record<string, string>>[],
  ) {
    const result = judge(rule, template(parts));
    const grade = gradeOf(result);
    compared.add(grade, values.length);
    const said = (value: Readonly<Record<string, string>>): string =>
      `${condition} of ${template(parts)}: ${grade}; ${concrete(parts, value)}`;
    if ((grade !== "no" && grade !== "yes") || (grade === "yes" && result.isHidden)) return;
    const contrary = grade === "no" ? "match" : "no";
    wrong.push(
      ...values
        .filter((value) => {
          const exact = judge(rule, concrete(parts, value));
          // A word may be empty, or make a wrapper of its command: then other commands are run, and not these.
          return exact.kind === contrary && exact.commands === result.commands;
        })
        .slice(0, 1)
        .map(said),
    );
  }

  it("are never no where some command passes, nor yes where some command fails", () => {
    for (let i = 0; i < rounds(160); i++) {
      const condition = randomCondition(random, 2);
      const rule = ruleOn("c: shell.commands", condition)?.rule;
      if (!rule) continue;
      for (let n = 0; n < 8; n++) {
        const parts = randomParts(random);
        compare(rule, condition, parts, assignments(parts, random));
      }
      for (let n = 0; n < 3; n++) {
        const { parts, values } = randomProgram(random);
        compare(
          rule,
          condition,
          parts,
          values.map((X) => ({ X })),
        );
      }
    }
    expect(wrong.slice(0, 40)).toEqual([]);
    compared.expectAll("no", "open", "telling", "yes");
  });
});
