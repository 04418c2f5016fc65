import type { Ir } from "../../../engine/plan.ts";
import type { Claim } from "../claims.ts";
import { conjunctions, truths } from "../conjunctions.ts";
import { irKey } from "../guards.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Note: two `some` of one list test different fields, so that two elements may pass them. */
export const apartTests: Lint = {
  code: "HW670",
  name: "apart-tests",
  why: "Each `some` looks for an element of its own. A call with one write in `src` and another one by npm passes both, although npm writes nothing in `src`.",
  advice: "Write tests of one element under one `some`, or bind the element with `each`.",
  bad: [
    {
      title: "a place and a cause, and a program and its option",
      at: ["some: { effects.writes: { via: npm } }", "shell.commands.exists(c, c.has_option('--force'))"],
      policy: `  - id: writes
    event: tool_call
    when: { all: [{ some: { effects.writes: { path: { within: src } } } }, { some: { effects.writes: { via: npm } } }] }
    action: ask
    reason: npm changes sources
  - id: publishes
    event: [tool_call, user_bash]
    when: shell.commands.exists(c, c.program == 'npm') && shell.commands.exists(c, c.has_option('--force'))
    action: ask
    reason: it goes on whatever npm says
`,
    },
  ],
  good: [
    {
      title: "one `some`, two elements by the same field, two lists, and either of them",
      policy: `  - id: writes
    event: tool_call
    when: { some: { effects.writes: { path: { within: src }, via: npm } } }
    action: ask
    reason: npm changes sources
  - id: two
    event: tool_call
    when: { all: [{ some: { effects.writes: { path: { within: src } } } }, { some: { effects.writes: { path: { within: test } } } }] }
    action: ask
    reason: sources and tests change at once
  - id: sends
    event: tool_call
    when: { all: [{ some: { effects.reads: { path: { is: secret } } } }, { some: { effects.network: { direction: [upload, both] } } }] }
    action: ask
    reason: it may send a secret
  - id: either
    event: tool_call
    when: { any: [{ some: { effects.writes: { path: { within: src } } } }, { some: { effects.writes: { via: npm } } }] }
    action: ask
    reason: npm writes, or sources change
  - id: without
    event: tool_call
    when: { some: { effects.writes: { path: { within: src } } }, none: { effects.writes: { via: npm } } }
    action: ask
    reason: sources change
`,
    },
  ],
  ofItems: true,
  rule(rule) {
    return [rule.typed?.when, rule.typed?.unless].flatMap((ir) => (ir ? apart(ir, rule) : []));
  },
};

type Loop = Ir & { readonly k: "loop" };

function apart(ir: Ir, { claims, policy }: LintedRule): Finding[] {
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  return conjunctions(ir).flatMap(({ terms }) => {
    const loops = terms.filter((term): term is Loop => term.k === "loop" && term.loop === "exists");
    const seen = new Map<string, Set<string>>();
    return loops.flatMap((loop): Finding[] => {
      const fields = fieldsOf(loop, byCall);
      const key = irKey(loop.list);
      const before = seen.get(key);
      seen.set(key, new Set([...(before ?? []), ...(fields ?? ["…"])]));
      if (!before || !fields || !loop.at || before.has("…") || fields.some((field) => before.has(field))) return [];
      const list = writtenPath(loop.list);
      const span = { start: loop.at[0], end: loop.at[1] };
      const isYaml = policy.textAt(span).startsWith("{") || !policy.textAt(span).includes(".exists(");
      const both = [...before, ...fields].map((field) => `${field}: …`).join(", ");
      return [
        {
          span,
          message: `two different elements of \`${list}\` may pass this and the \`some\` before it`,
          help: isYaml
            ? `if one element is meant, write both under one: \`some: { ${list}: { ${both} } }\``
            : `if one element is meant, write both under one: \`${list}.exists(x, … && …)\``,
        },
      ];
    });
  });
}

/** Lists the fields of its element that a loop tests; undefined where it tests anything else. */
function fieldsOf(loop: Loop, byCall: ReadonlyMap<Ir, Claim>): readonly string[] | undefined {
  const leaves = truths(loop.body).filter(({ ir }) => ir.k !== "and" && ir.k !== "or" && ir.k !== "not");
  const fields = leaves.map(({ ir }) => {
    const claim = byCall.get(ir);
    const subject = claim?.subject ?? (ir.k === "has" ? { ...ir, k: "field" as const } : ir);
    return subject.k === "slot" ? claim?.operator : fieldOfSlot(subject, loop.slot);
  });
  return fields.length > 0 && fields.every((field) => field !== undefined) ? [...new Set(fields)] : undefined;
}

/** Returns the first field behind the variable of a loop, e.g. `path` of `w.path.ext`. */
function fieldOfSlot(ir: Ir, slot: number): string | undefined {
  if (ir.k === "call" && ir.args[0]) return fieldOfSlot(ir.args[0], slot);
  if (ir.k !== "field") return undefined;
  return ir.of.k === "slot" ? (ir.of.slot === slot ? ir.name : undefined) : fieldOfSlot(ir.of, slot);
}
