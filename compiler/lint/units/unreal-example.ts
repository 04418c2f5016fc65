import { suggest } from "../../../diagnostics/suggest.ts";
import { toolTable } from "../../../rules/name-tables.ts";
import { argumentOf, canonicalTool, toolAliases, toolArguments } from "../../../schema/tools.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** Lint: an example has a tool or argument with a misspelt name, so no host makes such a call and a `no_match` proves nothing. */
export const unrealExample: Lint = {
  code: "HW680",
  name: "unreal-example",
  why: "A slip in the name of a tool or an argument makes a call that nothing applies to. A `no_match` of such a call holds whatever the rule does.",
  advice: "Correct the name.",
  bad: [
    {
      title: "a tool and an argument",
      at: ["{ tool: bahs", "{ tool: bash, args: { comand"],
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: history may be overwritten
    examples:
      match: ["git push --force origin main"]
      no_match:
        - { tool: bahs, args: { command: "git push origin main" } }
        - { tool: bash, args: { comand: "git push origin main" } }
`,
    },
  ],
  good: [
    {
      title: "names of hosts, tools that nobody knows, and arguments beside those of the table",
      policy: `version: 1
policy: example
tools: [basht]
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: history may be overwritten
    examples:
      match: ["git push --force origin main"]
      no_match:
        - { tool: Bash, args: { cmd: "git push origin main", reason: tidy } }
        - { tool: basht, args: {} }
        - { tool: deploy_site, args: { comand: x } }
        - { tool: mcp__shell__bahs, args: { comand: x } }
`,
    },
  ],
  rule(rule) {
    const { match, no_match } = rule.draft.examples;
    return [...match, ...no_match].flatMap(({ value, span }) => {
      const events = Array.isArray(value) ? (value as readonly unknown[]).slice(0, 64) : [value];
      const found = events.map((event) => slipIn(event, rule)).find((one) => one !== undefined);
      return found ? [{ span, ...found }] : [];
    });
  },
};

type Said = Pick<Finding, "message" | "help">;

function slipIn(event: unknown, { policy, draft }: LintedRule): Said | undefined {
  if (typeof event !== "object" || event === null) return undefined;
  const { tool, args } = event as { readonly tool?: unknown; readonly args?: unknown };
  if (typeof tool !== "string" || tool.length > 64 || tool.includes("__") || policy.draft.tools.has(tool))
    return undefined;
  const name = canonicalTool(tool);
  const shape = toolArguments(name);
  if (shape) return typeof args === "object" && args !== null ? argumentSlip(shape, args) : undefined;
  if (toolTable.has(name) || draft.tools.includes(name)) return undefined;
  const near = suggest(tool, [...toolTable.names, ...toolAliases]);
  if (near === undefined || Math.abs(near.length - tool.length) > 1 || tool.length < 3) return undefined;
  return {
    message: `no host has a tool \`${tool}\`, so that this call never comes`,
    help: `did you mean \`${near}\`?`,
  };
}

/** Finds a required argument that is missing while another has nearly the same name. */
function argumentSlip(shape: NonNullable<ReturnType<typeof toolArguments>>, args: object): Said | undefined {
  const given = Object.keys(args).slice(0, 64);
  const known = new Set(given.map((key) => argumentOf(shape, key)));
  const strange = given.filter((key) => argumentOf(shape, key) === undefined);
  for (const [name, { required, aliases = [] }] of Object.entries(shape)) {
    if (required !== true || known.has(name)) continue;
    for (const key of strange) {
      const near = suggest(key, [name, ...aliases]);
      if (near !== undefined)
        return {
          message: `the call has no \`${name}\`, and \`${key}\` is no argument of the tool`,
          help: `did you mean \`${near}\`?`,
        };
    }
  }
  return undefined;
}
