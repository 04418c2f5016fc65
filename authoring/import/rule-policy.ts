import { type CompileResult, compile } from "../../compiler/compile.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { Source, type Span } from "../../diagnostics/source.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { runExamples } from "../examples.ts";
import { checked, type Effect } from "./gitleaks.ts";
import type { Report } from "./imported.ts";
import { comment, mark, scalar } from "./redact-policy.ts";

/** An example of a rule: a shell command, or the fields of an event. */
export type RuleExample = string | Readonly<Record<string, unknown>>;

/** A rule that an import writes. Texts are plain; this module quotes them. */
export interface ImportedRule {
  /** Its name; made unique and kebab-case. */
  readonly name: string;
  readonly title: string;
  readonly severity: string;
  readonly tags?: readonly string[];
  readonly references?: readonly string[];
  readonly events: readonly string[];
  /** Tool matcher; empty for any. */
  readonly tools: readonly string[];
  /** `each`: variable and list. */
  readonly each?: readonly [variable: string, list: string];
  /** Condition as an expression. */
  readonly when?: string;
  /** Action as YAML in flow style. */
  readonly action: string;
  readonly reason?: string;
  readonly guidance?: string;
  readonly falsePositives?: string;
  readonly match: readonly RuleExample[];
  readonly noMatch: readonly RuleExample[];
  /** Its origin, for the report. */
  readonly from: { readonly source: Source; readonly span: Span; readonly rule: string; readonly field: string };
  /** Effect of leaving out the rule. */
  readonly without: Effect;
}

/** The head of a policy that an import writes. */
export interface PolicyHead {
  readonly policy: string;
  readonly title: string;
  readonly description: string;
  readonly from: string;
  readonly default: "allow" | "ask" | "block";
  readonly unknown: "allow" | "ask" | "block";
}

/** A finished policy with its number of rules, or the reason why there is none. */
export interface RulePolicy {
  readonly policy: string | undefined;
  readonly kept: readonly ImportedRule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Maximum rounds of leaving out rules that the compiler refuses; each drops at least one. */
const rounds = 8;

/**
 * Builds a policy of rules that loads, is formatted, and whose examples hold. A rule that the compiler refuses is left out,
 * and an example that does not hold is removed; both are reported. An import never writes anything untested.
 */
export function rulePolicy(
  head: PolicyHead,
  rules: readonly ImportedRule[],
  report: Report,
  regex: RegexEngine,
): RulePolicy {
  let kept = unique(rules);
  const source = rules[0]?.from.source ?? new Source(head.from, "");
  for (let round = 0; round < rounds; round++) {
    const text = policyText(head, kept);
    const tried = compileText(text.text, regex);
    const errors = tried.diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length === 0) {
      const proven = withProof(kept, text, tried, report);
      return { kept: proven, ...checked(policyText(head, proven).text, source, regex) };
    }
    const refused = new Map(errors.map((error) => [ruleAt(text, error.span), error.message]));
    refused.delete(undefined);
    if (refused.size === 0) return { kept, ...checked(text.text, source, regex) };
    for (const [rule, message] of refused) if (rule) leave(rule, `refused: ${message}`, rule.without, report);
    kept = kept.filter((rule) => !refused.has(rule));
    if (kept.length === 0) return { policy: undefined, kept, diagnostics: [] };
  }
  const message = "the policy would not load";
  const problem = diagnostic("HW705", source, { start: 0, end: 0 }, message, "split the file and import its parts");
  return { policy: undefined, kept, diagnostics: [problem] };
}

function leave({ from }: ImportedRule, reason: string, effect: Effect, report: Report): void {
  report.leave(from.source, from.span, from.rule, from.field, reason, effect);
}

/** Returns the rules without the examples that do not hold; a rule that misses its own examples is reported. */
function withProof(
  rules: readonly ImportedRule[],
  text: PolicyText,
  compiled: CompileResult,
  report: Report,
): readonly ImportedRule[] {
  const failed = new Map<ImportedRule, Set<number>>();
  for (const { span } of runExamples(compiled)) {
    const rule = ruleAt(text, span);
    const line = lineAt(text.text, span.start);
    if (rule) failed.set(rule, (failed.get(rule) ?? new Set()).add(line));
  }
  return rules.map((rule) => {
    const lines = failed.get(rule);
    if (!lines) return rule;
    const places = text.examples.get(rule) ?? { match: [], noMatch: [] };
    const match = rule.match.filter((_, i) => !lines.has(places.match[i] as number));
    if (match.length < rule.match.length)
      leave(rule, "the rule does not apply to an example of what it was written for", rule.without, report);
    return { ...rule, match, noMatch: rule.noMatch.filter((_, i) => !lines.has(places.noMatch[i] as number)) };
  });
}

