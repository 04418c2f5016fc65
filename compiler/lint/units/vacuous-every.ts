import type { Ir } from "../../../engine/plan.ts";
import type { Claim } from "../claims.ts";
import { conjunctions } from "../conjunctions.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Lint: an `every` or a lone `none` over effects or commands also holds for a call that has none. */
export const vacuousEvery: Lint = {
  code: "HW655",
  name: "vacuous-every",
  why: "Over an empty list `every` holds. A rule that applies when every connection goes to a known host applies to every call without a connection too. So does one that applies when no write lies in a folder, where nothing beside it asks for a write.",
  advice:
    "Bind the elements with `each`, or add `some` over the same list. Instead of a lone `none` ask for `some` element that does not pass the test.",
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
    {
      title: "no write in a folder, and no command of some programs, as the only test",
      at: ["effects.writes", "shell.commands", "effects.network"],
      policy: `  - id: sources
    event: tool_call
    when: { none: { effects.writes: { path: { within: src } } } }
    action: block
    reason: only sources are written
  - id: programs
    event: [tool_call, user_bash]
    when: { none: { shell.commands: { program: [git, npm] } } }
    action: ask
    reason: only git and npm run
  - id: hosts
    event: tool_call
    when: "!effects.network.exists(n, n.url.host == 'example.com' && n.direction == 'download')"
    action: block
    reason: only downloads from there
`,
    },
    {
      title: "no address in an address, and an allow for every write",
      at: ["n.url.embedded", "effects.writes"],
      policy: `version: 1
policy: example
default: ask
rules:
  - id: forwarded
    event: tool_call
    each: { n: effects.network }
    when: "!n.url.embedded.exists(u, u.hostIn('example.com'))"
    action: ask
    reason: it forwards to others
  - id: docs
    event: tool_call
    when: { every: { effects.writes: { path: { within: docs } } } }
    action: allow
    reason: documents are reviewed later
`,
    },
  ],
  good: [
    {
      title: "some element that does not pass, and `none` beside what asks for a call of its kind",
      policy: `labels: { seen: { kind: mark } }
rules:
  - id: sources
    event: tool_call
    when: { some: { effects.writes: { path: { not: { within: src } } } } }
    action: block
    reason: only sources are written
  - id: hosts
    event: tool_call
    when: { some: { effects.network: { not: { url.host: example.com, direction: download } } } }
    action: block
    reason: only downloads from there
  - id: tools
    event: tool_call
    tool: bash
    when: { none: { shell.commands: { program: [git, npm] } } }
    action: ask
    reason: only git and npm run
  - id: each-one
    event: tool_call
    each: { p: effects.pushes }
    when: { none: { shell.commands: { program: make } } }
    action: ask
    reason: pushes are made with make
  - id: beside
    event: tool_call
    when: { some: { effects.writes: { path: { within: src } } }, none: { effects.writes: { path: { within: test } } } }
    action: ask
    reason: sources change without a test
  - id: nothing
    event: tool_call
    when: { session.labels: { contains: seen }, none: { effects.reads: { path: { is: workspace } } } }
    action: ask
    reason: it reads nothing of the project
  - id: mark
    event: tool_call
    when: { none: { effects.writes: { path: { within: src } } } }
    action: { label: { add: [seen] } }
  - id: quiet
    event: tool_call
    when: size(effects.writes) == 0
    action: ask
    reason: it writes nothing
`,
    },
    {
      title: "an address that carries another, and an allow for writes",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: forwarded
    event: tool_call
    each: { n: effects.network }
    when: n.url.embedded.exists(u, !u.hostIn('example.com'))
    action: ask
    reason: it forwards to others
  - id: docs
    event: tool_call
    tool: [write, edit]
    when: { every: { effects.writes: { path: { within: docs } } } }
    action: allow
    reason: documents are reviewed later
  - id: tests
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { within: test } }
    action: allow
    reason: they are reviewed later
`,
    },
    {
      title: "with an element at least, or by element",
      policy: `  - id: local
    event: tool_call
    when: { every: { effects.network: { url.host: localhost } }, some: { effects.network: { direction: [upload, both] } } }
    action: ask
    reason: everything goes to this machine
  - id: counted
    event: tool_call
    when: effects.network.all(n, n.direction in ['upload', 'both']) && size(effects.network) > 0
    action: ask
    reason: everything is sent
  - id: beside
    event: tool_call
    when: { some: { effects.network: { direction: [upload, both] } }, every: { effects.reads: { path: { is: workspace } } } }
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
  ofItems: true,
  rule(rule) {
    const { when, each } = rule.typed ?? {};
    if (!when || !(rule.catches || rule.does("allow"))) return [];
    if (each) return rule.catches ? loneNone(when, rule) : [];
    return [...vacuous(when, rule), ...(rule.catches ? loneNone(when, rule) : [])];
  },
};

