import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { entry, text, type YamlEntry, type YamlMap } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a description repeats the title. */
export const repeatedTitle: Lint = {
  code: "HW648",
  name: "repeated-title",
  why: "A description that repeats the title makes people read a line that tells them nothing, in the policy and on its page.",
  advice: "Say why the rule is there, or leave the description out.",
  bad: [
    {
      title: "of a policy and of a rule",
      at: ["Deletes beneath home.", '"stops every push"'],
      policy: `version: 1
policy: example
title: Deletes beneath home
description: Deletes beneath home.
rules:
  - id: pushes
    title: Stops every push
    description: "stops every push"
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
      fixed: `version: 1
policy: example
title: Deletes beneath home
rules:
  - id: pushes
    title: Stops every push
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "descriptions that say more",
      policy: `version: 1
policy: example
title: Deletes beneath home
description: Deletes beneath home, where nobody keeps a copy.
rules:
  - id: pushes
    title: Stops every push
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  policy(policy) {
    return repeated(policy.root, policy);
  },
  rule({ node, policy }) {
    return repeated(node, policy);
  },
};

function repeated(node: YamlMap, policy: LintedPolicy): Finding[] {
  const [title, description] = [entry(node, "title"), entry(node, "description")];
  if (!title || !description) return [];
  const said = plain(text(description.value));
  if (said === "" || said !== plain(text(title.value))) return [];
  const fix = lineRemoval(description, policy);
  return [
    {
      span: description.value.span,
      message: "the description says what the title says",
      help: "say why it is there, or leave the description out",
      ...(fix && { fix }),
    },
  ];
}

const plain = (words: string | undefined): string =>
  (words ?? "")
    .toLowerCase()
    .replace(/[.!\s]+/g, " ")
    .trim();

/** Makes the fix that removes an entry, if the entry is alone on its line. */
function lineRemoval({ keySpan, value }: YamlEntry, policy: LintedPolicy): Fix | undefined {
  const whole = policy.source.text;
  const start = whole.lastIndexOf("\n", keySpan.start - 1) + 1;
  const next = whole.indexOf("\n", value.span.end);
  const own = whole.slice(start, next);
  const around = whole.slice(start, keySpan.start) + (next < 0 ? "?" : whole.slice(value.span.end, next));
  if (own.includes("\n") || around.trim() !== "") return undefined;
  return { title: "leave the description out", meaning: "same", edits: [{ span: { start, end: next + 1 }, text: "" }] };
}
