import type { Ir } from "../../../engine/plan.ts";
import { programOf } from "../../../facts/programs/registry.ts";
import { child, type YamlNode, type YamlScalar } from "../../yaml-node.ts";
import { textValues } from "../claims.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Note: a condition or a declaration takes the second operand, and nothing in it takes the first. */
export const secondOperand: Lint = {
  code: "HW805",
  name: "second-operand",
  why: "Operands count from 0, and neither the program nor a subcommand is one of them: in `deploy.sh prod` the word `prod` is `operands[0]`.",
  advice: "Write `operands[0]` for the first operand, or ignore the note where the second is meant.",
  bad: [
    {
      title: "an argument of a script, and a declaration",
      at: ['"{operand(1)}"', "c.operands[1] == 'prod'"],
      policy: `version: 1
policy: example
programs:
  assetpack:
    options: { --profile: value }
    effects: [{ writes: "{operand(1)}" }]
rules:
  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: "c.program == 'deploy.sh' && c.operands.size() > 1 && c.operands[1] == 'prod'"
    action: ask
    reason: customers use it
`,
    },
  ],
  good: [
    {
      title: "the first, and the second beside it",
      policy: `version: 1
policy: example
programs:
  assetpack:
    options: { --profile: value }
    effects: [{ reads: "{operand(0)}" }, { writes: "{operand(1)}" }]
rules:
  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: "c.program == 'deploy.sh' && c.operands.size() > 0 && c.operands[0] == 'prod'"
    action: ask
    reason: customers use it
  - id: copies
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: "c.program == 'pull.sh' && c.operands.size() == 2 && c.operands[0] == 'all' && c.operands[1] == 'prod'"
    action: ask
    reason: customers use it
`,
    },
  ],
  ofItems: true,
  rule(rule) {
    const { when } = rule.typed ?? {};
    return when && isOfUnknown(rule) ? takenAlone(when) : [];
  },
  policy({ root }) {
    const programs = child(root, "programs");
    return programs?.kind === "map" ? programs.entries.flatMap(({ value }) => declaredAlone(value)) : [];
  },
};

/** True for a rule about programs that no table has: of a known one the author may mean any operand. */
function isOfUnknown({ claims }: LintedRule): boolean {
  const names = claims.filter(({ field }) => field === "command.program").flatMap(textValues);
  return names.length > 0 && names.every(({ text }) => programOf(text) === undefined);
}

const help = "write 0 for the first operand: neither the program nor a subcommand counts";

function takenAlone(when: Ir): Finding[] {
  const nodes = nodesIn(when);
  const taken = nodes.filter((node) => node.k === "index" && /\.operands$/.test(writtenPath(node.of)));
  const numbers = taken.map((node) => (node.k === "index" && node.index.k === "const" ? node.index.value : 0));
  // A test of any operand tests the first one too.
  const others = nodes.some((node) => node.k === "loop" && /\.operands$/.test(writtenPath(node.list)));
  if (taken.length === 0 || others || numbers.some((number) => typeof number !== "number" || number < 1)) return [];
  return nodes.flatMap((node): Finding[] => {
    const compared = node.k === "call" && node.args.some((arg) => taken.includes(arg));
    if (!compared || !node.at) return [];
    const message = "operands count from 0: this asks for the second or a later one, and nothing here for the first";
    return [{ span: { start: node.at[0], end: node.at[1] }, message, help }];
  });
}

function declaredAlone(program: YamlNode): Finding[] {
  const texts: YamlScalar[] = [];
  const open: YamlNode[] = [program];
  for (const node of open) {
    if (node.kind === "list") open.push(...node.items);
    else if (node.kind === "map") for (const { value } of node.entries) open.push(value);
    else if (typeof node.value === "string" && /\boperands?\b/.test(node.value)) texts.push(node);
  }
  if (texts.some(({ value }) => !/operand\([1-9]\)/.test(String(value)))) return [];
  const message = "operands count from 0: this is the second or a later one, and nothing here takes the first";
  return texts.slice(0, 1).map(({ span }) => ({ span, message, help }));
}
