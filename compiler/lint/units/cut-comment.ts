import type { Fix } from "../../../diagnostics/diagnostic.ts";
import type { Span } from "../../../diagnostics/source.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy, PlacedScalar } from "../policy.ts";

/** Lint: a comment without a space begins right behind a plain text and reads like its end, as in `reason: see ticket #12`. */
export const cutComment: Lint = {
  code: "HW684",
  name: "cut-comment",
  why: "In YAML a `#` behind a space begins a comment, so that the text ends before it: a reason without its ticket, a pattern without its end. A comment is usually written with a space behind the `#`.",
  advice: "Put the text into quotes, or write a space behind the `#` of a comment.",
  bad: [
    {
      title: "a ticket in a reason",
      at: ["#12"],
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: as decided in ticket #12
`,
      fixed: `version: 1
policy: example
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: "as decided in ticket #12"
`,
    },
    {
      title: "the end of a pattern, and of an entry of a list",
      at: ["#private", "#[a-z]+"],
      policy: `lists:
  channels:
    - general #private
    - random
rules:
  - id: posts
    event: tool_call
    tool: mcp__slack__post
    when:
      any:
        - args.channel: $channels
        - args.text:
            matches: see [A-Z]+ #[a-z]+
    action: ask
    reason: it leaves the team
`,
    },
  ],
  good: [
    {
      title: "comments, a text in quotes, and a sign inside of a word",
      policy: `  - id: pushes # forced ones
    event: tool_call #agents alone
    each: { p: effects.pushes } #all
    when: { p.forced: true }
    action: ask #or block
    reason: "as decided in ticket #12" #internal
    guidance: see C#12 # and ask
`,
    },
  ],
  policy(policy) {
    return policy.scalars.flatMap((scalar) => {
      const cut = cutBehind(scalar, policy);
      if (!cut) return [];
      const { comment, isProse } = cut;
      const shown = policy.textAt(comment).slice(0, 40);
      const fix = isProse ? quoted(scalar, comment, policy) : undefined;
      return [
        {
          span: comment,
          message: `the text before it ends at the space: \`${shown}\` is a comment for YAML`,
          help: "put the whole text into quotes, or write a space behind the `#` of a comment",
          ...(fix && { fix }),
        },
      ];
    });
  },
};

/** Keys of texts that people write, where a ticket or channel may stand. */
const prose: ReadonlySet<string> = new Set(
  "reason guidance title description message prompt content false_positives status_message marker replacement".split(
    " ",
  ),
);

/** Keys of texts that are compared, and of declared values. */
const compared: ReadonlySet<string> = new Set(
  "equals not_equals in not_in contains contains_any contains_all starts_with ends_with glob matches regex default".split(
    " ",
  ),
);

/** Returns the comment behind a plain text that may be its end, and whether the text is for people. */
function cutBehind(
  { node, path }: PlacedScalar,
  { source: { text } }: LintedPolicy,
): { readonly comment: Span; readonly isProse: boolean } | undefined {
  const { end } = node.span;
  if (node.style !== "plain" || text[end] !== " ") return undefined;
  const found = /^[ \t]+(#[^\s#!][^\n\r]{0,500})/.exec(text.slice(end, end + 520));
  const cut = found?.[1]?.trimEnd();
  if (!found || cut === undefined || /^#hookwarden-ignore/.test(cut)) return undefined;
  const key = path.at(-1) ?? "";
  const isProse = prose.has(key);
  const inList = path[0] === "lists" || path[0] === "parameters";
  if (!isProse && !compared.has(key) && !inList && !(path.includes("when") || path.includes("unless")))
    return undefined;
  const start = end + found[0].indexOf("#");
  return { comment: { start, end: start + cut.length }, isProse };
}

/** Makes the fix for a ticket's number in a text for people. Any other comment may be one. */
function quoted({ node, path }: PlacedScalar, comment: Span, policy: LintedPolicy): Fix | undefined {
  const whole = policy.textAt({ start: node.span.start, end: comment.end });
  const isText = path[0] === "rules" && typeof node.value === "string";
  if (!isText || !/^#\d+[.!)]?$/.test(policy.textAt(comment)) || /["\\\n]/.test(whole)) return undefined;
  return {
    title: "put the text into quotes",
    meaning: "stricter",
    edits: [{ span: { start: node.span.start, end: comment.end }, text: `"${whole}"` }],
  };
}
