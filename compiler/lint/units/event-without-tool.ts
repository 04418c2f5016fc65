import { environmentOf } from "../../../rules/environment.ts";
import { canonicalEvent, eventNames } from "../../../schema/events.ts";
import { toolMatcher } from "../../../schema/tool-matcher.ts";
import { child, entry, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

const hasTool: ReadonlySet<string> = new Set(
  eventNames.filter((event) => environmentOf([event], []).variables.has("tool")),
);

/** Events whose only tool has a fixed name. */
const onlyTool: Readonly<Record<string, string>> = { user_bash: "bash", user_python: "eval" };

/** Lint: a rule has a tool matcher for an event without a tool, or without any of these. */
export const eventWithoutTool: Lint = {
  code: "HW665",
  name: "event-without-tool",
  why: "A rule with a tool matcher is for events of tools. On any other event it never fires. A human types calls of `bash` (`user_bash`) or `eval` (`user_python`), never of another tool.",
  advice: "Take the event out, or write a rule of its own without `tool`.",
  bad: [
    {
      title: "what the user types is no tool",
      at: ["input"],
      policy: `  - id: secrets
    event: [tool_call, input]
    tool: fetch
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "what a human types is a call of `bash`",
      at: ["user_bash"],
      policy: `  - id: sources
    event: [tool_call, user_bash]
    tool: [write, edit]
    when: { environment.branch: { not_equals: main } }
    action: ask
    reason: sources change
`,
    },
  ],
  good: [
    {
      title: "events with tools",
      policy: `  - id: commands
    event: [tool_call, user_bash]
    tool: bash
    action: ask
    reason: a command runs
`,
    },
  ],
  rule({ node, draft }) {
    const matcher = strings((entry(node, "tool") ?? entry(node, "matcher"))?.value);
    if (matcher.length === 0) return [];
    const takes = toolMatcher(draft.tools);
    return strings(child(node, "event")).flatMap(({ value, node: { span } }) => {
      const event = canonicalEvent(value);
      const only = event && onlyTool[event];
      if (!event || (hasTool.has(event) && (only === undefined || takes(only)))) return [];
      const has = only === undefined ? "has no tool" : `is a call of \`${only}\``;
      const message = `\`${event}\` ${has}, so this rule never fires on it`;
      return [{ span, message, help: "take the event out, or write a rule without `tool` for it" }];
    });
  },
};
