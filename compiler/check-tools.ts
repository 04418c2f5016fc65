import type { Code } from "../diagnostics/codes.ts";
import type { Span } from "../diagnostics/source.ts";
import { firstTold, shown } from "../diagnostics/suggest.ts";
import type { PlacedText } from "../rules/environment.ts";
import { toolTable } from "../rules/name-tables.ts";
import { printExpression } from "../rules/print.ts";
import { isToolPattern, toolsListed } from "../rules/tool-spellings.ts";
import { globFault, isToolGlob, namesInBraces, toolMatcher } from "../schema/tool-matcher.ts";
import { canonicalTool, toolAliases } from "../schema/tools.ts";
import { nameHelp } from "./check/closed.ts";
import type { RuleDraft } from "./policy-draft.ts";

/** Finding about a wrong tool matcher. */
interface Fault {
  readonly code: Code;
  readonly message: string;
  /** Computed late, since only a few faults of a long list are reported. */
  help(): string;
}

/**
 * Returns the fault of a tool matcher, if any: a name that no host has and no policy declares, a glob that matches no
 * tool, or a malformed glob. Tools of servers are open: any `mcp__server__tool` is one.
 */
export function toolFault(text: string, declared: ReadonlySet<string>): Fault | undefined {
  if (text === "") return undefined;
  const fault = /[*?[\]{}]/.test(text) ? globFault(text) : undefined;
  if (fault !== undefined)
    return {
      code: "HW308",
      message: `malformed glob: ${fault}`,
      help: () => "close it, or write a backslash before it",
    };
  if (isToolGlob(text) && namesInBraces(text) === undefined) return globMeets(text, declared);
  for (const name of toolsListed(text) ?? namesInBraces(text) ?? [text]) {
    const canonical = canonicalTool(name);
    if (toolTable.has(canonical) || declared.has(canonical)) continue;
    return {
      code: "HW412",
      message: `no host has a tool \`${shown(name)}\``,
      help: () => referenceHelp(name) ?? nameHelp({ environment: { tools: declared } }, toolTable, name),
    };
  }
  return undefined;
}

/** Help for a list or parameter in the place of a name, which a matcher does not read. */
function referenceHelp(text: string): string | undefined {
  return /^\$[a-z][a-z0-9_]*$/.test(text)
    ? `names stand here themselves; a list of names is tested by \`when: { tool.name: ${text} }\``
    : undefined;
}

function globMeets(glob: string, declared: ReadonlySet<string>): Fault | undefined {
  const meets = toolMatcher([glob]);
  const start = /^[^*?[{\\]*/.exec(glob)?.[0] ?? "";
  if (toolTable.names.some(meets) || [...declared].some(meets)) return undefined;
  const foreign = /[|]|^mcp_(?!_)/i.test(glob) || isToolPattern(glob);
  if (!foreign && toolTable.mayBegin?.(start) === true) return undefined;
  const other = toolAliases.find(meets);
  const help = (): string =>
    other === undefined || foreign
      ? (toolTable.instead?.(glob) ??
        "`mcp__server__*` is every tool of a server; a tool of your own is declared under `tools`")
      : `names are canonical: write \`${canonicalTool(other)}\``;
  return { code: "HW412", message: `no tool is like \`${shown(glob)}\``, help };
}

/** Reports every tool matcher of a rule that is wrong, at its place. */
export function checkTools(
  matchers: readonly PlacedText[],
  declared: ReadonlySet<string>,
  report: (code: Code, span: Span, message: string, help: string) => void,
): void {
  const wrong = matchers.flatMap(({ text, span }) => {
    const fault = toolFault(text, declared);
    return fault ? [{ ...fault, span }] : [];
  });
  for (const { one, more } of firstTold(wrong)) report(one.code, one.span, `${one.message}${more}`, one.help());
}

/** Reports each rule that blocks the agent's shell, but not commands that the human types, unless a rule beside it does. */
export function reportUserBash(
  rules: readonly RuleDraft[],
  report: (code: Code, span: Span, message: string, help: string) => void,
): void {
  const blocking = rules.filter(({ actions }) => actions.some(({ name }) => name === "block"));
  const agentsAlone = blocking.filter(
    ({ events, tools }) => events.includes("tool_call") && !events.includes("user_bash") && tools.includes("bash"),
  );
  if (agentsAlone.length === 0) return;
  const ofHumans = new Set(blocking.filter(({ events }) => events.includes("user_bash")).map(conditionText));
  for (const rule of agentsAlone) {
    if (ofHumans.has(conditionText(rule))) continue;
    report(
      "HW601",
      rule.span,
      `rule \`${rule.id}\` blocks bash but not the human's own commands`,
      "add `user_bash` to `event` (`effects` and `shell` are in both; a test of `args.command` needs a rule of its own for `user_bash`, with `command`); for the agent alone, write `# hookwarden-ignore HW601: …` with a reason on the line above",
    );
  }
}

/** Returns the conditions of a rule with the command under one name for both events. */
function conditionText({ each, when, unless }: RuleDraft): string {
  const parts = [each?.list, when, unless].map((part) => (part ? printExpression(part) : ""));
  return parts.join("\n").replaceAll("args.command", "command");
}
