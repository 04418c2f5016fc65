import type { Ir } from "../../../engine/plan.ts";
import { programOf } from "../../../facts/programs/registry.ts";
import { type EffectKind, effectKinds } from "../../../schema/facts.ts";
import { child } from "../../yaml-node.ts";
import { commandNames } from "../command-tests.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { readCommand } from "../read-command.ts";

/** Lint: an allow of commands covers none of them, because each does more than run and read, or is not understood whole. */
export const coversNothing: Lint = {
  code: "HW692",
  name: "covers-nothing",
  why: "An allow of a command covers its run and its reads. Its writes, deletes, connections and installs need more, and so does a program with effects that nobody sees. Without more the rule matches, and the default still answers.",
  advice:
    "Say what else the rule speaks for: `allow: { effects: [writes] }` names effects, `allow: { opaque: true }` covers what is not seen.",
  bad: [
    {
      title: "a program that runs what the project says, and one that writes",
      at: ["npm", "touch"],
      policy: `version: 1
policy: example
default: ask
rules:
  - id: tests
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: test }
    action: allow
  - id: stamps
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: touch }
    action: allow
`,
    },
  ],
  good: [
    {
      title: "a program that reads, and allows that say what they cover",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: looks
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: [cat, ls] }
    action: allow
  - id: tests
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: test }
    action: { allow: { opaque: true } }
  - id: stamps
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: touch }
    action: { allow: { effects: [writes] } }
`,
    },
  ],
  besideErrors: true,
  rule(rule) {
    const { draft, policy, typed } = rule;
    const action = draft.actions.find(({ name }) => name === "allow");
    const isNamed = action?.parameters && (child(action.parameters, "opaque") || child(action.parameters, "effects"));
    if (!action || isNamed || policy.draft.default === "allow" || typed?.mode !== "enforce") return [];
    const found = findingOf(rule);
    return found ? [found] : [];
  },
};

/** Words that stand for what a command may be given, and for a program without subcommands forms that usually list alone. */
const given = [" x", " x y"] as const;
const listing = [" -l x", " tf x"] as const;
const ofSubcommand = [" list", " -v"] as const;

/** Most commands that are tried for one rule. */
const mostTried = 100;

function findingOf(rule: LintedRule): Finding | undefined {
  const names = commandNames(rule).filter(({ part, negated, whole }) => part === "when" && whole && !negated);
  const programs = names.filter(({ of }) => of === "program");
  const subcommands = names.filter(({ of }) => of === "subcommand").map(({ text }) => text);
  const [first] = programs;
  const all = new Set(programs.map(({ command }) => command));
  if (!first || all.size > 1 || !isListed(rule)) return undefined;
  const operands = names.filter(({ of }) => of === "operand").map(({ text }) => ` ${text}`);
  const options = names.filter(({ of }) => of === "option").map(({ text }) => ` ${text}`);
  const asked = (options.length > 0 ? options : [""]).map((option) => `${option}${operands.join("")}`);
  if (asked.some((words) => !/^[\w ./:@=+-]*$/.test(words))) return undefined;
  const missing = new Set<EffectKind | "opaque">();
  let tried = 0;
  for (const { text } of programs) {
    const row = programOf(text);
    if (!row || rule.policy.programs.has(text)) return undefined;
    if ((row.subcommands || row.chain) && subcommands.length === 0) return undefined;
    for (const subcommand of subcommands.length > 0 ? subcommands : [""])
      for (const words of asked.flatMap((some) => formsOf(some, subcommand))) {
        const lacks = lackOf(`${text} ${subcommand}${words}`);
        if (lacks.length === 0 || tried++ === mostTried) return undefined;
        for (const one of lacks) missing.add(one);
      }
  }
  const kinds = effectKinds.filter((kind) => missing.has(kind));
  const wanted = missing.has("opaque") ? "opaque: true" : `effects: [${kinds.join(", ")}]`;
  const does = missing.has("opaque")
    ? "may do what facts do not list"
    : `has ${kinds.map((kind) => `\`effects.${kind}\``).join(", ")}`;
  return {
    span: first.span,
    message: `this allow covers no usual call of \`${first.text}\`: it ${does}`,
    help: `write \`action: { allow: { ${wanted} } }\``,
  };
}

function formsOf(words: string, subcommand: string): readonly string[] {
  const more = words !== "" ? [] : subcommand === "" ? listing : ofSubcommand;
  return [...given, ...more].map((one) => `${words}${one}`);
}

/** Tests of a command that say which words it has. */
const ofWords: ReadonlySet<string> = new Set(["command.program", "command.subcommand", "command.operands"]);

/** True for a rule that goes through commands and tests their words alone: other tests may leave calls that it covers. */
function isListed({ typed, claims }: LintedRule): boolean {
  const list = typed?.each?.list;
  const tested = claims.filter(({ part }) => part === "when");
  const isPlain = tested.every(({ field, negated }) => field !== undefined && ofWords.has(field) && !negated);
  const terms = termsOf(typed?.when);
  return (
    list?.k === "root" &&
    list.name === "shell.commands" &&
    isPlain &&
    terms.every(({ k }) => k === "call" || k === "has")
  );
}

function termsOf(ir: Ir | undefined): readonly Ir[] {
  if (!ir) return [];
  return ir.k === "and" || ir.k === "or" ? ir.args.flatMap(termsOf) : [ir];
}

/** Returns what an allow of a command alone does not cover of it. */
function lackOf(command: string): readonly (EffectKind | "opaque")[] {
  const { effects, understanding } = readCommand(command);
  const kinds = effectKinds.filter((kind) => kind !== "runs" && kind !== "reads" && (effects?.[kind].length ?? 0) > 0);
  return understanding === "understood" ? kinds : [...kinds, "opaque"];
}
