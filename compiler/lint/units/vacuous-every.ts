import type { Ir } from "../../../engine/plan.ts";
import { conjunctions } from "../conjunctions.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";

/** Lint: an `every` over effects or commands also holds for a call that has none. */
export const vacuousEvery: Lint = {
  code: "HW655",
  name: "vacuous-every",
  why: "Over an empty list `every` holds. A rule that applies when every connection goes to a known host applies to every call without a connection too.",
  advice: "Bind the elements with `each`, or add `some` over the same list.",
  bad: [
    {
      title: "every host of a call without hosts",
      at: ["effects.network"],
      policy: `  - id: local
    event: tool_call
    when: { every: { effects.network: { url.host: localhost } }, environment.user: ci }
    action: ask
    reason: everything goes to this machine
`,
    },
  ],
  good: [
    {
      title: "with an element at least, or by element",
      policy: `  - id: local
    event: tool_call
    when: { every: { effects.network: { url.host: localhost } }, some: { effects.network: { direction: upload } } }
    action: ask
    reason: everything goes to this machine
  - id: counted
    event: tool_call
    when: effects.network.all(n, n.direction == 'upload') && size(effects.network) > 0
    action: ask
    reason: everything is sent
  - id: beside
    event: tool_call
    when: { some: { effects.network: { direction: upload } }, every: { effects.reads: { path: { is: workspace } } } }
    action: ask
    reason: something is sent
  - id: each-one
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: localhost, not: { every: { effects.reads: { recursive: true } } } }
    action: ask
    reason: it goes to this machine
`,
    },
  ],
  rule(rule) {
    const { when, each } = rule.typed ?? {};
    return when && !each && rule.guards ? vacuous(when) : [];
  },
};

function vacuous(when: Ir): Finding[] {
  const terms = conjunctions(when)[0]?.terms ?? [];
  return terms.flatMap((term): Finding[] => {
    if (term.k !== "loop" || term.loop !== "all" || !term.at) return [];
    const list = listName(term.list);
    if (list === undefined) return [];
    const others = terms.filter((other) => other !== term && !asksWhetherThere(other, list));
    if (others.some((other) => nodesIn(other).some(mayNeedElements))) return [];
    const place = term.list.at ?? term.at;
    return [
      {
        span: { start: place[0], end: place[1] },
        message: `this holds for every call without \`${list}\``,
        help: `bind the elements with \`each\`, or add \`some\` over \`${list}\``,
      },
    ];
  });
}

function listName(ir: Ir): string | undefined {
  return ir.k === "root" && /^(?:effects\.[a-z]+|shell\.commands|secrets)$/.test(ir.name) ? ir.name : undefined;
}

/** Roots that say nothing about the call itself; a test of any other root may be meant for an empty list. */
const around: ReadonlySet<string> = new Set(["event", "host", "agent", "environment", "now", "session", "tool"]);

const mayNeedElements = (node: Ir): boolean =>
  node.k === "condition" || node.k === "slot" || (node.k === "root" && !around.has(node.name));

/** True for the presence test that the YAML spelling adds to `every`; it holds for an empty list. */
function asksWhetherThere(ir: Ir, list: string): boolean {
  return ir.k === "has" && ir.of.k === "root" && `${ir.of.name}.${ir.name}` === list;
}
