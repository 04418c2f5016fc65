import { parseArgs } from "node:util";
import type { Mismatch, Report } from "../test/properties/language/oracle.ts";
import { runOracle, stillDiffers } from "../test/properties/language/oracle.ts";
import { type GivenPolicy, yamlOf } from "../test/properties/language/policies.ts";
import { shrink } from "../test/properties/language/shrink.ts";

/**
 * Compares the engine with the reference interpreter on generated policies and events:
 * `npm run fuzz -- --seed N --cases N`. A mismatch is printed as the smallest policy and event that still show it; exit
 * code 1. The same seed and count give the same pairs on every machine.
 */
const { values } = parseArgs({
  options: { seed: { type: "string" }, cases: { type: "string" }, "per-policy": { type: "string" } },
});

function wholeNumber(text: string | undefined, otherwise: number, name: string): number {
  const number = text === undefined ? otherwise : Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  process.stderr.write(`--${name} needs a whole number, not ${text}\n`);
  process.exit(2);
}

const seed = wholeNumber(values.seed, Math.floor(Math.random() * 0x7fffffff), "seed");
const cases = wholeNumber(values.cases, 20_000, "cases");
const perPolicy = wholeNumber(values["per-policy"], 100, "per-policy");
process.stdout.write(`seed ${seed}, ${cases} cases\n`);
const started = performance.now();
const report = runOracle(seed, cases, Math.max(perPolicy, 1));
process.stdout.write(`${summary(report, performance.now() - started)}\n`);
for (const mismatch of report.mismatches) process.stdout.write(`\n${reproduction(mismatch)}\n`);
process.exitCode = report.mismatches.length > 0 || report.cases < cases ? 1 : 0;

function summary(found: Report, milliseconds: number): string {
  const share = Math.round((1000 * found.compiled) / Math.max(found.policies, 1)) / 10;
  const outcomes = [...found.outcomes].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  return [
    `${found.cases} cases, ${found.policies} policy sets, ${share}% compiled, ${Math.round(milliseconds / 1000)} s`,
    outcomes.join(", "),
    `${found.mismatches.length} mismatches`,
  ].join("\n");
}

/** The smallest policy set and event found that still differ. */
function reproduction(mismatch: Mismatch): string {
  const { policies, steps } = shrink(
    { policies: mismatch.policies, steps: mismatch.steps },
    (candidate) => stillDiffers(candidate.policies, candidate.steps) !== undefined,
  );
  const texts = policies.map((policy: GivenPolicy) => `# scope: ${policy.scope}\n${yamlOf(policy.data)}`);
  const now = stillDiffers(policies, steps) ?? mismatch;
  return [
    "mismatch",
    ...texts,
    ...steps.map((step) => `step: ${JSON.stringify(step)}`),
    `engine:    ${JSON.stringify(now.engine)}`,
    `reference: ${JSON.stringify(now.reference)}`,
  ].join("\n");
}
