import type { Ir } from "../../../engine/plan.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";

/** Lint: secrets are asked for in a call that has nothing but a path, where its result is meant. */
export const secretsOfAPath: Lint = {
  code: "HW808",
  name: "secrets-of-a-path",
  why: "`secrets` are those in the text of the event. A call of `read` or `list` has a path; the content that it returns is in the event `tool_result`.",
  advice: "Write `event: tool_result` in the rule, or in the item of the sequence.",
  bad: [
    {
      title: "an item of a sequence, and a rule",
      at: ["secrets", "secrets"],
      policy: `  - id: sends
    event: tool_call
    each: { n: effects.network }
    sequence:
      after: [{ tool: read, when: { secrets: { size: { ge: 1 } } } }]
      within: { calls: 50 }
    action: block
    reason: a key was read
  - id: reads
    event: tool_call
    tool: [read, list]
    when: { some: { secrets: { detector: { glob: "secrets/*" } } } }
    action: ask
    reason: it has a key
`,
    },
  ],
  good: [
    {
      title: "a result, and a call with a text",
      policy: `  - id: sends
    event: tool_call
    each: { n: effects.network }
    sequence:
      after: [{ event: tool_result, tool: read, when: { secrets: { size: { ge: 1 } } } }]
      within: { calls: 50 }
    action: block
    reason: a key was read
  - id: writes
    event: tool_call
    tool: [write, read]
    when: { secrets: { size: { ge: 1 } } }
    action: ask
    reason: it has a key
`,
    },
  ],
  ofItems: true,
  rule({ typed, draft, isEarlier }) {
    if (!typed || !ofPathsAlone(typed.events, typed.tools)) return [];
    const redacts = isEarlier ? [] : draft.actions.filter(({ name }) => name === "redact");
    return [...(typed.when ? secretsIn(typed.when) : []), ...redacts.map(({ span }) => ({ span, ...inResult }))];
  },
};

const inResult = {
  message: "a call of these tools has a path, and what it returns is in its result",
  help: "write `event: tool_result`",
};

/** Tools whose calls have a path, and at most a number beside it. */
const pathTools: ReadonlySet<string> = new Set(["read", "list"]);

function ofPathsAlone(events: readonly string[], tools: readonly string[]): boolean {
  const isCall = events.length > 0 && events.every((event) => event === "tool_call");
  return isCall && tools.length > 0 && tools.every((tool) => pathTools.has(tool));
}

function secretsIn(when: Ir): Finding[] {
  const root = nodesIn(when).find((node) => node.k === "root" && node.name === "secrets");
  if (!root?.at) return [];
  return [
    {
      span: { start: root.at[0], end: root.at[1] },
      ...inResult,
    },
  ];
}
