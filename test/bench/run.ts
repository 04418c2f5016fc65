import { createRegexEngine } from "../../facts/regex.ts";
import { benchFacts } from "./facts.ts";
import type { Report } from "./measure.ts";
import { benchPolicies } from "./policies.ts";
import { benchRedaction } from "./redaction.ts";

/**
 * `npm run bench`: what compiling, deciding and facts cost, all in one run. `npm run bench -- facts` is one section of
 * it, `--json` prints the numbers alone; `-- redaction --false-positives` lists what detectors find where nothing is.
 * It asserts nothing: a number means something only beside another of the same run.
 */
const sections: ReadonlyMap<string, () => Report | Promise<Report>> = new Map<string, () => Report | Promise<Report>>([
  ["policies", benchPolicies],
  ["facts", benchFacts],
  ["redaction", benchRedaction],
]);

const json = process.argv.includes("--json");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const chosen = [...sections].filter(([name]) => wanted.length === 0 || wanted.includes(name));
const about = { regex: createRegexEngine().name, node: process.version };
const numbers: Record<string, unknown> = { ...about };
if (!json) process.stdout.write(`regex engine ${about.regex}, node ${about.node}\n`);
for (const [name, bench] of chosen) {
  const report = await bench();
  numbers[name] = report.numbers;
  if (!json) process.stdout.write(`${report.text}\n`);
}
if (json) process.stdout.write(`${JSON.stringify(numbers, null, 2)}\n`);
