import type { Code } from "../../diagnostics/codes.ts";
import type { Fix, Related } from "../../diagnostics/diagnostic.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Claim } from "./claims.ts";
import type { LintedPolicy, LintedRule, PlacedSpan } from "./policy.ts";

/** Finding of a lint in one policy. The span is in its file unless it says otherwise; code and severity are those of the lint. */
export interface Finding {
  readonly span: PlacedSpan;
  readonly message: string;
  /** The next step, in one line. */
  readonly help: string;
  readonly fix?: Fix;
  readonly related?: readonly Related[];
}

/** Context of every lint. Where a policy has an error, `policies` has a constant in place of each part with one. */
export interface LintContext {
  /** The policies of the set in judging order, imported ones among them, without the built-in one. */
  readonly policies: readonly LintedPolicy[];
  readonly regex: RegexEngine;
  /** Milliseconds since the epoch; undefined if no day was given, and then lints ignore dates. */
  readonly now: number | undefined;
}

/** Whose claim it is; no rule in a named condition and in a waiver for another policy. */
export interface ClaimPlace {
  readonly policy: LintedPolicy;
  readonly rule: LintedRule | undefined;
}

/** A text that shows a lint. Without a line `version:` the head of a policy is put before it. */
export interface GoodExample {
  readonly title: string;
  readonly policy: string;
  /** Other files of the set by name, e.g. for an import. */
  readonly others?: Readonly<Record<string, string>>;
}

/** A policy in which the lint finds something, and no other lint of its severity or above does. */
export interface BadExample extends GoodExample {
  /** Texts at the places of the findings, in order; the beginning will do. */
  readonly at: readonly string[];
  /** The whole text after its fixes are made; a lint with a fix must show it. */
  readonly fixed?: string;
}

/**
 * One kind of advice about policies, in the file of its name in `units/`. A lint reports nothing if it is unsure. It checks any
 * of: every claim (a test or call in a condition, typed), every rule, every policy, the set as a whole. Source: semantics page
 * section 6 (`check`).
 */
export interface Lint {
  readonly code: Code;
  /** In kebab-case, as its file is called. */
  readonly name: string;
  /** Why it matters, for the page: one or two sentences. */
  readonly why: string;
  /** Advice on the lint's page: one or two sentences. */
  readonly advice: string;
  readonly bad: readonly BadExample[];
  readonly good: readonly GoodExample[];
  /** Checks rules even where they have an error; lints of single claims always do. */
  readonly besideErrors?: boolean;
  /** `rule` checks each item of a sequence as well, in the form of a rule about the earlier event. */
  readonly ofItems?: boolean;
  claim?(claim: Claim, place: ClaimPlace, context: LintContext): Finding | readonly Finding[] | undefined;
  rule?(rule: LintedRule, context: LintContext): readonly Finding[];
  policy?(policy: LintedPolicy, context: LintContext): readonly Finding[];
  set?(context: LintContext): readonly (Finding & { readonly policy: LintedPolicy })[];
}

/** The whole text of an example. */
export function exampleText({ policy }: GoodExample): string {
  return wholeText(policy);
}

/** The text with the head of a policy before it, unless it has one. */
export function wholeText(text: string): string {
  if (/^version:/m.test(text)) return text;
  return `version: 1\npolicy: example\n${/^(?:rules|imports|labels|lists|parameters|conditions|exceptions):/.test(text) ? "" : "rules:\n"}${text}`;
}
