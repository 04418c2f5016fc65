import type { Ir } from "../../../engine/plan.ts";
import { isReference } from "../claims.ts";
import { truths } from "../conjunctions.ts";
import { irKey } from "../guards.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Lint: a condition, or a part of one, is always true or always false. */
export const alwaysTrue: Lint = {
  code: "HW618",
  name: "always-true",
  why: "A part of a condition that cannot change anything is most often a slip: the author meant to test something.",
  advice: "Test what was meant, or leave the part out.",
  bad: [
    {
      title: "a condition that says nothing",
      at: ["true"],
      policy: `  - id: all
    event: before_agent_start
    when: true
    action: { inject: { content: Mind the tests. } }
`,
    },
    {
      title: "the presence of what is always there, and a value beside itself",
      at: ["environment.user: { present: true }", "environment.cwd == environment.cwd"],
      policy: `  - id: all
    event: tool_call
    when: { all: [{ environment.user: { present: true } }, environment.cwd == environment.cwd, { tool.name: bash }] }
    action: ask
    reason: a command runs
`,
    },
    {
      title: "a size that is never below zero",
      at: ["size(shell.commands) >= 0"],
      policy: `  - id: many
    event: tool_call
    when: size(shell.commands) >= 0
    action: ask
    reason: a command runs
`,
    },
  ],
  good: [
    {
      title: "parts that can be either, a parameter among them",
      policy: `parameters:
  strict: { type: bool, default: true }
rules:
  - id: some
    event: tool_call
    when: { all: [{ environment.branch: { present: true } }, size(shell.commands) >= 1, parameters.strict] }
    action: ask
    reason: a command runs
`,
    },
  ],
  besideErrors: true,
  rule({ typed, policy }) {
    return [typed?.when, typed?.unless].flatMap((ir) => (ir ? idle(ir, policy) : []));
  },
  policy(policy) {
    return [...policy.typed.conditions.values()].flatMap((ir) => idle(ir, policy));
  },
};

function idle(condition: Ir, policy: LintedPolicy): Finding[] {
  return truths(condition).flatMap(({ ir }) => {
    const holds = settled(ir);
    if (holds === undefined || !ir.at) return [];
    const span = { start: ir.at[0], end: ir.at[1] };
    // An importer may set a parameter to any value.
    if (isReference(policy, span)) return [];
    const message = holds ? "this always holds" : "this never holds";
    return [{ span, message, help: "test what was meant, or leave it out" }];
  });
}

/** Returns the value that a condition always has; undefined if it depends on the call. */
function settled(ir: Ir): boolean | undefined {
  if (ir.k === "const") return typeof ir.value === "boolean" ? ir.value : undefined;
  if (ir.k !== "call") return undefined;
  const [one, other] = ir.args;
  if (!one || !other) return undefined;
  const name = ir.fn.slice(ir.fn.indexOf(".") + 1);
  if (
    (name === "equal" || (name === "equals_path" && !ir.forms)) &&
    writtenPath(one) !== "…" &&
    !isNumber(one) &&
    irKey(one) === irKey(other)
  )
    return true;
  const counts = one.k === "call" && /\.size$/.test(one.fn) && other.k === "const" && typeof other.value === "number";
  if (!counts) return undefined;
  const bound = other.value as number;
  if ((name === "greater_equal" && bound <= 0) || (name === "greater" && bound < 0)) return true;
  return (name === "less" && bound <= 0) || (name === "less_equal" && bound < 0) ? false : undefined;
}

/** True if a value may be NaN, which is not equal to itself. Only arguments of the call, whose types are open, can hold one. */
function isNumber(ir: Ir): boolean {
  return ir.k === "field" && ir.of.k === "root" && ir.of.name === "args";
}
