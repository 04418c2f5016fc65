import type { Lint } from "../lint.ts";

const membership: ReadonlySet<string> = new Set(["in", "contains_any", "host_in", "glob", "within", "cidr", "is"]);

/** Lint: a test asks for one entry of an empty list. Parameters are left out, because the importer of the policy fills them. */
export const emptyList: Lint = {
  code: "HW611",
  name: "empty-list",
  why: "No value is one of an empty list, so the test never holds: the rule never fires, or the way out of it never opens.",
  advice: "Put the entries in, or take the test out.",
  bad: [
    {
      title: "a test against an empty list",
      at: ["[]"],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: { host_in: [] } }
    action: ask
    reason: the host is not known
`,
    },
    {
      title: "a list that nobody filled",
      at: ["$partners"],
      policy: `lists:
  partners: []
rules:
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: $partners } }
    action: ask
    reason: the host is not known
`,
    },
  ],
  good: [
    {
      title: "a parameter that an importer fills",
      policy: `parameters:
  partners: { type: list(string), default: [] }
rules:
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: $partners } }
    action: ask
    reason: the host is not known
`,
    },
  ],
  claim({ operator, values, isWritten, operandSpan, path }, { policy }) {
    if (!membership.has(operator) || values?.length !== 0) return undefined;
    const name = /([a-z_0-9]+)["']?$/.exec(policy.textAt(operandSpan))?.[1] ?? "";
    if (!isWritten && !policy.draft.lists.has(name)) return undefined;
    return {
      span: operandSpan,
      message: `\`${path}\` is tested against an empty list, which never holds`,
      help: "put the entries in, or take the test out",
    };
  },
};
