import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { canonicalTool } from "../../schema/tools.ts";
import { all, literal, not } from "./cel-text.ts";
import type { Effect } from "./gitleaks.ts";
import { type HookifyCondition, type HookifyRule, readHookify } from "./hookify-file.ts";
import { type Imported, type ImportFile, Report } from "./imported.ts";
import { unusable } from "./json-file.ts";
import { sampleOf } from "./pattern-sample.ts";
import { scalar } from "./redact-policy.ts";
import { braced, type ImportedRule, type RuleExample, rulePolicy } from "./rule-policy.ts";

/** Maximum length of a message as a reason or an injected text. */
const longestMessage = 2_000;

/**
 * Converts hookify rules (Markdown files) to a policy: `block` blocks, `ask` asks, `warn` tells the model. Patterns test the
 * same text as in hookify, in any letter case. Never throws; the policy compiles, is formatted, and its examples hold.
 * Source: issue of step 8, part 8; hookify's guide to rules.
 */
export function importHookify(files: readonly ImportFile[], regex: RegexEngine): Imported {
  const rules: HookifyRule[] = [];
  for (const file of files) {
    const one = readHookify(file);
    if ("problem" in one) return failed([one.source], 0, [one.problem]);
    rules.push(one);
  }
  const sources = rules.map(({ source }) => source);
  const report = new Report();
  const made = rulePolicy(
    {
      policy: "hookify-rules",
      title: "Rules of hookify",
      description: `${files.length === 1 ? "A rule" : `${files.length} rules`} imported from hookify.`,
      from: files.map(({ name }) => name).join(", "),
      default: "allow",
      unknown: "allow",
    },
    rules.flatMap((rule) => new Carrier(rule, report, regex).rules()),
    report,
    regex,
  );
  const carried = new Set(made.kept.map(({ from }) => from.source)).size;
  const result = { sources, rules: rules.length, carried, notCarried: report.items(sources) };
  if (made.policy !== undefined && carried > 0) return { ...result, policy: made.policy, diagnostics: [] };
  const none = unusable(
    sources[0] as Source,
    "no rule of the files can be carried over",
    "the report says what is missing",
  );
  return { ...result, policy: undefined, diagnostics: made.diagnostics.length > 0 ? made.diagnostics : [none] };
}

function failed(sources: readonly Source[], rules: number, diagnostics: readonly Diagnostic[]): Imported {
  return { policy: undefined, sources, rules, carried: 0, notCarried: [], diagnostics };
}

/** Target of a rule: its event, the tools, and the field of each text that conditions may test. */
interface Place {
  readonly event: string;
  readonly tools: readonly string[];
  /** Expression of the text by hookify's field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly suffix?: string;
  /** Returns an example event that the rule must match, with given texts in its fields. */
  example(texts: Readonly<Record<string, string>>): RuleExample;
}

const command: Place = {
  event: "tool_call",
  tools: ["bash"],
  fields: { command: "args.command" },
  example: (texts) => texts["command"] ?? "true",
};

const prompt: Place = {
  event: "input",
  tools: [],
  fields: { user_prompt: "input.text", content: "input.text" },
  example: (texts) => ({ event: "input", text: texts["user_prompt"] ?? texts["content"] ?? "Hello." }),
};

const path = "args.path.lexical";
const pathFields = { file_path: path };
const newText = ["new_text", "new_string", "content"];

const write: Place = {
  event: "tool_call",
  tools: ["write"],
  fields: { ...pathFields, ...Object.fromEntries(newText.map((name) => [name, "args.content"])) },
  suffix: "write",
  example: (texts) => ({ tool: "write", args: { path: pathOf(texts), content: changed(texts) } }),
};

const edit: Place = {
  event: "tool_call",
  tools: ["edit"],
  fields: {
    ...pathFields,
    ...Object.fromEntries(newText.map((name) => [name, "args.new_text"])),
    old_text: "args.old_text",
    old_string: "args.old_text",
  },
  suffix: "edit",
  example: (texts) => ({
    tool: "edit",
    args: { path: pathOf(texts), old_text: texts["old_text"] ?? texts["old_string"] ?? "x", new_text: changed(texts) },
  }),
};

function pathOf(texts: Readonly<Record<string, string>>): string {
  return texts["file_path"] ?? "notes.txt";
}

function changed(texts: Readonly<Record<string, string>>): string {
  return texts["new_text"] ?? texts["content"] ?? texts["new_string"] ?? "hello";
}

/** Carries one rule over and notes the omissions. */
class Carrier {
  readonly #rule: HookifyRule;
  readonly #report: Report;
  readonly #regex: RegexEngine;
  /** True once the reason is reported why a condition cannot be carried over. */
  #refused = false;

  constructor(rule: HookifyRule, report: Report, regex: RegexEngine) {
    this.#rule = rule;
    this.#report = report;
    this.#regex = regex;
  }

  rules(): readonly ImportedRule[] {
    const { enabled, unknown, conditions, event } = this.#rule;
    for (const { name } of unknown) this.#leave(name, "not a field that this import knows", "none");
    if (!enabled) return this.#nothing("enabled", "the rule is switched off", "none");
    const whole = this.#atStop();
    if (whole) return whole;
    if (conditions.length === 0)
      return this.#nothing("pattern", "it has no pattern and no condition, so it never applies", "none");
    const places = this.#places();
    if (places.length === 0)
      return this.#nothing("event", `no place of ours has what \`${event}\` rules look at`, this.#less());
    const made = places.flatMap((place) => this.#at(place, places.length > 1));
    if (made.length === 0 && !this.#refused) {
      const fields = conditions.map(({ field }) => `\`${field}\``).join(", ");
      return this.#nothing("conditions", `no event has ${fields} together`, this.#less());
    }
    return made;
  }

  #less(): Effect {
    return this.#rule.action === "warn" ? "none" : "guards_less";
  }

