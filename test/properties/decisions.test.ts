import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import { createEngine } from "../../runtime.ts";
import { policyFile } from "../literate/policies.ts";
import { rounds } from "./seed.ts";

/** Properties of every decision: what no policy, order or repetition may change. Seeds are printed on failure. */
const strictness = { allow: 0, ask: 1, block: 2 } as const;

const condition = fc.constantFrom(
  `{ args.command: { contains: git } }`,
  `{ not: { args.command: { contains: git } } }`,
  `{ some: { shell.commands: { program: ls } } }`,
  `{ environment.branch: main }`,
  `{ any: [{ args.command: { matches: '^cat' } }, { environment.user: ada }] }`,
  `'shell.commands.exists(c, c.program == "cat" && c.operands.size() > 1)'`,
  undefined,
);
const rule = fc.record({
  when: condition,
  each: fc.constantFrom(undefined, `{ e: effects.reads }`, `{ e: effects.writes }`),
  action: fc.constantFrom("block", "ask", `{ redact: { patterns: [{ name: k, regex: 'k[0-9]+', replacement: K }] } }`),
  mode: fc.constantFrom("enforce", "monitor"),
});
type Rule = typeof rule extends fc.Arbitrary<infer R> ? R : never;

const written = (r: Rule, id: string): string =>
  [
    `  - id: ${id}`,
    `event: tool_call`,
    `tool: bash`,
    r.each && `each: ${r.each}`,
    r.when && `when: ${r.when}`,
    `action: ${r.action}`,
    `mode: ${r.mode}`,
    `reason: ${id}`,
  ]
    .filter((line) => line !== undefined)
    .join("\n    ");
const policy = (id: string, rules: readonly Rule[], head = ""): string =>
  `version: 1\npolicy: ${id}\n${head}rules:\n${rules.map((r, i) => written(r, `r${i}`)).join("\n")}${rules.length === 0 ? "  []" : ""}\n`;

const heads = fc.constantFrom("", "default: ask\n", "default: block\n", "unknown: block\n", "unknown: allow\n");
const command = fc.constantFrom(
  "ls",
  "git status",
  "cat a b",
  "cat k12 > k9",
  "echo 'open",
  "cat a; git push",
  "touch x && ls -l",
  "frob /x/k1",
  "",
);
const event = fc
  .record({ command, user: fc.constantFrom("ada", "bob"), branch: fc.constantFrom("main", undefined) })
  .map(({ command: text, user, branch }) => ({
    event: "tool_call",
    tool: "bash",
    args: { command: text },
    environment: { user, ...(branch && { branch }) },
  }));

function decideWith(texts: readonly string[], wire: unknown) {
  const result = compile({ files: texts.map((text, i) => policyFile(text, `p${i}.yaml`)) });
  expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return createEngine(result.plan).decide(wire);
}

describe("decisions", () => {
  it("adding a rule that blocks never allows more", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), rule, heads, event, (rules, extra, head, wire) => {
        const before = decideWith([policy("a", rules, head)], wire).decision.outcome;
        const after = decideWith([policy("a", [...rules, { ...extra, action: "block", mode: "enforce" }], head)], wire)
          .decision.outcome;
        expect(strictness[after]).toBeGreaterThanOrEqual(strictness[before]);
      }),
      { numRuns: rounds(150) },
    );
  });

  it("the order in which files are given changes nothing, byte for byte", () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 3 }),
        fc.array(rule, { maxLength: 3 }),
        heads,
        event,
        (one, two, head, wire) => {
          const a = decideWith([policy("a", one, head), policy("b", two)], wire);
          const b = decideWith([policy("b", two), policy("a", one, head)], wire);
          expect(canonicalJson(b)).toBe(canonicalJson(a));
        },
      ),
      { numRuns: rounds(100) },
    );
  });

  it("the same plan and event give the same decision and record body, byte for byte", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), event, (rules, wire) => {
        const texts = [policy("a", rules)];
        expect(canonicalJson(decideWith(texts, wire))).toBe(canonicalJson(decideWith(texts, wire)));
      }),
      { numRuns: rounds(60) },
    );
  });

  it("a rule in monitor mode changes no outcome and no payload", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), rule, event, (rules, extra, wire) => {
        const before = decideWith([policy("a", rules)], wire).decision;
        const after = decideWith([policy("a", [...rules, { ...extra, mode: "monitor" }])], wire).decision;
        expect({ outcome: after.outcome, changes: after.changes, rule: after.rule }).toEqual({
          outcome: before.outcome,
          changes: before.changes,
          rule: before.rule,
        });
      }),
      { numRuns: rounds(100) },
    );
  });
});
