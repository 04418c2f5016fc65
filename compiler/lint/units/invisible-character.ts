import type { Lint } from "../lint.ts";
import { oddPlaces } from "../odd-text.ts";

/** Characters that show nothing, tag characters and terminal sequences among them. */
export const invisibleCharacter: Lint = {
  code: "HW630",
  name: "invisible-character",
  why: "A character that shows nothing makes two values differ that look alike: a list entry that never matches, an id that is another. Tag characters can even carry a hidden text.",
  advice: "Take it out. If it must be matched, write it as an escape in double quotes.",
  bad: [
    {
      title: "a zero width space in a host",
      at: ["\u200b"],
      policy: `  - id: hosts
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: [exam\u200bple.com] } }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "an escape",
      policy: `  - id: prompts
    event: before_agent_start
    when: { prompt: { contains: "\\u200B" } }
    action: { inject: { content: The prompt holds an invisible character. } }
`,
    },
  ],
  policy({ source }) {
    return oddPlaces(source.text, ["invisible", "tag", "control", "ansi"]).map(({ span, code, name }) => ({
      span,
      message: `\`${code}\` (${name}) shows nothing`,
      help: "take it out, or write it as an escape in double quotes",
    }));
  },
};
