import { readYaml } from "../../compiler/read.ts";
import { child, entry, strings, text, type YamlMap, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { RegexEngine } from "../../schema/ports.ts";

import type { Effect } from "./gitleaks.ts";
import { type Imported, type ImportFile, Report } from "./imported.ts";
import { scalarOf, unusable } from "./json-file.ts";
import { type ImportedRule, kebab, rulePolicy } from "./rule-policy.ts";
import { parseCondition } from "./sigma-condition.ts";
import { conditionTerm, expressionOf, sampleWords, selectionTerm, type Term, unsaidIn } from "./sigma-detection.ts";

const help = "give a Sigma rule with `logsource` and `detection`";

/** Severity and action of each level: certain threats are blocked, possible ones are asked about, the rest is recorded. */
const levels: Readonly<Record<string, readonly [severity: string, action: string]>> = {
  critical: ["critical", "block"],
  high: ["high", "block"],
  medium: ["medium", "ask"],
  low: ["low", "record"],
  informational: ["info", "record"],
};

/** Keys of a rule that do not affect its detection. */
const quiet: ReadonlySet<string> = new Set(
  "title id related status description references author date modified tags logsource detection falsepositives level license name".split(
    " ",
  ),
);

/**
 * Converts Sigma rules for the creation of processes (YAML files) to a policy: each command that a shell call runs is judged
 * as the process that it will be. Fields that a tool call does not have never make a rule weaker. Never throws; the policy
 * compiles, is formatted, and its examples hold. Source: issue of step 8, part 8; Sigma specification.
 */
export function importSigma(files: readonly ImportFile[], regex: RegexEngine): Imported {
  const found: { source: Source; root: YamlMap }[] = [];
  for (const { name, bytes } of files) {
    const { source, root, diagnostics } = readYaml(name, bytes);
    const [first] = diagnostics;
    if (!root) return failed(source, first ?? unusable(source, "file is empty", help));
    if (root.kind !== "map" || child(root, "detection")?.kind !== "map")
      return failed(source, unusable(source, "file is not a Sigma rule", help));
    found.push({ source, root });
  }
  const report = new Report();
  const sources = found.map(({ source }) => source);
  const made = rulePolicy(
    {
      policy: "sigma-rules",
      title: "Rules of Sigma",
      description: `${files.length === 1 ? "A rule" : `${files.length} rules`} for the creation of processes, imported from Sigma.`,
      from: files.map(({ name }) => name).join(", "),
      default: "allow",
      unknown: "ask",
    },
    found.flatMap(({ source, root }) => new Carrier(source, root, report, regex).rule()),
    report,
    regex,
  );
  const result = { sources, rules: found.length, carried: made.kept.length, notCarried: report.items(sources) };
  if (made.policy !== undefined && made.kept.length > 0) return { ...result, policy: made.policy, diagnostics: [] };
  const none = unusable(
    sources[0] as Source,
    "no rule of the files can be carried over",
    "the report says what is missing",
  );
  return { ...result, policy: undefined, diagnostics: made.diagnostics.length > 0 ? made.diagnostics : [none] };
}

function failed(source: Source, problem: Diagnostic): Imported {
  return { policy: undefined, sources: [source], rules: 0, carried: 0, notCarried: [], diagnostics: [problem] };
}

/** Carries one rule over and notes the omissions. */
class Carrier {
  readonly #source: Source;
  readonly #root: YamlMap;
  readonly #report: Report;
  readonly #regex: RegexEngine;
  readonly #title: string;

  constructor(source: Source, root: YamlMap, report: Report, regex: RegexEngine) {
    this.#source = source;
    this.#root = root;
    this.#report = report;
    this.#regex = regex;
    this.#title = text(child(root, "title")) ?? "untitled";
  }

  rule(): readonly ImportedRule[] {
    for (const { key, keySpan } of this.#root.entries)
      if (!quiet.has(key)) this.#leave(keySpan, key, "not a field that this import knows", "none");
    const foreign = this.#foreign();
    if (foreign !== undefined) return this.#nothing("logsource", foreign);
    const term = this.#term();
    if (typeof term === "string") return this.#nothing("detection", term);
    const when = expressionOf(term);
    const unsaid = unsaidIn(term);
    for (const { field, reason, span } of unsaid)
      this.#leave(
        span,
        field,
        typeof when === "string" ? `${reason}; the rule applies without it` : reason,
        "guards_more",
      );
    if (typeof when !== "string") return this.#nothing("detection", "nothing that it looks at is known of a call");
    return [this.#made(term, when)];
  }

  #leave(span: YamlNode["span"], field: string, reason: string, effect: Effect): void {
    this.#report.leave(this.#source, span, this.#title, field, reason, effect);
  }

  #nothing(field: string, reason: string): readonly ImportedRule[] {
    const span = entry(this.#root, field)?.keySpan ?? this.#root.span;
    this.#leave(span, field, `${reason}; the rule is left out`, "guards_less");
    return [];
  }

  /** Returns why the rule does not concern programs that a shell starts. */
  #foreign(): string | undefined {
    const source = child(this.#root, "logsource");
    const category = text(child(source, "category"));
    const product = text(child(source, "product"));
    if (category !== "process_creation") return `\`${category ?? "no category"}\` is not \`process_creation\``;
    return product === "windows" ? "it is for Windows, whose programs and options are others" : undefined;
  }

  #term(): Term | string {
    const detection = child(this.#root, "detection") as YamlMap;
    if (entry(detection, "timeframe")) return "a time frame over events cannot be said";
    const parts = detection.entries.filter(({ key }) => key !== "condition");
    const selections = new Map(parts.map(({ key, value }) => [key, selectionTerm(value, this.#regex)]));
    const conditions = strings(child(detection, "condition")).map(({ value }) => value);
    if (conditions.length === 0) return "it has no condition";
    const terms: Term[] = [];
    for (const condition of conditions) {
      const parsed = parseCondition(condition, [...selections.keys()]);
      if (typeof parsed === "string") return parsed;
      terms.push(conditionTerm(parsed, selections));
    }
    return terms.length === 1 ? (terms[0] as Term) : { kind: "or", parts: terms };
  }

  #made(term: Term, when: string): ImportedRule {
    const level = String(scalarOf(child(this.#root, "level")) ?? "medium");
    const [severity, action] = (Object.hasOwn(levels, level) ? levels[level] : levels["medium"]) as readonly [
      string,
      string,
    ];
    const list = (key: string): string[] => strings(child(this.#root, key)).map(({ value }) => value);
    const tags = list("tags").filter((tag) => /^[a-z0-9][a-z0-9._-]*$/.test(tag));
    const mistakes = list("falsepositives").filter((one) => !/^(?:unknown|none|unlikely)\.?$/i.test(one));
    const example = exampleOf(term);
    const guards = action !== "record";
    return {
      name: kebab(this.#title) || "rule",
      title: this.#title,
      severity,
      tags,
      references: list("references").filter((one) => /^https?:\/\//.test(one)),
      events: ["tool_call"],
      tools: ["bash"],
      each: ["c", "shell.commands"],
      when,
      action,
      ...(guards && { reason: this.#title }),
      ...(action === "block" && { guidance: "Do it another way, or ask the human." }),
      ...(mistakes.length > 0 && { falsePositives: mistakes.join("; ") }),
      match: example === undefined ? [] : [example],
      noMatch: ["true"],
      from: {
        source: this.#source,
        span: entry(this.#root, "title")?.keySpan ?? this.#root.span,
        rule: this.#title,
        field: "rule",
      },
      without: guards ? "guards_less" : "none",
    };
  }
}

/** Returns a command that meets the rule, if one can be built that a shell reads literally. */
function exampleOf(term: Term): string | undefined {
  const { program, words } = sampleWords(term);
  const [first] = words;
  const named = program === undefined || first === program || first?.startsWith(`${program} `) ? [] : [program];
  const command = [...named, ...words].join(" ").trim();
  return command === "" || /[|&;<>`$()'"\\\n#{}*?![\]~]/.test(command) ? undefined : command;
}
