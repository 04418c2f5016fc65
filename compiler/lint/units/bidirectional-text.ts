import type { Lint } from "../lint.ts";
import { oddPlaces } from "../odd-text.ts";

/** Controls that change the direction in which text is shown, comments among it. */
export const bidirectionalText: Lint = {
  code: "HW629",
  name: "bidirectional-text",
  why: "Such a control makes a reviewer read another policy than the one that is loaded: what stands behind it is shown before it.",
  advice: "Take it out. If the text needs it, write it as an escape in double quotes.",
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
  policy({ source }) {
    return oddPlaces(source.text, ["bidi"]).map(({ span, code, name }) => ({
      span,
      message: `\`${code}\` (${name}) changes the order in which this line is shown`,
      help: "take it out, or write it as an escape in double quotes",
    }));
  },
};
