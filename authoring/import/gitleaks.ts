import { compile } from "../../compiler/compile.ts";
import { type Diagnostic, diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { formatPolicy } from "../fmt/format.ts";
import {
  type Field,
  type GitleaksAllowlist,
  type GitleaksConfig,
  type GitleaksRule,
  readGitleaksConfig,
} from "./gitleaks-config.ts";
import { exceptionsOf, listOf, type SecretPlace } from "./gitleaks-exceptions.ts";
import { type PolicyPattern, redactPolicyText } from "./redact-policy.ts";
import { isolateSecret } from "./secret-group.ts";
import { readToml, type TomlDocument } from "./toml.ts";

/**
 * Effect of an omission on the policy: it finds or guards less or more than the original, replaces more of the text around a
 * secret, or nothing changes.
 */
export type Effect = "finds_less" | "finds_more" | "replaces_more" | "guards_less" | "guards_more" | "none";

/** One part of the configuration that the policy lacks. */
export interface NotCarried {
  /** Id of the rule; absent if it concerns all rules. */
  readonly rule?: string;
  /** Field by gitleaks' name, dotted: `allowlists.stopwords`. */
  readonly field: string;
  readonly span: Span;
  readonly reason: string;
  readonly effect: Effect;
}

/** An imported configuration. `policy` is the text of the policy; it is undefined only where a diagnostic says why. */
export interface GitleaksImport {
  readonly policy: string | undefined;
  readonly source: Source | undefined;
  /** Number of rules in the file, and of those with a pattern in the policy. */
  readonly rules: number;
  readonly carried: number;
  readonly notCarried: readonly NotCarried[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Converts a gitleaks configuration (TOML) to a policy that redacts. Every rule with a pattern valid in RE2 becomes a
 * pattern of one `redact` action. Only the secret's group is replaced, if the pattern allows that. Everything else of the
 * file is listed with its place and the effect of its absence. Never throws; the policy compiles and is formatted. Source:
 * threats section 5; semantics section 6 (`import`).
 */
export function importGitleaks(name: string, bytes: Uint8Array, regex: RegexEngine): GitleaksImport {
  const nothing = { policy: undefined, source: undefined, rules: 0, carried: 0, notCarried: [] };
  const document = readToml(name, bytes);
  if ("diagnostic" in document) return { ...nothing, source: document.source, diagnostics: [document.diagnostic] };
  const { source } = document;
  const { config, diagnostics } = readGitleaksConfig(document);
  const counts = { ...nothing, source, rules: config.rules.length };
  if (diagnostics.length > 0) return { ...counts, diagnostics };
  const carrier = new Carrier(document, regex);
  const patterns = carrier.patterns(config);
  const result = { ...counts, carried: patterns.length, notCarried: inOrder(carrier.notCarried) };
  const detectors = config.extend.get("useDefault")?.value === true ? ["secrets/*"] : [];
  if (patterns.length + detectors.length === 0)
    return { ...result, diagnostics: [unusable(source, "no rule of the file can be carried over")] };
  const text = redactPolicyText({
    policy: policyId(name),
    title: config.title?.trim() || "Secrets",
    description: `${patterns.length} of ${config.rules.length} rules of \`${name}\`, imported from gitleaks.`,
    reference: name,
    detectors,
    patterns,
  });
  return { ...result, ...checked(text, source, regex) };
}

/** Returns the text in canonical form, once it is known to load. */
export function checked(
  text: string,
  source: Source,
  regex: RegexEngine,
): Pick<GitleaksImport, "policy" | "diagnostics"> {
  const file = { name: "policy.yaml", path: "/policy.yaml", bytes: new TextEncoder().encode(text) };
  const compiled = compile({ files: [file], regex });
  const first = compiled.diagnostics.find(({ severity }) => severity === "error");
  if (first && (first.code === "HW004" || first.code === "HW010"))
    return { policy: undefined, diagnostics: [unusable(source, "the policy would be too large")] };
  const formatted = formatPolicy(file);
  const problem = first ?? formatted.diagnostics.find(({ severity }) => severity === "error");
  if (!problem) return { policy: formatted.output, diagnostics: [] };
  const help = "please report this with the file that caused it";
  const message = `internal error: the policy would not load: ${problem.message}`;
  return { policy: undefined, diagnostics: [diagnostic("HW506", source, { start: 0, end: 0 }, message, help)] };
}

function unusable(source: Source, message: string): Diagnostic {
  const help = message.includes("large")
    ? "split the file and import its parts"
    : "give a configuration with `[[rules]]` that have a `regex`; the report says what became of each";
  return diagnostic("HW705", source, { start: 0, end: 0 }, message, help);
}

function inOrder(list: readonly NotCarried[]): readonly NotCarried[] {
  return [...list].sort((a, b) => a.span.start - b.span.start);
}

/** Returns an id in kebab-case from the name of a file: `.gitleaks.toml` gives `gitleaks`. */
function policyId(name: string): string {
  const base = (name.split(/[/\\]/).at(-1) ?? "").replace(/\.toml$/i, "").toLowerCase();
  const id = base
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 60)
    .replace(/-+$/, "");
  return id === "" ? "gitleaks" : id;
}

/** A pattern, with the place of its secret. */
type Placed = PolicyPattern & { readonly place: SecretPlace };

/** Maximum entropy that a policy may require, in bits per character. */
const mostEntropy = 16;

/** True if an allow-list of the file applies to a rule: to all, or to those that it names. */
function isFor({ fields }: GitleaksAllowlist, rule: string): boolean {
  const named = listOf(fields.get("targetRules"));
  return named.length === 0 || named.includes(rule);
}

/** Carries rules over and collects the omissions. */
class Carrier {
  readonly notCarried: NotCarried[] = [];
  readonly #said = new Set<string>();
  readonly #document: TomlDocument;
  readonly #regex: RegexEngine;

  constructor(document: TomlDocument, regex: RegexEngine) {
    this.#document = document;
    this.#regex = regex;
  }

  patterns(config: GitleaksConfig): readonly PolicyPattern[] {
    this.#extend(config);
    for (const field of config.unknown) this.#unknown(undefined, field);
    if (config.extend.get("useDefault")?.value === true) this.#withoutExceptions(config.allowlists);
    return config.rules.flatMap((rule) => this.#rule(rule, config.allowlists));
  }

  #leave(rule: string | undefined, field: string, span: Span, reason: string, effect: Effect): void {
    this.notCarried.push({ ...(rule !== undefined && { rule }), field, span, reason, effect });
  }

  #extend({ extend }: GitleaksConfig): void {
    const leave = (name: string, reason: string, effect: Effect): void => {
      const field = extend.get(name);
      if (field) this.#leave(undefined, `extend.${name}`, this.#document.place(field.path), reason, effect);
    };
    const standard = extend.get("useDefault")?.value === true;
    if (standard)
      leave("useDefault", "the rules that gitleaks ships are not there; all detectors stand in for them", "none");
    leave("path", "the other file is not read; import it too", "finds_less");
    leave("url", "nothing is fetched; import that file too", "finds_less");
    leave(
      "disabledRules",
      "they name rules of the file that is extended, which is not read",
      standard ? "finds_more" : "none",
    );
  }

  #unknown(rule: string | undefined, { name, path }: Field): void {
    this.#leave(rule, name.slice(0, 100), this.#document.place(path), "not a field that this import knows", "none");
  }

  /** Reports exceptions that are lost: detectors that replace gitleaks' own rules take none. */
  #withoutExceptions(lists: readonly GitleaksAllowlist[]): void {
    for (const { path } of lists) {
      const reason = "detectors have no exceptions: what it lets through of theirs is redacted";
      this.#leave(undefined, "allowlists", this.#document.place(path), reason, "finds_more");
    }
  }

  #rule(rule: GitleaksRule, general: readonly GitleaksAllowlist[]): readonly PolicyPattern[] {
    const found = this.#pattern(rule);
    if (!found) return [];
    const { place, ...pattern } = found;
    const leave = (name: string, reason: string, effect: Effect): void => {
      const field = rule.fields.get(name);
      if (field) this.#leave(rule.id, name, this.#document.place(field.path), reason, effect);
    };
    const entropy = (rule.fields.get("entropy")?.value as number | undefined) ?? 0;
    if (entropy > 0 && (place === "unknown" || entropy > mostEntropy))
      leave(
        "entropy",
        `the secret cannot be told from the rest of the match: also what looks less random than ${entropy}`,
        "finds_more",
      );
    if (listOf(rule.fields.get("keywords")).some((word) => word !== ""))
      leave("keywords", "a pattern runs on every text, also where no keyword stands", "finds_more");
    leave("path", "text does not say which file it comes from: also in all other files", "finds_more");
    leave("required", "a pattern stands for itself: also where the other findings are missing", "finds_more");
    if (listOf(rule.fields.get("tags")).length > 0) leave("tags", "a pattern has no tags", "none");
    const except = [
      ...general.filter((list) => isFor(list, rule.id)).flatMap((list) => this.#exceptions(rule.id, list, place, true)),
      ...rule.allowlists.flatMap((list) => this.#exceptions(rule.id, list, place, false)),
    ];
    for (const field of rule.unknown) this.#unknown(rule.id, field);
    const random = entropy > 0 && entropy <= mostEntropy && place !== "unknown";
    const { secret, ...rest } = pattern;
    return [
      {
        ...rest,
        ...((random || except.length > 0) && secret !== undefined && { secret }),
        ...(random && { minEntropy: entropy }),
        ...(except.length > 0 && { except: [...new Set(except)] }),
      },
    ];
  }

  /** Returns the exceptions that an allow-list gives a pattern. Omissions of a list for all rules are reported once. */
  #exceptions(rule: string, list: GitleaksAllowlist, place: SecretPlace, general: boolean): readonly string[] {
    const { patterns, left } = exceptionsOf(list, place, this.#regex);
    for (const { field, reason, effect, own } of left) {
      const name = field ? `allowlists.${field.name}` : "allowlists";
      const { path } = field ?? list;
      const about = general && !own ? undefined : rule;
      const key = JSON.stringify([about, path, reason]);
      if (this.#said.has(key)) continue;
      this.#said.add(key);
      this.#leave(about, name, this.#document.place(path), reason, effect);
    }
    return patterns;
  }

  /** Returns the pattern of a rule; undefined if there is none to carry over, which is then reported. */
  #pattern({ id, path, fields }: GitleaksRule): Placed | undefined {
    const field = fields.get("regex");
    const place = this.#document.place(path);
    const whole = (reason: string, effect: Effect): undefined =>
      void this.#leave(id, "rule", place, reason, effect) as undefined;
    if (fields.get("skipReport")?.value === true) return whole("`skipReport`: it only supports other rules", "none");
    if (!field || field.value === "")
      return fields.has("path")
        ? whole("a rule about paths only: redaction is about text", "finds_less")
        : whole("it has no `regex`: it changes a rule of the file that is extended, which is not read", "none");
    const regex = field.value as string;
    const compiled = this.#regex.compile(regex);
    if ("kind" in compiled) {
      const inner =
        compiled.offset === undefined
          ? undefined
          : { start: compiled.offset, end: compiled.end ?? compiled.offset + 1 };
      const span = this.#document.textSpan(field.path, regex, inner);
      return void this.#leave(id, "regex", span, `refused: ${compiled.message}`, "finds_less") as undefined;
    }
    const description = fields.get("description")?.value as string | undefined;
    const line = this.#document.source.position(place.start).line;
    const comment = `line ${line}${description ? `: ${description}` : ""}`;
    return { name: token(id), comment, ...this.#replacement(id, regex, fields) };
  }

  #replacement(
    id: string,
    regex: string,
    fields: ReadonlyMap<string, Field>,
  ): Pick<Placed, "regex" | "replacement" | "secret" | "place"> {
    const given = fields.get("secretGroup");
    const secretGroup = (given?.value ?? 0) as number;
    const isolated = isolateSecret(regex, secretGroup);
    const groups = isolated && this.#regex.compile(isolated.regex);
    if (isolated && groups && !("kind" in groups))
      return {
        regex: isolated.regex,
        replacement: `${isolated.before}[REDACTED:${token(id)}]${isolated.after}`,
        secret: isolated.secret,
        place: "group",
      };
    const untold = secretGroup > 0 || hasGroups(regex);
    if (untold) {
      const { path } = given ?? (fields.get("regex") as Field);
      const reason = "the secret cannot be told from the rest of the match: the whole match is replaced";
      this.#leave(id, "secretGroup", this.#document.place(path), reason, "replaces_more");
    }
    return { regex, replacement: `[REDACTED:${token(id)}]`, place: untold ? "unknown" : "match" };
  }
}

/** True if a pattern has a capturing group. A bracket in a class counts too, because only a remark depends on it. */
function hasGroups(regex: string): boolean {
  return /(?:^|[^\\])\((?!\?)|\(\?P?</.test(regex);
}

/** Returns a rule's id for a replacement: no braces, no white space. */
function token(id: string): string {
  return id.slice(0, 100).replace(/[^\w.-]+/g, "-");
}

/** True if nothing of a configuration could be used. */
export function hasFailedImport({ diagnostics }: GitleaksImport): boolean {
  return hasErrors(diagnostics);
}
