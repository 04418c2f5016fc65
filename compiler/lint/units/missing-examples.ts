import { earlierEventsHelp } from "../../earlier-events.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule blocks or asks but has no example of it. */
export const missingExamples: Lint = {
  code: "HW632",
  name: "missing-examples",
  why: "A rule that never fires looks like one that has nothing to stop. Examples are judged on every check, and in other spellings by `check --thorough`.",
  advice: "Add `examples:` with a `match`, and a `no_match` for what it must leave alone.",
  bad: [
    {
      title: "a rule without examples",
      at: ["deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
    {
      title: "only what it leaves alone",
      at: ["deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: something is deleted
    examples:
      no_match: [cat notes.txt]
`,
    },
    {
      title: "a budget, which no first call is over",
      at: ["fetches"],
      policy: `  - id: fetches
    event: tool_call
    tool: fetch
    budget: { per: session, limit: 20, within: 1h }
    action: ask
    reason: many pages in an hour
`,
    },
  ],
  good: [
    {
      title: "a budget with the call that is over it",
      policy: `  - id: fetches
    event: tool_call
    tool: fetch
    budget: { per: session, limit: 20, within: 1h }
    action: ask
    reason: many pages in an hour
    examples:
      match: [{ tool: fetch, args: { url: "https://example.com/" }, repeat: 21 }]
      no_match: [{ tool: fetch, args: { url: "https://example.com/" }, repeat: 20 }]
`,
    },
    {
      title: "a rule with examples",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
    examples:
      match: [unlink notes.txt]
      no_match: [cat notes.txt]
`,
    },
  ],
  rule(rule) {
    const { id, span, examples } = rule.draft;
    if (!rule.guards || !rule.typed || examples.match.length > 0) return [];
    const earlier = earlierEventsHelp(rule.draft, rule.policy.source);
    const help = `add \`examples:\` with a \`match\`: a call that it must stop${earlier === undefined ? "" : `; ${earlier}`}`;
    return [{ span, message: `no example shows that rule \`${id}\` ever stops a call`, help }];
  },
};
