import type { Ir, Template } from "../../../engine/plan.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Lint: `modify` writes more around an argument, and the rule applies to what it has written. */
export const wrapsItself: Lint = {
  code: "HW823",
  name: "wraps-itself",
  why: "A changed call is judged again, and changed again where the rule still applies. A text that grows each time never comes to rest, and the call is refused.",
  advice: "Let the rule leave out what it has changed already.",
  bad: [
    {
      title: "a program before every command",
      at: ['"timeout 60 {args.command}"'],
      policy: `  - id: limit
    event: tool_call
    tool: bash
    action: { modify: { set: { command: "timeout 60 {args.command}" } } }
`,
    },
  ],
  good: [
    {
      title: "what is not changed yet, a text by itself, and another argument",
      policy: `  - id: limit
    event: tool_call
    tool: bash
    when: { args.command: { not: { starts_with: "timeout 60 " } } }
    action: { modify: { set: { command: "timeout 60 {args.command}" } } }
  - id: title
    event: tool_call
    tool: mcp__board__add
    action: { modify: { set: { title: "from {agent.id}", note: "was {args.title}" } } }
`,
    },
  ],
  rule: (rule) =>
    (rule.typed?.actions ?? []).flatMap((action) => (action.action === "modify" ? wrapped(action, rule) : [])),
};

function wrapped(
  { templates }: { readonly templates?: Readonly<Record<string, Template>> },
  rule: LintedRule,
): Finding[] {
  return Object.entries(templates ?? {}).flatMap(([name, template]): Finding[] => {
    const argument = `args.${name.replace(/^set\./, "")}`;
    const own = template.find((part) => typeof part !== "string" && writtenPath(part.expr) === argument);
    if (own === undefined || typeof own === "string" || template.length < 2 || isTested(argument, template, rule))
      return [];
    const place = placeOf(own.expr, rule);
    if (!place) return [];
    const help = `leave out what is changed already, as in \`when: { ${argument}: { not: { starts_with: … } } }\``;
    return [{ span: place, message: "the changed call is judged again, and this makes it longer each time", help }];
  });
}

/** Returns the place of the whole text in which an expression stands. */
function placeOf({ at }: Ir, { policy, node }: LintedRule): Finding["span"] | undefined {
  const scalars = at ? policy.scalarsIn(node.span) : [];
  return scalars.find(({ node: { span } }) => at && span.start <= at[0] && at[1] <= span.end)?.node.span;
}

/** Tells whether a test of the rule may leave out a call that is changed already. A text that the change does not have leaves out none. */
function isTested(argument: string, template: Template, { claims }: LintedRule): boolean {
  return claims.some((claim) => {
    const { path, list } = claim;
    if (path.startsWith("shell") || list === "shell.commands") return true;
    return path.startsWith(argument) && fitsChange(claim, template) !== false;
  });
}

/** Tells whether a test of one end of the text knows the changed one; undefined for any other test. */
function fitsChange(claim: Claim, template: Template): boolean | undefined {
  const part =
    claim.operator === "starts_with" ? template[0] : claim.operator === "ends_with" ? template.at(-1) : undefined;
  if (part === undefined) return undefined;
  if (typeof part !== "string") return false;
  return textValues(claim).some(({ text }) =>
    claim.operator === "starts_with" ? part.startsWith(text) : part.endsWith(text),
  );
}
