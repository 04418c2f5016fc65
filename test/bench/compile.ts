import { parse } from "yaml";
import { checkPolicy } from "../../compiler/check-policy.ts";
import { compile } from "../../compiler/compile.ts";
import { makePlan, type TypedPolicy } from "../../compiler/plan.ts";
import type { PolicyFile } from "../../compiler/policy-draft.ts";
import { readYaml } from "../../compiler/read.ts";
import { type ResolvedPolicy, resolvePolicies } from "../../compiler/resolve.ts";
import { digest } from "../../engine/canonical.ts";
import type { Plan } from "../../engine/plan.ts";
import { facts } from "../../facts/facts.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine } from "../../runtime.ts";
import { atMost } from "./bars.ts";
import { policyFiles } from "./decision/hookwarden.ts";
import { measure, type Report, type Subject, shownTime, stopwatch, type Timing, table } from "./measure.ts";
import { isQuick } from "./options.ts";

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

/** So many rules, of the kinds that packs have. */
function rulesOf(count: number): readonly string[] {
  return Array.from(
    { length: count },
    (_, i) =>
      `  - { id: r${i}, event: tool_call, tool: bash, when: ${conditions[i % conditions.length]}, action: block, reason: rule ${i} }\n`,
  );
}

const [file] = policyFiles(rulesOf(100)) as [PolicyFile];
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

/** Compiling, and loading a plan that was compiled: the stages of 100 rules, and how both grow with the number of rules. */
export function benchCompile(): Report {
  const compiling = measure(stages, isQuick() ? 10 : 30, 5, stopwatch);
  const grown = (isQuick() ? [10, 100, 1_000] : [10, 100, 1_000, 10_000]).map(compileOf);
  const thousand = grown.find(({ rules }) => rules === 1_000)?.timings ?? [];
  const [yaml, compiled, , loaded] = thousand.map(({ median }) => median);
  return {
    text: [
      table("stages of compiling 100 rules", compiling),
      ...grown.map(({ rules, timings }) => table(`${rules.toLocaleString("en")} rules`, timings)),
    ].join("\n"),
    numbers: { compile_ms: compiling, grown },
    bars: [
      atMost("compile/thousand", "compile of 1,000 rules", (compiled ?? Number.NaN) / 1_000, 1, {
        unit: " s",
        ratio: (compiled ?? Number.NaN) / (yaml || 1),
      }),
      {
        id: "compile/load",
        what: "load of a plan of 1,000 rules: parsed, linked, indexed",
        bar: "stated",
        measured: shownTime(loaded ?? Number.NaN),
        met: undefined,
        ratio: (loaded ?? Number.NaN) / (yaml || 1),
      },
    ],
  };
}

/** Compiling a policy of so many rules, and loading its plan, beside what only parses its YAML. */
function compileOf(rules: number): { readonly rules: number; readonly timings: readonly Timing[] } {
  const files = policyFiles(rulesOf(rules));
  const texts = files.map(({ bytes }) => Buffer.from(bytes).toString("utf8"));
  const plan = compile({ files, regex }).plan;
  if (!plan) throw new Error(`a policy of ${rules} rules does not compile`);
  const json = JSON.stringify(plan);
  const subjects: readonly Subject[] = [
    { name: "YAML alone", run: () => texts.map((text) => parse(text)) },
    { name: "compile", run: () => compile({ files, regex }) },
    { name: "plan from JSON", run: () => JSON.parse(json) },
    { name: "load: plan from JSON, linked", run: () => createEngine(JSON.parse(json) as Plan, { regex }) },
  ];
  const rounds = rules >= 10_000 ? 3 : rules >= 1_000 ? 7 : 21;
  return {
    rules,
    timings: measure(subjects, isQuick() ? Math.min(rounds, 5) : rounds, rules >= 10_000 ? 1 : 3, stopwatch),
  };
}