/** Finds `none` where nothing else in the rule asks for a call of some kind. */
function loneNone(when: Ir, { draft, typed, claims }: LintedRule): Finding[] {
  if (draft.tools.length > 0 || typed?.unless || typed?.sequence || typed?.budget) return [];
  // A human always types a command.
  if (!draft.events.includes("tool_call")) return [];
  const terms = conjunctions(when)[0]?.terms ?? [];
  const negated = terms.filter(({ k }) => k !== "has");
  const slot = typed?.each?.slot;
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  const loops = negated.flatMap((term) => noneOf(term, byCall) ?? []);
  if (loops.length === 0 || loops.length < negated.length) return [];
  return loops.flatMap((loop): Finding[] => {
    const list =
      loop.loop === "exists" || loop.loop === "filter"
        ? slot === undefined
          ? listName(loop.list)
          : listOf(loop.list)
        : undefined;
    const place = loop.list.at ?? loop.at;
    if (list === undefined || !place || !nodesIn(loop.body).some((node) => node.k === "slot")) return [];
    const field = claims.find(({ call }) => call === loop.body)?.path.replace(/^[^.]*\./, "");
    const body = field === undefined ? "not: { … }" : `${field}: { not: … }`;
    return [
      {
        span: { start: place[0], end: place[1] },
        message: `this holds for every ${slot === undefined ? "call" : "element"} without \`${list}\``,
        help: `write \`some: { ${list}: { ${body} } }\`${slot === undefined ? ", or name a `tool` beside it" : ""}`,
      },
    ];
  });
}

type Loop = Ir & { readonly k: "loop" };

/** Returns the loop of a term that holds where no element passes: a negated `exists`, or a filter that leaves nothing. */
function noneOf(term: Ir, byCall: ReadonlyMap<Ir, Claim>): Loop | undefined {
  if (term.k === "not") return term.arg.k === "loop" ? term.arg : undefined;
  const claim = byCall.get(term);
  const [bound] = claim?.values ?? [];
  const isNone =
    ((claim?.operator === "equals" || claim?.operator === "le") && bound === 0) ||
    (claim?.operator === "lt" && bound === 1);
  const sized = claim?.subject.k === "call" && /\.size$/.test(claim.subject.fn) ? claim.subject.args[0] : undefined;
  return isNone && sized?.k === "loop" && sized.loop === "filter" ? sized : undefined;
}

/** Lists that every call of a tool has, so that something is there to pass `every`. */
const always: Readonly<Record<string, string>> = {
  bash: "shell.commands",
  fetch: "effects.network",
  write: "effects.writes",
  edit: "effects.writes",
  read: "effects.reads",
};

function vacuous(when: Ir, { draft, catches }: LintedRule): Finding[] {
  const terms = conjunctions(when)[0]?.terms ?? [];
  return terms.flatMap((term): Finding[] => {
    if (term.k !== "loop" || term.loop !== "all" || !term.at) return [];
    const list = listName(term.list);
    if (list === undefined) return [];
    const isThere = (tool: string): boolean => Object.hasOwn(always, tool) && always[tool] === list;
    if (draft.tools.length > 0 && draft.tools.every(isThere)) return [];
    const isTyped = draft.events.every((event) => event === "user_bash");
    if (isTyped && list === "shell.commands") return [];
    const others = terms.filter((other) => other !== term && !asksWhetherThere(other, list));
    if (others.some((other) => nodesIn(other).some(mayNeedElements))) return [];
    const place = term.list.at ?? term.at;
    return [
      {
        span: { start: place[0], end: place[1] },
        message: `this holds for every call without \`${list}\``,
        help: `bind the elements with \`each\`${catches ? `, or add \`some\` over \`${list}\`` : ": an allow then covers those alone"}`,
      },
    ];
  });
}

function listName(ir: Ir): string | undefined {
  return ir.k === "root" && /^(?:effects\.[a-z]+|shell\.commands|secrets)$/.test(ir.name) ? ir.name : undefined;
}

/** A list that an element has, as an author writes it: `n.url.embedded`. */
function listOf(ir: Ir): string | undefined {
  const path = writtenPath(ir);
  return (ir.k === "field" || ir.k === "call") && !path.includes("…") ? path : undefined;
}

/** Roots that say nothing about the call itself; a test of any other root may be meant for an empty list. */
const around: ReadonlySet<string> = new Set(["event", "host", "agent", "environment", "now", "session", "tool"]);

const mayNeedElements = (node: Ir): boolean =>
  node.k === "condition" || node.k === "slot" || (node.k === "root" && !around.has(node.name));

/** True for the presence test that the YAML spelling adds to `every`; it holds for an empty list. */
function asksWhetherThere(ir: Ir, list: string): boolean {
  return ir.k === "has" && ir.of.k === "root" && `${ir.of.name}.${ir.name}` === list;
}
