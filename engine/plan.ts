import type { Declarations } from "../schema/declarations.ts";
import type { EventName } from "../schema/events.ts";

/**
 * The plan: what the compiler hands to the engine. Plain JSON, so that it can be cached, sharded and
 * written by `compile --target plan`. Nothing in it is text to be parsed again but RE2 patterns.
 */

/** Span of a node in the file of its policy, for `explain`: UTF-16 offsets. */
export type At = readonly [start: number, end: number];

/**
 * Slots with a fixed meaning: the element of `each`, and the message that a `where` judges. Macros use the slots after them. A
 * text that may cite a match has it in the first of these, and its own macros use the later ones.
 */
export const reservedSlots = { each: 0, message: 1, free: 2, match: 2 } as const;

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Typed IR. Names are resolved, overloads chosen, absence guards explicit. `at` is only for people. */
export type Ir = IrNode & { readonly at?: At };

type IrNode =
  /** A constant. `type` is set where JSON cannot tell: an integral double, a duration ("10m"), a timestamp (RFC 3339). */
  | { readonly k: "const"; readonly value: Json; readonly type?: "double" | "duration" | "timestamp" }
  /** A root of the event (`args`, `environment`, `tool`, …) or a fact (`effects.deletes`, `shell.commands`). `certain` keeps certain elements only. */
  | { readonly k: "root"; readonly name: string; readonly certain?: true }
  /** A bound variable: `each`, or a macro's. */
  | { readonly k: "slot"; readonly slot: number; readonly name: string }
  /**
   * Own field or map key; an absent one is an error value, or none when `optional` (then the value is an Optional). `forms`
   * marks the name of a program in a test that loosens: there a program called from elsewhere has no name.
   */
  | { readonly k: "field"; readonly of: Ir; readonly name: string; readonly optional?: true; readonly forms?: "all" }
  | { readonly k: "has"; readonly of: Ir; readonly name: string }
  | { readonly k: "index"; readonly of: Ir; readonly index: Ir; readonly optional?: true }
  /** A function or operator by overload id. `forms` says how both forms of a path combine. */
  | { readonly k: "call"; readonly fn: string; readonly args: readonly Ir[]; readonly forms?: "all" }
  | { readonly k: "and" | "or"; readonly args: readonly Ir[] }
  | { readonly k: "not"; readonly arg: Ir }
  | { readonly k: "if"; readonly test: Ir; readonly then: Ir; readonly else: Ir }
  | { readonly k: "list"; readonly items: readonly { readonly value: Ir; readonly optional?: true }[] }
  | {
      readonly k: "map";
      readonly entries: readonly { readonly key: Ir; readonly value: Ir; readonly optional?: true }[];
    }
  /** A macro over a list or a map's keys. `where` filters before `body` (three-argument map). */
  | {
      readonly k: "loop";
      readonly loop: "all" | "exists" | "exists_one" | "filter" | "map";
      readonly list: Ir;
      readonly slot: number;
      readonly where?: Ir;
      readonly body: Ir;
    }
  /** A named condition, by `policy/name`. Counted in full for each user. */
  | { readonly k: "condition"; readonly name: string };

/** Text with interpolations: constant parts and expressions. */
export type Template = readonly (string | { readonly expr: Ir })[];

/** Who owns a policy, strongest first, which is the order of judging (semantics section 3, "Scopes"). */
export type Scope = "builtin" | "managed" | "user" | "project";
/** Mode of a rule: its outcome counts (`enforce`), or is only reported (`monitor`). */
export type Mode = "enforce" | "monitor";
/** Outcome where no guard decides: for a call that no rule answers, or one that could not be understood. */
export type Fallback = "allow" | "ask" | "block";
/** Behaviour of a guard if it is unknown whether its rule applies: ask a human, act as if it applies, or as if it does not. */
export type WhenUnsure = "ask" | "match" | "ignore";
/** How bad a match is, for people and reports; it never changes a decision. */
export type Severity = "info" | "low" | "medium" | "high" | "critical";

/** Settings of a policy file for all of its rules: mode, outcomes where no guard decides, labels, audit. */
export interface PlanPolicy {
  readonly id: string;
  readonly scope: Scope;
  readonly mode: Mode;
  /** A project's policy that no human has trusted: `schema/untrusted-policies.ts` says what its actions do. */
  readonly untrusted?: true;
  readonly default: Fallback;
  readonly unknown: Fallback;
  /** Labels that the policy declares; a taint is cleared by an approval only. */
  readonly labels?: Readonly<Record<string, "taint" | "mark">>;
  readonly audit: {
    readonly mode: "required" | "best_effort";
    readonly durability: "group" | "strict" | "relaxed";
    /** Form in which records keep events: masked and bounded views, digests alone, or whole events. */
    readonly keep: "views" | "digests" | "events";
  };
  /** Digest of the bytes of its file, `sha256:…`. Where the file stood is no part of the plan. */
  readonly source: string;
}

