import { child, type YamlEntry, type YamlNode } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";

/** Note: `not` around several tests holds where one of them fails, and many authors mean all of them. */
export const notBoth: Lint = {
  code: "HW804",
  name: "not-both",
  why: "Tests beside each other must all hold, and `not` around them holds as soon as one of them fails. What is neither read by name alone nor in the project is `not: { any: […] }`.",
  advice:
    "Write `not: { any: […] }` where none of the tests may hold, or ignore the note where one that fails is enough.",
  bad: [
    {
      title: "neither, written as not both",
      at: ["not", "not"],
      policy: `  - id: reads
    event: tool_call
    each: { r: effects.reads }
    when: { not: { r.metadata_only: true, r.path: { is: [workspace, temp] } } }
    action: ask
    reason: the file is outside of the project
  - id: writes
    event: tool_call
    each: { w: effects.writes }
    when:
      all:
        - not: { w.path.ext: md, w.path: { within: docs } }
        - { w.path: { is: workspace } }
    action: ask
    reason: it is no document
`,
    },
  ],
  good: [
    {
      title: "neither of two, one test, and a waiver",
      policy: `  - id: reads
    event: tool_call
    each: { r: effects.reads }
    when: { not: { any: [{ r.metadata_only: true }, { r.path: { is: [workspace, temp] } }] } }
    action: ask
    reason: the file is outside of the project
  - id: writes
    event: tool_call
    each: { w: effects.writes }
    when: { not: { w.path: { within: docs } }, w.path.ext: md }
    unless: { not: { w.path: { is: workspace }, w.recursive: true } }
    action: ask
    reason: it is no document
  - id: sizes
    event: tool_call
    each: { c: shell.commands }
    when: { c.cwd: { not: { starts_with: /tmp, ends_with: scratch } } }
    action: ask
    reason: it runs outside of the scratch folder
`,
    },
  ],
  rule: ({ node, guards }) => (guards ? notsIn(child(node, "when")) : []),
};

function notsIn(condition: YamlNode | undefined): Finding[] {
  const found: Finding[] = [];
  const open = condition ? [condition] : [];
  for (const node of open) {
    if (node.kind === "list") open.push(...node.items);
    if (node.kind !== "map") continue;
    for (const { value } of node.entries) open.push(value);
    found.push(...node.entries.filter(isNotBoth).map(said));
  }
  return found;
}

/** True for `not` around tests of several fields. Operators of one field, such as the ends of a range, belong together. */
function isNotBoth({ key, value }: YamlEntry): boolean {
  if (key !== "not" || value.kind !== "map" || value.entries.length < 2) return false;
  return value.entries.every(({ key: name }) => /^[a-z]\w*(?:\.\w+)+$/.test(name));
}

function said({ keySpan, value }: YamlEntry): Finding {
  const names = value.kind === "map" ? value.entries.map(({ key }) => `\`${key}\``) : [];
  return {
    span: keySpan,
    message: `this holds as soon as one of ${names.slice(0, 4).join(", ")} fails its test`,
    help: "write `not: { any: [{ … }, { … }] }`, if none of them may hold",
  };
}
