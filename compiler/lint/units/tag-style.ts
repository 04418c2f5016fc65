import { child, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a tag of a known catalogue has the wrong case, or a number that the catalogue does not have. */
export const tagStyle: Lint = {
  code: "HW660",
  name: "tag-style",
  why: "Reports group rules by tags, letter by letter: `attack.T1485` and `attack.t1485` are two tags, and a technique that does not exist is in nobody's matrix.",
  advice:
    "Write tags of these catalogues in lower case, as `attack.t1485` or `attack.t1552.001`, `owasp.asi02`, `owasp.llm01`, or `catalogue.name` of your own.",
  bad: [
    {
      title: "capitals, a number too short and one too high",
      at: ["attack.T1485", "attack.t148", "owasp.asi11"],
      policy: `  - id: deletes
    tags: [attack.T1485, attack.t148, owasp.asi11]
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  good: [
    {
      title: "tags of the catalogues and of one's own",
      policy: `  - id: deletes
    tags: [attack.t1485, attack.t1552.001, attack.impact, owasp.asi02, owasp.llm01, CWE-78, "data loss"]
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  rule({ node }) {
    return strings(child(node, "tags")).flatMap(({ value, node: { span } }) => {
      const why = wrong(value);
      return why === undefined ? [] : [{ span, message: `tag \`${value}\` ${why[0]}`, help: why[1] }];
    });
  },
};

function wrong(tag: string): readonly [string, string] | undefined {
  const written = tag.toLowerCase();
  if (written !== tag && /^(?:attack|owasp)\./.test(written))
    return ["has capitals, which reports tell apart", `write \`${written}\``];
  if (
    /^attack\.(?:t|ta|s|g|m)\d+(?:\.\d+)?$/.test(tag) &&
    !/^attack\.(?:t\d{4}(?:\.\d{3})?|(?:ta|s|g|m)\d{4})$/.test(tag)
  )
    return ["is no technique of ATT&CK", "write it as `attack.t1485` or `attack.t1552.001`"];
  if (/^owasp\.(?:asi|llm)\d+$/.test(tag) && !/^owasp\.(?:asi|llm)(?:0[1-9]|10)$/.test(tag))
    return ["is none of the ten of its list", "write it as `owasp.asi02` or `owasp.llm01`"];
  return undefined;
}