function compileText(text: string, regex: RegexEngine): CompileResult {
  const file = { name: "policy.yaml", path: "/policy.yaml", bytes: new TextEncoder().encode(text) };
  return compile({ files: [file], regex });
}

/** Makes the rules' ids unique, in kebab-case. */
function unique(rules: readonly ImportedRule[]): readonly ImportedRule[] {
  const taken = new Set<string>();
  return rules.map((rule) => {
    const base = kebab(rule.name) || "rule";
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
    taken.add(name);
    return { ...rule, name };
  });
}

/** Returns a name in kebab-case, at most 60 characters; empty if nothing in it is usable. */
export function kebab(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 60)
    .replace(/-+$/, "");
}

/** The text, with the lines of each rule and of its examples; lines count from 0. */
interface PolicyText {
  readonly text: string;
  readonly starts: readonly (readonly [line: number, rule: ImportedRule])[];
  readonly examples: ReadonlyMap<
    ImportedRule,
    { readonly match: readonly number[]; readonly noMatch: readonly number[] }
  >;
}

function policyText(head: PolicyHead, rules: readonly ImportedRule[]): PolicyText {
  const lines = [
    `${mark} from ${comment(head.from)}; the next import overwrites it.`,
    ...(rules.some(isAgentsOwn) ? [ignored] : []),
    "version: 1",
    `policy: ${head.policy}`,
    `title: ${scalar(head.title)}`,
    `description: ${scalar(head.description)}`,
    `default: ${head.default}`,
    `unknown: ${head.unknown}`,
    "",
    "rules:",
  ];
  const starts: [number, ImportedRule][] = [];
  const examples = new Map<ImportedRule, { match: number[]; noMatch: number[] }>();
  for (const rule of rules) {
    starts.push([lines.length, rule]);
    lines.push(...ruleLines(rule));
    examples.set(rule, exampleLines(rule, lines));
    lines.push("");
  }
  return { text: lines.join("\n"), starts, examples };
}

/** Comment for imported rules: the originals concern the agent's calls only, so leaving out the human's own commands is no slip. */
const ignored = "# hookwarden-ignore HW601: the original is about the calls of the agent alone";

function isAgentsOwn({ action, tools }: ImportedRule): boolean {
  return action === "block" && tools.includes("bash");
}

function ruleLines(rule: ImportedRule): string[] {
  const optional = (key: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`    ${key}: ${value}`];
  const list = (values: readonly string[] | undefined): string | undefined =>
    values && values.length > 0 ? `[${values.map(scalar).join(", ")}]` : undefined;
  const text = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : scalar(braced(value));
  return [
    `  - id: ${rule.name}`,
    `    title: ${scalar(comment(rule.title).slice(0, 100))}`,
    `    severity: ${rule.severity}`,
    ...optional("tags", list(rule.tags)),
    ...optional("references", list(rule.references)),
    `    event: [${rule.events.join(", ")}]`,
    ...optional("tool", list(rule.tools)),
    ...(rule.each ? [`    each: { ${rule.each[0]}: ${rule.each[1]} }`] : []),
    ...optional("when", rule.when === undefined ? undefined : scalar(rule.when)),
    `    action: ${rule.action}`,
    ...optional("reason", text(rule.reason)),
    ...optional("guidance", text(rule.guidance)),
    ...optional("false_positives", rule.falsePositives === undefined ? undefined : scalar(rule.falsePositives)),
  ];
}

/** Doubles the braces of a text, so that nothing in it is an expression. */
export function braced(text: string): string {
  return text.replaceAll("{", "{{").replaceAll("}", "}}");
}

/** Adds the examples of a rule, each on its own line. */
function exampleLines(rule: ImportedRule, lines: string[]): { match: number[]; noMatch: number[] } {
  const add = (key: string, list: readonly RuleExample[]): number[] => {
    if (list.length > 0) lines.push(`      ${key}:`);
    return list.map((example) => {
      lines.push(`        - ${typeof example === "string" ? scalar(example) : JSON.stringify(example)}`);
      return lines.length - 1;
    });
  };
  if (rule.match.length + rule.noMatch.length > 0) lines.push("    examples:");
  return { match: add("match", rule.match), noMatch: add("no_match", rule.noMatch) };
}

function lineAt(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function ruleAt({ text, starts }: PolicyText, span: Span): ImportedRule | undefined {
  const line = lineAt(text, span.start);
  return starts.findLast(([start]) => start <= line)?.[1];
}
