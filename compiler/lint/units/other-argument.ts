import { toolsListed } from "../../../rules/tool-spellings.ts";
import { isToolGlob, namesInBraces } from "../../../schema/tool-matcher.ts";
import { argumentNames, canonicalTool, canonicalTools, toolArguments } from "../../../schema/tools.ts";
import { type Claim, textValues } from "../claims.ts";
import { conjunctions } from "../conjunctions.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a test of an argument by a host's name of it never holds for the canonical tools of the rule. */
export const otherArgument: Lint = {
  code: "HW693",
  name: "other-argument",
  why: "Hosts name one argument in several ways, and every canonical tool has one name for it: `path`, where a host may send `file_path`. A rule for tools of servers as well may ask for any argument, so that a host's name is no error there, but the canonical tools never have it.",
  advice: "Write the canonical name. A tool of a server that has the other one is tested beside it, under `any:`.",
  bad: [
    {
      title: "the arguments of a call as its protocol has them",
      at: ["args.arguments.amount"],
      policy: `  - id: refunds
    event: tool_call
    tool: mcp__shop__refund
    when: { args.arguments.amount: { gt: 100 } }
    action: ask
    reason: it is much money
`,
    },
    {
      title: "a host's name of an argument, beside the tools of a server and without a tool",
      at: ["args.file_path", "args.cmd"],
      policy: `  - id: owners
    event: tool_call
    tool: [write, edit, "mcp__fs__*"]
    when: { args.file_path: { glob: "**/CODEOWNERS" } }
    action: ask
    reason: it says who must agree
  - id: deploys
    event: tool_call
    when: { args.cmd: { contains: deploy } }
    action: ask
    reason: it goes to production
`,
    },
  ],
  good: [
    {
      title: "the canonical name, a server's beside it, and a rule for servers alone",
      policy: `  - id: owners
    event: tool_call
    tool: [write, edit, "mcp__fs__*"]
    when: { any: [{ args.path: { glob: "**/CODEOWNERS" } }, { args.file_path: { glob: "**/CODEOWNERS" } }] }
    action: ask
    reason: it says who must agree
  - id: deploys
    event: tool_call
    tool: "mcp__ci__*"
    when: { args.cmd: { contains: deploy } }
    action: ask
    reason: it goes to production
`,
    },
  ],
  besideErrors: true,
  ofItems: true,
  rule: (rule) => [...presentBelow(rule), ...ofNoTool(rule), ...deadForSome(rule)],
  claim(claim, { rule }) {
    const raw = rule && ofOneHost(claim, rule);
    if (raw) return raw;
    const [, name, field] = /^args\.(\w{1,60})\b(?:\.(\w{1,60})\b)?/.exec(claim.path) ?? [];
    if (name === undefined || !rule) return undefined;
    if (field !== undefined && envelopes.has(name) && !rule.draft.tools.some((tool) => callsOthers.test(tool)))
      return {
        span: claim.span,
        message: `\`args\` is what a host calls \`${name}\``,
        help: `write \`args.${field}\``,
      };
    // Without a tool the rule may be for servers, which have other arguments: only spellings of hosts tell anything.
    if (rule.draft.tools.length === 0 && !ofHosts.has(name)) return undefined;
    const own = canonicalName(name, canonicalOf(rule));
    if (own === undefined || isNarrowed(rule, own)) return undefined;
    const always = claim.negated ? ", so that the negation always holds for them" : "";
    return {
      span: claim.span,
      message: `no canonical tool of this rule has an argument \`${name}\`${always}`,
      help: `write \`args.${own}\`, which is its name whatever the host sends`,
    };
  },
};

/** Finds an argument below the envelope of a protocol whose presence alone is asked for. */
function presentBelow({ typed, draft, claims }: LintedRule): Finding[] {
  const nodes = typed?.when ? nodesIn(typed.when) : [];
  return nodes.flatMap((node): Finding[] => {
    if (node.k !== "has" || !node.at) return [];
    const path = `${writtenPath(node.of)}.${node.name}`;
    const [, name = "", field] = /^args\.(\w{1,60})\.(\w{1,60})$/.exec(path) ?? [];
    if (field === undefined || !envelopes.has(name) || draft.tools.some((tool) => callsOthers.test(tool))) return [];
    if (claims.some((claim) => claim.path.startsWith(path))) return [];
    const span = { start: node.at[0], end: node.at[1] };
    return [{ span, message: `\`args\` is what a host calls \`${name}\``, help: `write \`args.${field}\`` }];
  });
}

