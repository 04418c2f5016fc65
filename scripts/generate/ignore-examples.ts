import type { Code } from "../../diagnostics/codes.ts";

const rule = (comment: string): string => `version: 1
policy: p
rules:
  ${comment}
  - id: r
    event: tool_call
    tool: bash
    action: block
    reason: nothing runs here
`;

const complete = "# hookwarden-ignore HW601: what people type themselves is none of this policy's business";

/** Examples of comments, which only `check` reads. */
export const ignoreExamples: Partial<Record<Code, { readonly bad: string; readonly good: string }>> = {
  HW609: { bad: rule("# hookwarden-ignore HW601"), good: rule(complete) },
  HW610: {
    bad: rule(complete).replace("event: tool_call", "event: [tool_call, user_bash]"),
    good: rule(complete),
  },
};
