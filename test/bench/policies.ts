import { checkPolicy } from "../../compiler/check-policy.ts";
import { compile } from "../../compiler/compile.ts";
import { makePlan, type TypedPolicy } from "../../compiler/plan.ts";
import { readYaml } from "../../compiler/read.ts";
import { type ResolvedPolicy, resolvePolicies } from "../../compiler/resolve.ts";
import { digest } from "../../engine/canonical.ts";
import { facts } from "../../facts/facts.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine } from "../../runtime.ts";
import { policyFile } from "../literate/policies.ts";
import { measure, type Report, type Subject, table } from "./measure.ts";

const regex = createRegexEngine();

const conditions = [
  '{ args.command: { contains_any: ["one", "two"] } }',
  "{ some: { shell.commands: { program: psql, operands: { contains: production } } } }",
  `'shell.commands.exists(c, c.program == "git" && c.subcommand == "push" && c.has_option("--force"))'`.replace(
    "c.subcommand",
    'c.?subcommand.orValue("")',
  ),
  '{ all: [{ environment.user: ci }, { not: { environment.branch: main } }, { args.command: { matches: "^deploy-[0-9]+" } }] }',
  "'effects.writes.exists(w, w.path.glob(\"/srv/**\")) && environment.interactive'",
];

/** A policy of so many rules, of the kinds that packs have; none matches the call of this bench. */
function policyText(rules: number): string {
  const one = (i: number): string =>
    `  - { id: r${i}, event: tool_call, tool: bash, when: ${conditions[i % conditions.length]}, action: block, reason: rule ${i} }\n`;
  const all = Array.from({ length: rules }, (_, i) => one(i)).join("");
  return `version: 1\npolicy: p\nrules:${rules === 0 ? " []" : ""}\n${all}`;
}

const file = policyFile(policyText(100));
const { policies } = resolvePolicies({ files: [file] });
const checked = policies.map((policy) => checkPolicy(policy, policies, regex));
const typed = checked.map((result): TypedPolicy => ({ ...result, digest: "" }));

const stages: readonly Subject[] = [
  { name: "whole", run: () => compile({ files: [file], regex }) },
  { name: "read", run: () => readYaml(file.name, file.bytes) },
  { name: "read, validate, parse, resolve", run: () => resolvePolicies({ files: [file] }) },
  {
    name: "check",
    run: () => policies.map((policy: ResolvedPolicy) => checkPolicy(policy, policies, regex)),
  },
  { name: "plan", run: () => makePlan(typed, { digest, tables: facts.versions }) },
  { name: "link", run: () => createEngine(makePlan(typed, { digest, tables: facts.versions }), { regex }) },
];

const event = { event: "tool_call", tool: "bash", args: { command: "cat notes.md | grep -n todo > out.txt" } };
const judgements = 200;

/** Many decisions in one run, since a clock is too coarse for one. */
function deciding(name: string, rules: number, index = true): Subject {
  const { plan } = compile({ files: [policyFile(policyText(rules))], regex });
  const engine = createEngine(plan, { regex, index });
  return {
    name,
    run: () => {
      for (let i = 0; i < judgements; i++) engine.decide(event);
    },
  };
}

/** Compiling and deciding: medians and ratios, side by side. */
export function benchPolicies(): Report {
  const compiling = measure(stages, 30, 5);
  const engines = [
    deciding("a policy without rules", 0),
    deciding("10 rules", 10),
    deciding("100 rules", 100),
    deciding("1,000 rules", 1_000),
    deciding("100 rules without index", 100, false),
    deciding("1,000 rules without index", 1_000, false),
  ];
  const decisions = measure(engines, 30, 5);
  return {
    text: `${table("compile 100 rules", compiling)}\n${table("one decision, no rule matches", decisions, judgements)}`,
    numbers: { compile_ms: compiling, decisions_ms: decisions, judgements },
  };
}
