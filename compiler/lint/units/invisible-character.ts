import type { Lint } from "../lint.ts";
import { oddPlaces, withoutOdd } from "../odd-text.ts";

/** Lint: a policy contains invisible characters, such as tag characters and terminal sequences. */
export const invisibleCharacter: Lint = {
  code: "HW630",
  name: "invisible-character",
  why: "A character that shows nothing makes two values differ that look alike: a list entry that never matches, an id that is another. Tag characters can even carry a hidden text.",
  advice:
    "Take it out. If it must be matched, write it as an escape in double quotes. `--fix` takes it out of comments, and of the words of titles, descriptions, reasons and guidance; in any other value that would be another rule, and whether the character is meant is for the author to say.",
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
    {
      title: "one in a comment and one in a reason",
      at: ["\u200b", "\u2060"],
      policy: `  - id: deletes # what is al\u200blowed
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is de\u2060leted
`,
      fixed: `  - id: deletes # what is allowed
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
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
  policy(policy) {
    return oddPlaces(policy.source.text, ["invisible", "tag", "control", "ansi"]).map((place) => {
      const { span, code, name } = place;
      const fix = withoutOdd(policy, place);
      return {
        span,
        message: `\`${code}\` (${name}) shows nothing`,
        help: "take it out, or write it as an escape in double quotes",
        ...(fix && { fix }),
      };
    });
  },
};
