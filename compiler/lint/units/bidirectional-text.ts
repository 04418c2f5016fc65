import type { Lint } from "../lint.ts";
import { oddPlaces, withoutOdd } from "../odd-text.ts";

/** Lint: control characters change the direction in which a policy's text is shown, also in comments. */
export const bidirectionalText: Lint = {
  code: "HW629",
  name: "bidirectional-text",
  why: "Such a control makes a reviewer read another policy than the one that is loaded: what stands behind it is shown before it.",
  advice:
    "Take it out. If the text needs it, write it as an escape in double quotes. `--fix` takes it out of comments, and of the words of titles, descriptions, reasons and guidance; in any other value that would be another rule, and whether the control is meant is for the author to say.",
  bad: [
    {
      title: "a comment that hides its end",
      at: ["\u202e"],
      policy: `  - id: deletes # only \u202e a test
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
      fixed: `  - id: deletes # only  a test
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  good: [
    {
      title: "text that is written from right to left",
      policy: `  - id: deletes # \u05de\u05d7\u05d9\u05e7\u05d4
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  policy(policy) {
    return oddPlaces(policy.source.text, ["bidi"]).map((place) => {
      const { span, code, name } = place;
      const fix = withoutOdd(policy, place);
      return {
        span,
        message: `\`${code}\` (${name}) changes the order in which this line is shown`,
        help: "take it out, or write it as an escape in double quotes",
        ...(fix && { fix }),
      };
    });
  },
};
