import { toValue } from "../../yaml-node.ts";
import type { Finding, Lint, LintContext } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Note: an import gives a list parameter a value that has nothing of its default. */
export const replacedDefault: Lint = {
  code: "HW699",
  name: "replaced-default",
  why: "The value of a parameter takes the place of its default. Whoever protects `staging` by it protects `main` no more.",
  advice: "Write the items of the default beside your own, or ignore the note where yours alone are meant.",
  bad: [
    {
      title: "a branch in place of the usual ones",
      at: ["[staging]"],
      policy: `imports:
  - { file: ./base.yaml, with: { branches: [staging] } }
rules: []
`,
      others: {
        "base.yaml": `version: 1
policy: base
parameters:
  branches: { type: list(string), default: [main, master, trunk, develop, production] }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { in: $branches } }
    action: ask
    reason: others build on it
`,
      },
    },
  ],
  good: [
    {
      title: "the default beside an own value, a part of it, an empty list, and a default without an item",
      policy: `imports:
  - file: ./base.yaml
    with: { branches: [main, master, staging], remotes: [origin], users: [], more: [staging], limit: 4 }
rules: []
`,
      others: {
        "base.yaml": `version: 1
policy: base
parameters:
  branches: { type: list(string), default: [main, master] }
  remotes: { type: list(string), default: [origin, upstream] }
  users: { type: list(string), default: [bot] }
  more: { type: list(string), default: [] }
  limit: { type: int, default: 3 }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when:
      any:
        - { p.target.branch: { in: $branches } }
        - { p.remote: { in: $remotes } }
        - { environment.user: { in: $users } }
        - { p.target.branch: { in: $more } }
        - size(effects.pushes) > parameters.limit
    action: ask
    reason: others build on it
`,
      },
    },
  ],
  policy(policy, context) {
    return policy.draft.imports.flatMap((reference) => {
      const imported = importedBy(reference, context);
      return imported ? reference.with.flatMap((given) => replaced(given, imported) ?? []) : [];
    });
  },
};

type Import = LintedPolicy["draft"]["imports"][number];

function importedBy({ pack, file }: Import, { policies }: LintContext): LintedPolicy | undefined {
  const name = file?.replace(/^.*[\\/]/, "");
  return policies.find(({ draft, source }) =>
    pack === undefined ? name !== undefined && source.name.replace(/^.*[\\/]/, "") === name : draft.id === pack,
  );
}

/** Most items of a default that a message names. */
const mostNamed = 4;

function replaced({ name, node }: Import["with"][number], { draft }: LintedPolicy): Finding | undefined {
  const usual = draft.parameters.get(name)?.value;
  const value = toValue(node);
  if (!Array.isArray(usual) || !Array.isArray(value) || usual.length === 0 || value.length === 0) return undefined;
  if (usual.some((item) => value.includes(item))) return undefined;
  const named = usual.slice(0, mostNamed).map((item) => `\`${item}\``);
  const more = usual.length > mostNamed ? ", …" : "";
  const all = [...usual.slice(0, mostNamed), ...(more ? ["…"] : []), ...value].join(", ");
  return {
    span: node.span,
    message: `this takes the place of the default of \`${name}\`: ${named.join(", ")}${more}`,
    help: `if they count as well, write them beside yours: \`[${all.length <= 100 ? all : "…"}]\``,
  };
}