/** Finds an argument that none of the tools has whose names are tested beside it. */
function ofNoTool({ typed, claims }: LintedRule): Finding[] {
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  const groups = typed?.when ? conjunctions(typed.when) : [];
  return groups.flatMap(({ terms, negated }): Finding[] => {
    const tests = negated ? [] : terms.flatMap((term) => byCall.get(term) ?? []);
    const named = tests.find(({ field, operator }) => field === "tool.name" && isWhole(operator));
    const tools = named ? textValues(named).map(({ text }) => canonicalTool(text)) : [];
    if (tools.length === 0 || tools.some((tool) => toolArguments(tool) === undefined)) return [];
    return tests.flatMap(({ path, span }): Finding[] => {
      const name = /^args\.(\w{1,60})\b/.exec(path)?.[1];
      if (
        name === undefined ||
        tools.some((tool) => Object.hasOwn(toolArguments(tool) ?? {}, argumentNames(tool, name)[0] ?? ""))
      )
        return [];
      const own = [...new Set(tools.flatMap((tool) => Object.keys(toolArguments(tool) ?? {})))].slice(0, 8);
      const message = `no call of ${tools.map((tool) => `\`${tool}\``).join(", ")} has an argument \`${name}\``;
      return [
        {
          span,
          message,
          help: `these have ${own.map((one) => `\`${one}\``).join(", ")}; for other tools take the test of \`tool.name\` out`,
        },
      ];
    });
  });
}

/** Finds an argument that the rule needs and that some of its tools do not have. */
function deadForSome({ typed, draft, claims }: LintedRule): Finding[] {
  const tools = [...new Set(draft.tools)];
  if (!typed?.when || tools.length < 2 || tools.some((tool) => toolArguments(tool) === undefined)) return [];
  const needed = new Set(conjunctions(typed.when)[0]?.terms ?? []);
  return claims.flatMap(({ call, path, span }): Finding[] => {
    const name = needed.has(call) ? /^args\.(\w{1,60})\b/.exec(path)?.[1] : undefined;
    const without = name === undefined ? [] : tools.filter((tool) => !Object.hasOwn(toolArguments(tool) ?? {}, name));
    const [one] = without;
    if (one === undefined || without.length === tools.length) return [];
    const own = Object.keys(toolArguments(one) ?? {}).filter((key) => key !== "path");
    const instead = own.length > 0 ? `; of \`${one}\` it may be \`args.${own.join("` or `args.")}\`` : "";
    return [
      {
        span,
        message: `calls of \`${without.join("`, `")}\` have no \`${name}\`, so that the rule says nothing of them`,
        help: `write a test for each tool under \`any\`, or leave the tool out${instead}`,
      },
    ];
  });
}

/** Finds an argument of the host's own under the canonical name, which most hosts do not give it. */
function ofOneHost({ path, span }: Claim, rule: LintedRule): Finding | undefined {
  const name = /^args_raw\.(\w{1,60})\b/.exec(path)?.[1];
  const tools = rule.draft.tools.length > 0 ? canonicalOf(rule) : [];
  if (name === undefined || tools.length === 0) return undefined;
  if (!tools.every((tool) => Object.hasOwn(toolArguments(tool) ?? {}, name))) return undefined;
  return {
    span,
    message: `\`args_raw\` has the names that each host gives, and \`${name}\` is the canonical one`,
    help: `write \`args.${name}\`, which is there under every host`,
  };
}

const ofHosts: ReadonlySet<string> = new Set(
  "file_path filePath filepath absolute_path notebook_path target_file old_string new_string cmd run_in_background".split(
    " ",
  ),
);

/** Tools that call another one have its arguments in one of their own. */
const callsOthers = /(?:exec|call|invoke|dispatch|run|use)(?:$|[_-])|use_mcp_tool/i;

/** Names that hosts and protocols have for all arguments of a call. */
const envelopes: ReadonlySet<string> = new Set(["arguments", "tool_input", "toolInput", "tool_args"]);

/** Lists the canonical tools that a rule names, or all of them where it names no tool. */
function canonicalOf({ draft }: LintedRule): readonly string[] {
  if (draft.tools.length === 0) return canonicalTools;
  const named = draft.tools.filter((text) => !isToolGlob(text) || namesInBraces(text) !== undefined);
  const names = named.flatMap((text) => toolsListed(text) ?? namesInBraces(text) ?? [text]);
  return names.map(canonicalTool).filter((tool) => toolArguments(tool) !== undefined);
}

/** Returns the canonical name of a host's argument; undefined where one of the tools has the name itself, or none knows it. */
function canonicalName(name: string, tools: readonly string[]): string | undefined {
  if (tools.some((tool) => Object.hasOwn(toolArguments(tool) ?? {}, name))) return undefined;
  for (const tool of tools) {
    const [own] = argumentNames(tool, name);
    if (own !== undefined && own !== name) return own;
  }
  return undefined;
}

/** True where the rule tests the canonical name as well, or the tool: a condition may then be about tools of servers alone. */
function isNarrowed({ claims }: LintedRule, own: string): boolean {
  const isOther = ({ path }: Claim): boolean =>
    path === `args.${own}` || path.startsWith(`args.${own}.`) || /^(?:tool|mcp)\b/.test(path);
  return claims.some(isOther);
}
