import { describe, expect, it } from "vitest";
import { formatPolicy } from "../../../authoring/fmt/format.ts";
import { readYaml } from "../../../compiler/read.ts";

const rules = 1_000;

/** A policy of a thousand rules, in canonical form or not. */
function policyText(rough: boolean): string {
  const one = (i: number): string =>
    `  - id: r${i}\n    severity: medium\n    event: [${rough ? "PreToolUse" : "tool_call"}, user_bash]\n` +
    `    ${rough ? "matcher: Bash" : "tool: bash"}\n    each: { c: shell.commands }\n` +
    `    when: { c.program: p${i}, c.operands: { contains: o${i} } }\n    action: block${rough ? "  " : ""}\n` +
    `    reason: rule ${i}\n    examples:\n      match: [p${i} o${i}]\n      no_match: [p${i}]\n`;
  return `version: 1\npolicy: big\nrules:\n${Array.from({ length: rules }, (_, i) => one(i)).join("")}`;
}

/** The least time of the processor of some runs, in microseconds, which a loaded machine lengthens for all alike. */
function least(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}

describe(`formatting ${rules} rules`, () => {
  const file = (text: string) => ({ name: "p.yaml", path: "/p.yaml", bytes: new TextEncoder().encode(text) });
  const [clean, rough] = [file(policyText(false)), file(policyText(true))];

  it("takes little more than reading the file: once where nothing changes, twice where much does", {
    timeout: 120_000,
  }, () => {
    expect(formatPolicy(rough).after).toBe(policyText(false));
    const reading = least(() => readYaml(clean.name, clean.bytes));
    expect(least(() => formatPolicy(clean)) / reading).toBeLessThan(3);
    expect(least(() => formatPolicy(rough)) / reading).toBeLessThan(5);
  });
});
