import { environmentOf } from "../../../rules/environment.ts";
import { canonicalEvent, eventNames } from "../../../schema/events.ts";
import { child, entry, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

const hasTool: ReadonlySet<string> = new Set(
  eventNames.filter((event) => environmentOf([event], []).variables.has("tool")),
);

/** Lint: a rule has a tool matcher for an event without a tool. */
export const eventWithoutTool: Lint = {
  code: "HW665",
  name: "event-without-tool",
  why: "A rule with a tool matcher is for events of tools. On any other event it never fires.",
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
  rule({ node }) {
    const matcher = strings((entry(node, "tool") ?? entry(node, "matcher"))?.value);
    if (matcher.length === 0) return [];
    return strings(child(node, "event")).flatMap(({ value, node: { span } }) => {
      const event = canonicalEvent(value);
      if (!event || hasTool.has(event)) return [];
      const message = `\`${event}\` has no tool, so this rule never fires on it`;
      return [{ span, message, help: "take the event out, or write a rule without `tool` for it" }];
    });
  },
};