  /** Notes why a condition cannot be expressed; only once, though the rule may be tried for several tools. */
  #refuse(reason: string): undefined {
    if (!this.#refused) this.#leave("conditions", `${reason}; the rule is left out`, this.#less());
    this.#refused = true;
    return undefined;
  }

  #leave(field: string, reason: string, effect: Effect): void {
    const { source, name } = this.#rule;
    this.#report.leave(source, this.#rule.place(field), name, field, reason, effect);
  }

  #nothing(field: string, reason: string, effect: Effect): readonly ImportedRule[] {
    this.#leave(field, `${reason}; the rule is left out`, effect);
    return [];
  }

  /** Converts a rule at the end of a run: only one that always applies can be expressed, and only as a message to the human. */
  #atStop(): readonly ImportedRule[] | undefined {
    const { event, conditions, action } = this.#rule;
    if (event !== "stop") return undefined;
    const always = conditions.every(
      ({ operator, pattern }) => operator === "regex_match" && /^(?:\.\*|\^?\.\*\$?|)$/.test(pattern),
    );
    if (!always)
      return this.#nothing("event", "no rule reads the transcript or the host's reason to stop", this.#less());
    if (action !== "warn")
      return this.#nothing("action", "a block of every stop would never let the agent end", "guards_less");
    return [this.#made({ event: "stop", tools: [], fields: {}, example: () => "" }, undefined, [])];
  }

  /** Returns the targets that have the fields of the conditions. */
  #places(): readonly Place[] {
    const { event, conditions, matcher } = this.#rule;
    const onlyPath = conditions.every(({ field }) => field === "file_path");
    const files = onlyPath ? [{ ...write, tools: ["write", "edit"], suffix: "" }] : [write, edit];
    const places = event === "bash" ? [command] : event === "file" ? files : event === "prompt" ? [prompt] : [];
    const open = event === "all" ? [command, ...files, prompt] : places;
    const tools = matcher === undefined || matcher === "*" ? undefined : matcher.split("|").map(canonicalTool);
    return open.filter((place) => !tools || place.tools.some((tool) => tools.includes(tool)));
  }

  #at(place: Place, several: boolean): readonly ImportedRule[] {
    const tests: string[] = [];
    const texts: Record<string, string> = {};
    let complete = true;
    for (const condition of this.#rule.conditions) {
      const field = Object.hasOwn(place.fields, condition.field) ? place.fields[condition.field] : undefined;
      if (field === undefined) return [];
      const test = this.#test(field, condition);
      if (test === undefined) return [];
      tests.push(test);
      const sample = sampleOfCondition(condition, this.#regex);
      if (sample === undefined) complete = false;
      else if (sample !== "") texts[condition.field] = sample;
    }
    const made = this.#made(place, all(tests), complete ? [place.example(texts)] : []);
    return [several && place.suffix ? { ...made, name: `${made.name} ${place.suffix}` } : made];
  }

  /** Returns a condition as an expression; one that cannot be expressed is noted, and the rule left out. */
  #test(field: string, { operator, pattern }: HookifyCondition): string | undefined {
    const always = field === "input.text" || field === "args.command";
    const optional = always ? [] : [`has(${field === path ? "args.path" : field})`];
    const holds = (test: string): string => all([...optional, test]);
    switch (operator) {
      case "regex_match": {
        const made = this.#regex.compile(`(?i)${pattern}`);
        if (!("kind" in made)) return holds(`${field}.matches(${literal(made.pattern)})`);
        return this.#refuse(`\`${pattern.slice(0, 60)}\` is refused: ${made.message}`);
      }
      case "contains":
        return holds(`${field}.contains(${literal(pattern)})`);
      case "not_contains":
        return holds(not(`${field}.contains(${literal(pattern)})`));
      case "equals":
        return holds(`${field} == ${literal(pattern)}`);
      case "starts_with":
        return holds(`${field}.startsWith(${literal(pattern)})`);
      case "ends_with":
        return holds(`${field}.endsWith(${literal(pattern)})`);
      default:
        return this.#refuse(`\`${operator}\` is no operator of hookify`);
    }
  }

  #made(place: Place, when: string | undefined, match: readonly RuleExample[]): ImportedRule {
    const { name, source, message, action } = this.#rule;
    const said = message.slice(0, longestMessage) || `the rule ${name} applies`;
    const guards = action === "block" || action === "ask";
    const tell = place.event === "stop" ? "notify: { message" : "inject: { content";
    return {
      name,
      title: name,
      severity: action === "block" ? "high" : guards ? "medium" : "info",
      events: [place.event],
      tools: place.tools,
      ...(when !== undefined && { when }),
      action: guards ? action : `{ ${tell}: ${scalar(braced(said))} } }`,
      ...(guards && { reason: said }),
      ...(action === "block" && { guidance: "Do it another way, or ask the human." }),
      match,
      noMatch: when === undefined ? [] : [place.example({})],
      from: { source, span: this.#rule.place("name"), rule: name, field: "rule" },
      without: this.#less(),
    };
  }
}

/** Returns a text that meets a condition: the empty text for one that most texts meet, undefined if none is found. */
function sampleOfCondition({ operator, pattern }: HookifyCondition, regex: RegexEngine): string | undefined {
  if (operator === "not_contains") return "";
  return operator === "regex_match" ? sampleOf(`(?i)${pattern}`, pattern, regex) : pattern;
}
