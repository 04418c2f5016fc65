import type { Source, Span } from "../diagnostics/source.ts";
import type { Fallback, Mode, PlanBudget, PlanPolicy, Scope, Severity, WhenUnsure } from "../engine/plan.ts";
import type { Expression } from "../rules/ast.ts";
import type { PlacedText } from "../rules/environment.ts";
import type { ProgramClaim, ToolClaim } from "../schema/declarations.ts";
import type { EventName } from "../schema/events.ts";
import type { YamlMap, YamlNode } from "./yaml-node.ts";

/** A policy file as given to the compiler. `name` is shown to people, `path` identifies the file. */
export interface PolicyFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly scope?: Scope;
}

/** Text with interpolations before names are known. */
export type TextDraft = readonly (string | Expression)[];

/** An action as written; its parameters stay YAML until its own schema checks them. */
export interface ActionDraft {
  readonly name: string;
  readonly span: Span;
  readonly parameters: YamlMap | undefined;
}

/** One example: a text or an event, and where it stands. */
export interface Example {
  readonly value: unknown;
  readonly span: Span;
}

/** `sequence` of a rule: its items with untyped conditions, windows in calls and milliseconds. */
export interface SequenceDraft {
  readonly span: Span;
  readonly items: readonly {
    readonly span: Span;
    readonly events: readonly EventName[];
    readonly tools: readonly string[];
    readonly matchers: readonly PlacedText[];
    readonly when: Expression | undefined;
  }[];
  readonly calls: number | undefined;
  readonly time: number | undefined;
  readonly executed: boolean;
}

/** `budget` of a rule; `within` in milliseconds. */
export interface BudgetDraft {
  readonly span: Span;
  readonly per: PlanBudget["per"];
  readonly limit: number;
  readonly within: number | undefined;
  readonly of: Expression | undefined;
  readonly executed: boolean;
}

/** A rule after parsing: conditions are AST, names of events are canonical, nothing is typed yet. */
export interface RuleDraft {
  /** `policy/rule`. */
  readonly id: string;
  readonly span: Span;
  readonly title: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly mode: Mode | undefined;
  /** Its own, or that of the policy. */
  readonly unsure: WhenUnsure | undefined;
  readonly enabled: boolean;
  readonly events: readonly EventName[];
  readonly tools: readonly string[];
  /** The tool matchers as written. */
  readonly matchers: readonly PlacedText[];
  readonly each: { readonly name: string; readonly list: Expression } | undefined;
  readonly when: Expression | undefined;
  readonly unless: Expression | undefined;
  readonly sequence: SequenceDraft | undefined;
  readonly budget: BudgetDraft | undefined;
  readonly actions: readonly ActionDraft[];
  readonly reason: TextDraft | undefined;
  readonly guidance: TextDraft | undefined;
  readonly examples: { readonly match: readonly Example[]; readonly no_match: readonly Example[] };
}

/** A declared parameter; `value` is its default, undefined without one, and `span` that of its name. */
export interface ParameterDraft {
  readonly type: "string" | "int" | "bool" | "list(string)" | "list(int)";
  readonly value: unknown;
  readonly span: Span;
  readonly description: string;
}

/** An exception before its globs select rules; `expires` in milliseconds since the epoch, exclusive. */
export interface ExceptionDraft {
  readonly span: Span;
  readonly rules: readonly { readonly glob: string; readonly span: Span }[];
  readonly when: Expression | undefined;
  readonly expires: number | undefined;
  readonly reason: string;
}

/** An import of either a pack or a file, with its parameters (`with`) and the rules that it changes. */
export interface ImportDraft {
  readonly span: Span;
  readonly pack: string | undefined;
  readonly file: string | undefined;
  readonly with: readonly { readonly name: string; readonly span: Span; readonly node: YamlNode }[];
  readonly mode: Mode | undefined;
  readonly overrides: readonly {
    readonly rule: string;
    readonly span: Span;
    readonly severity: Severity | undefined;
    readonly mode: Mode | undefined;
    readonly enabled: boolean | undefined;
  }[];
}

/** A declared program with the spans for findings. */
export interface ProgramDraft {
  readonly claim: ProgramClaim;
  readonly span: Span;
  readonly aliasSpans: readonly Span[];
}

/** A declared tool with the place of its name. */
export interface ToolDraft {
  readonly claim: ToolClaim;
  readonly span: Span;
}

/** A policy file after parsing. */
export interface PolicyDraft {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly span: Span;
  readonly file: PolicyFile;
  readonly source: Source;
  readonly mode: Mode;
  readonly default: Fallback;
  readonly unknown: Fallback;
  readonly audit: PlanPolicy["audit"];
  /** Place of its setting of what records keep (`keep`); undefined without one. */
  readonly keepSpan: Span | undefined;
  readonly parameters: ReadonlyMap<string, ParameterDraft>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Spans of the items of each list. */
  readonly listPlaces: ReadonlyMap<string, readonly Span[]>;
  /** Programs and tools of the author's own, by name. */
  readonly programs: ReadonlyMap<string, ProgramDraft>;
  readonly tools: ReadonlyMap<string, ToolDraft>;
  /** Declared labels by name. */
  readonly labels: ReadonlyMap<string, { readonly kind: "taint" | "mark"; readonly span: Span }>;
  readonly conditions: ReadonlyMap<string, { readonly expression: Expression; readonly span: Span }>;
  readonly imports: readonly ImportDraft[];
  readonly rules: readonly RuleDraft[];
  readonly exceptions: readonly ExceptionDraft[];
}
