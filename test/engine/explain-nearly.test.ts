import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { explain } from "../../engine/explain.ts";
import { nearMisses } from "../../engine/explain-nearly.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import { SessionState, sessionRules } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { vocabularyFor } from "../../runtime.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { policyFile } from "../literate/policies.ts";
import { bash, home } from "./actions/engine.ts";

const more = "action: ask, reason: r";
const rules: Readonly<Record<string, string>> = {
  one: `each: { c: shell.commands }, when: { c.program: npm, c.subcommand: publish }, ${more}`,
  two: `each: { c: shell.commands }, when: { c.program: npm, c.subcommand: publish, c.certain: true, args.command: { contains: now } }, ${more}`,
  alone: `each: { c: shell.commands }, when: { c.program: npm }, ${more}`,
  negation: `each: { w: effects.writes }, when: { w.path: { glob: "/srv/**" }, w.path.pattern: false }, ${more}`,
  count: `each: { w: effects.writes }, when: { w.path: { glob: "/srv/**" }, expr: size(args.command) > 0 }, ${more}`,
  rare: `each: { d: effects.deletes }, when: { d.recursive: true, d.path.pattern: false }, ${more}`,
  negated: `each: { d: effects.deletes }, when: { d.recursive: true, not: { any: [{ d.path: { is: temp } }, { host: pi }] } }, ${more}`,
  unequal: `each: { d: effects.deletes }, when: { d.recursive: true, d.via: { not_equals: rm } }, ${more}`,
  either: `each: { c: shell.commands }, when: { any: [{ c.program: npm, c.subcommand: publish }, { c.program: yarn, c.subcommand: publish }] }, ${more}`,
  any: `each: { d: effects.deletes }, when: { d.recursive: true, any: [{ host: pi }, { host: omp }] }, ${more}`,
  unless: `each: { d: effects.deletes }, when: { d.recursive: true }, unless: { d.path: { is: temp } }, ${more}`,
  sequence: `tool: bash, sequence: { after: [{ tool: read }] }, ${more}`,
  budget: `tool: bash, budget: { per: session, limit: 2 }, ${more}`,
  "no-element": `each: { p: effects.pushes }, when: { p.forced: true, p.mirror: false }, ${more}`,
  "other-tool": `tool: write, when: { host: pi, args.path: a }, ${more}`,
};

function near(rule: string, command: string): readonly string[] {
  const text = `version: 1\npolicy: p\nrules:\n  - { id: r, event: tool_call, ${rules[rule]} }\n`;
  const { plan, diagnostics } = compile({ files: [policyFile(text)], resolveImport: () => undefined });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const linked = linkPlan(plan, vocabularyFor(createRegexEngine()), createRegexEngine());
  if (linked instanceof EvaluationError) throw linked;
  const found = explain(
    linked,
    { ...bash(command), environment: home, files: {} },
    {
      regex: createRegexEngine(),
      factsOf: (event, files, share, declared) => facts.of(event, files, share, declared),
      filesOf: hermeticFiles,
      sessionOf: (event) => new SessionState(sessionRules(plan)).view(event),
    },
  );
  if ("code" in found) throw new Error(found.message);
  const own = new Set(plan.policies.flatMap(({ id }, i) => (id === "p" ? [i] : [])));
  return nearMisses(found, own).map(({ reason }) => {
    if (!("tests" in reason)) return reason.kind;
    const places = reason.tests.map(({ node: { at } }) => (at ? text.slice(...at) : ""));
    return [reason.kind, ...places].join(" ");
  });
}

/** Commands are data here: they are judged, and nothing runs them. */
describe("a rule nearly matches", () => {
  it.each<[string, string, string, readonly string[]]>([
    ["where one test fails beside one that holds", "one", "npm test", ["condition c.subcommand: publish"]],
    ["where a field is absent", "one", "npm", ["condition c.subcommand"]],
    ["not where it matches", "one", "npm publish", []],
    ["not where no test holds", "one", "ls a", []],
    ["not where two tests fail", "two", "npm test", []],
    ["not where its only test fails", "alone", "ls", []],
    ["not by a negation alone", "negation", "touch a", []],
    ["not by a count alone", "count", "touch a", []],
    ["by an element of a rare list", "rare", "rm a", ["condition d.recursive: true"]],
    ["where what must not hold does", "negated", "rm -r /tmp/a", ["condition d.path: { is: temp }"]],
    ["where a value is the one that it must not be", "unequal", "rm -r a", ["condition d.via: { not_equals: rm }"]],
    ["by the nearest of alternatives", "either", "yarn test", ["condition c.subcommand: publish"]],
    ["where no alternative holds", "any", "rm -r a", ["condition any: [{ host: pi }, { host: omp }]"]],
    ["where `unless` waives it", "unless", "rm -r /tmp/a", ["unless d.path: { is: temp }"]],
    ["where its sequence has not happened", "sequence", "ls", ["sequence"]],
    ["where something is left of its budget", "budget", "ls", ["budget"]],
    ["not without an element", "no-element", "ls", []],
    ["not where it is not asked", "other-tool", "ls", []],
  ])("%s", (_, rule, command, expected) => {
    expect(near(rule, command)).toEqual(expected);
  });
});
