import { child, text } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";

/** Lint: the owner or reason of an exception is empty or a placeholder. */
export const ownerlessException: Lint = {
  code: "HW627",
  name: "ownerless-exception",
  why: "Somebody answers for an exception, and decides whether it is renewed. A filler answers for nothing.",
  advice: "Write a team or a person as owner, and why the rule does not fit as reason.",
  bad: [
    {
      title: "a filler for an owner, an empty reason",
      at: ["someone", '""'],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { glob: "/tmp/**" } }
    owner: someone
    reason: ""
    expires: 2090-01-31
`,
    },
  ],
  good: [
    {
      title: "a team and a reason",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { glob: "/tmp/**" } }
    owner: platform
    reason: scratch space
    expires: 2090-01-31
`,
    },
  ],
  policy({ exceptions }) {
    return exceptions.flatMap(({ node }) =>
      ["owner", "reason"].flatMap((key): Finding[] => {
        const value = child(node, key);
        const written = text(value);
        if (!value || written === undefined || !isFiller(written)) return [];
        const what = key === "owner" ? "nobody answers for this exception" : "this exception has no reason";
        const help = key === "owner" ? "write a team or a person" : "write why the rule does not fit here";
        return [{ span: value.span, message: what, help }];
      }),
    );
  },
};

function isFiller(written: string): boolean {
  const plain = written.trim().toLowerCase();
  return (
    !/[\p{L}\p{N}]/u.test(plain) ||
    ["todo", "tbd", "fixme", "xxx", "none", "nobody", "someone", "unknown", "n/a", "me"].includes(plain)
  );
}