/** One action of a rule. `parameters` are checked by the compiler; their shape belongs to the action. */
export interface PlanAction {
  readonly action: string;
  readonly parameters: Json;
  /** Templates and conditions among the parameters, by name, since they hold IR; `parameters` has `true` under these names. */
  readonly templates?: Readonly<Record<string, Template>>;
  readonly conditions?: Readonly<Record<string, Ir>>;
}

/** A dated permission that takes a rule out for matching events; without `when` for all of them (language page). */
export interface PlanException {
  readonly when: Ir | undefined;
  /** End of the day (exclusive), milliseconds since the epoch, by event time. */
  readonly expires: number | undefined;
  readonly reason: string;
}

/** One item of a sequence: the conditions on a past event (language section 5). */
export interface PlanItem {
  readonly events: readonly EventName[];
  /** Canonical names or globs; empty means any tool. */
  readonly tools: readonly string[];
  readonly when?: Ir;
  /** Needs parsed shell or effects; an unknown call then counts as the item, on the strict side. */
  readonly needs: boolean;
}

/** Items that must have happened, in this order, before the judged event. Windows end at the judged event. */
export interface PlanSequence {
  readonly items: readonly PlanItem[];
  /** The whole sequence lies within this many calls. */
  readonly calls?: number;
  /** The whole sequence lies within this many milliseconds of event time. */
  readonly time?: number;
  /** Only calls that were let through count. */
  readonly executed?: true;
}

/** How much a session, agent, tool or turn may use before the rule applies. */
export interface PlanBudget {
  readonly per: "session" | "agent" | "tool" | "turn";
  readonly limit: number;
  /** Sliding window in milliseconds of event time; without it the sum over the whole session. */
  readonly within?: number;
  /** A list, counted, or an int; 1 for each event without it. */
  readonly of?: Ir;
  /** Only calls that were let through count. */
  readonly executed?: true;
}

/** One complete rule: the events and tools it applies to, its conditions as IR, and its actions. */
export interface PlanRule {
  /** `policy/rule`. */
  readonly id: string;
  /** Index into `Plan.policies`. */
  readonly policy: number;
  readonly position: number;
  readonly title: string;
  readonly severity: Severity;
  readonly tags: readonly string[];
  readonly mode: Mode;
  /** Behaviour if it is unknown whether the rule applies; default `ask`. */
  readonly unsure?: WhenUnsure;
  readonly events: readonly EventName[];
  /** Canonical names or globs (`*` within a name part); empty means any tool. */
  readonly tools: readonly string[];
  /** The effect list and slot of `each`. */
  readonly each?: { readonly name: string; readonly slot: number; readonly list: Ir };
  readonly when?: Ir;
  readonly unless?: Ir;
  readonly sequence?: PlanSequence;
  readonly budget?: PlanBudget;
  /** Rule needs parsed shell or effects: it does not apply to a call that is unknown. */
  readonly needs: boolean;
  readonly actions: readonly PlanAction[];
  readonly reason?: Template;
  readonly guidance?: Template;
  /** A text of the rule cites `match`, so that the groups of a `matches` are collected when the rule matches. */
  readonly captures?: true;
  readonly exceptions: readonly PlanException[];
  readonly at: At;
}

/** Everything the engine needs to judge events, in one value; two plans with the same `digest` decide alike. */
export interface Plan {
  readonly format: 1;
  /** Version of the engine that compiled it. */
  readonly engine: string;
  /** Versions of fact tables that it was checked against. */
  readonly tables: Readonly<Record<string, string>>;
  /** SHA-256 over the canonical JSON of everything else, `sha256:…`: the policy digest of decisions and records. */
  readonly digest: string;
  readonly policies: readonly PlanPolicy[];
  /** Programs and tools that the policies declare; absent where they declare nothing that facts need. */
  readonly declared?: Declarations;
  /** Named conditions by `policy/name`. */
  readonly conditions: Readonly<Record<string, Ir>>;
  /** In judging order: scope, policy id, position. */
  readonly rules: readonly PlanRule[];
}
