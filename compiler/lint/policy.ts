import type { Source, Span } from "../../diagnostics/source.ts";
import { type Environment, environmentOf } from "../../rules/environment.ts";
import type { ProgramClaim } from "../../schema/declarations.ts";
import type { TypedPolicy } from "../plan.ts";
import type { ExceptionDraft, PolicyDraft, RuleDraft, SequenceDraft } from "../policy-draft.ts";
import { child, strings, type YamlMap, type YamlNode, type YamlScalar } from "../yaml-node.ts";
import { type Claim, claimsOfRule, claimsOutsideRules } from "./claims.ts";
import { Texts } from "./comments.ts";
import { rulesInPlace } from "./in-place.ts";

/** The typed form of a rule, as the plan will have it. */
export type TypedRule = TypedPolicy["rules"][number];

/** A place in a policy's own file, or in that of `source`. */
export interface PlacedSpan extends Span {
  readonly source?: Source;
}

/** A scalar of the document with the keys that lead to it; list items have no key of their own. */
export interface PlacedScalar {
  readonly node: YamlScalar;
  readonly path: readonly string[];
}

/** One rule as lints see it: as written, as parsed and as typed. */
export class LintedRule {
  readonly policy: LintedPolicy;
  readonly draft: RuleDraft;
  /** The mapping that the author wrote. */
  readonly node: YamlMap;
  /** Undefined for a rule that is switched off. */
  readonly typed: TypedRule | undefined;
  /** True for an item of a sequence in the form of a rule. */
  readonly isEarlier: boolean;
  #earlier: readonly LintedRule[] | undefined;
  #claims: readonly Claim[] | undefined;
  #environment: Environment | undefined;

  constructor(policy: LintedPolicy, draft: RuleDraft, node: YamlMap, typed: TypedRule | undefined, isEarlier = false) {
    this.isEarlier = isEarlier;
    this.policy = policy;
    this.draft = draft;
    this.node = node;
    this.typed = typed;
  }

  /** Tests and calls in `when`, `unless`, exceptions and parameters of actions. */
  get claims(): readonly Claim[] {
    this.#claims ??= this.typed ? claimsOfRule(this.typed, this.policy) : [];
    return this.#claims;
  }

  /** The items of the rule's sequence, each in the form of a rule about the earlier event, with the actions and examples of this one. */
  get earlier(): readonly LintedRule[] {
    this.#earlier ??= (this.draft.sequence?.items ?? []).flatMap((item, i) => {
      const node = this.policy.nodeAt(item.span);
      if (node?.kind !== "map") return [];
      return [new LintedRule(this.policy, draftOf(this.draft, item), node, typedItem(this.typed, i), true)];
    });
    return this.#earlier;
  }

  /** Names of the rule's events with their types. */
  get environment(): Environment {
    this.#environment ??= this.policy.environmentOf(this.draft);
    return this.#environment;
  }

  /** True if the rule has the action. */
  does(...names: readonly string[]): boolean {
    return this.draft.actions.some(({ name }) => names.includes(name));
  }

  /** True if a call that the rule misses matters: the rule stops calls, taints what they touch, or takes something out. */
  get catches(): boolean {
    if (this.does("allow")) return false;
    return this.does("block", "ask", "redact") || this.draft.actions.some((action) => this.#taints(action));
  }

  #taints({ name, parameters }: RuleDraft["actions"][number]): boolean {
    const added = name === "label" && parameters ? strings(child(parameters, "add")) : [];
    return added.some(({ value }) => this.policy.draft.labels.get(value)?.kind !== "mark");
  }

  /** True if the rule can stop a call. */
  get guards(): boolean {
    return this.does("block", "ask");
  }
}

/** Returns an item of a sequence as the draft of a rule with the same actions and examples. */
function draftOf(rule: RuleDraft, { events, tools, matchers, when }: SequenceDraft["items"][number]): RuleDraft {
  const none = { each: undefined, unless: undefined, sequence: undefined, budget: undefined };
  return { ...rule, ...none, events, tools, matchers, when };
}

/** Returns an item of a sequence as a typed rule; it holds nothing of the actions, which belong to the rule itself. */
function typedItem(rule: TypedRule | undefined, i: number): TypedRule | undefined {
  const item = rule?.sequence?.items[i];
  if (!rule || !item) return undefined;
  const { each: _each, when: _when, unless: _unless, sequence: _sequence, budget: _budget, ...rest } = rule;
  return { ...rest, ...item, actions: [], exceptions: [] };
}

/** Declared programs by their names, other names among them; `peeled` where a command of that name is the program itself. */
export type DeclaredNames = ReadonlyMap<string, { readonly claim: ProgramClaim; readonly peeled: boolean }>;

/** One policy as lints see it. Everything beyond the constructor is computed at first use. */
export class LintedPolicy {
  readonly typed: TypedPolicy;
  readonly draft: PolicyDraft;
  readonly source: Source;
  /** Programs that the policies of the set declare, by each of their names. */
  readonly programs: DeclaredNames;
  /** The whole document. */
  readonly root: YamlMap;
  readonly rules: readonly LintedRule[];
  #own: readonly Claim[] | undefined;
  #scalars: readonly PlacedScalar[] | undefined;
  #texts: Texts | undefined;
  readonly #listed = new Map<number, readonly { readonly value: string; readonly span: Span }[]>();
  #nodes: ReadonlyMap<number, YamlNode> | undefined;
  readonly #environments = new Map<string, Environment>();

  constructor(typed: TypedPolicy, programs: DeclaredNames) {
    this.typed = typed;
    this.programs = programs;
    const { draft, root } = typed.resolved;
    this.draft = draft;
    this.source = draft.source;
    this.root = root;
    const nodes = itemsOf(child(root, "rules")).filter((node) => node.kind === "map");
    const byId = new Map(rulesInPlace(typed).map((rule) => [rule.id, rule]));
    this.rules = draft.rules.flatMap((rule, i) => {
      const node = nodes[i];
      return node ? [new LintedRule(this, rule, node, byId.get(rule.id))] : [];
    });
  }

  /** Tests and calls outside rules: in named conditions, in every variant that the plan has, and in waivers for other policies. */
  get ownClaims(): readonly Claim[] {
    this.#own ??= claimsOutsideRules(this.typed, this);
    return this.#own;
  }

  /** Returns the place of one constant of a claim, or of its operand where the constant has no place in this file. */
  valueSpan(claim: Claim, index: number): PlacedSpan {
    const { isWritten, operandSpan, values } = claim;
    const given = this.givenTo(claim, index);
    if (given) return given;
    const listed = this.#listedAt(operandSpan)[index];
    if (listed && listed.value === values?.[index]) return listed.span;
    const node = isWritten ? this.nodeAt(operandSpan) : this.#named(operandSpan);
    const item = node?.kind === "list" ? node.items[index] : undefined;
    // Whoever imports the policy may have given a parameter another value.
    const isOther = !isWritten && (item?.kind !== "scalar" || item.value !== values?.[index]);
    return item && !isOther ? item.span : operandSpan;
  }

  /** Returns the place where an importer gives the values of a claim, or one of them; undefined for any other claim. */
  givenTo({ source, values }: Claim, index?: number): PlacedSpan | undefined {
    const given = source === undefined ? undefined : this.typed.resolved.given.get(source);
    if (!given) return undefined;
    const { node } = given;
    const item = node.kind === "list" && index !== undefined ? node.items[index] : undefined;
    const isSame = item?.kind === "scalar" && item.value === values?.[index ?? 0];
    return { ...(isSame ? item.span : node.span), source: given.source };
  }

  /** Returns the texts of a list that an expression holds, each with its place, quotes included; none for anything else. */
  #listedAt(span: Span): readonly { readonly value: string; readonly span: Span }[] {
    const known = this.#listed.get(span.start);
    if (known) return known;
    const text = this.textAt(span);
    const texts = text.startsWith("[") ? [...text.matchAll(/"([^"\\]*)"|'([^'\\]*)'/g)] : [];
    const found = texts.map(({ 0: quoted, 1: double, 2: single = "", index }) => {
      const start = span.start + index;
      return { value: double ?? single, span: { start, end: start + quoted.length } };
    });
    this.#listed.set(span.start, found);
    return found;
  }

  /** Returns the list or default that a name at a span refers to, if this file has it. */
  #named(span: Span): YamlNode | undefined {
    const name = /^["']?(?:\$|(?:lists|parameters)\.)?([A-Za-z_]\w*)["']?$/.exec(this.textAt(span))?.[1];
    if (name === undefined) return undefined;
    const list = child(child(this.root, "lists"), name);
    return list ?? child(child(child(this.root, "parameters"), name), "default");
  }

  /** Exceptions as parsed, each with what the author wrote. */
  get exceptions(): readonly { readonly draft: ExceptionDraft; readonly node: YamlNode }[] {
    const nodes = itemsOf(child(this.root, "exceptions"));
    return this.draft.exceptions.flatMap((draft, i) => {
      const node = nodes[i];
      return node ? [{ draft, node }] : [];
    });
  }

  /** Every scalar value of the document. */
  get scalars(): readonly PlacedScalar[] {
    this.#scalars ??= scalarsOf(this.root);
    return this.#scalars;
  }

  /** Returns the scalars within a span, by binary search: they are in file order. */
  scalarsIn({ start, end }: Span): readonly PlacedScalar[] {
    const all = this.scalars;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle]?.node.span.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    const found: PlacedScalar[] = [];
    for (let i = low; i < all.length && (all[i]?.node.span.end ?? 0) <= end; i++) found.push(all[i] as PlacedScalar);
    return found;
  }

  /** The places of keys and values; all other text is punctuation or a comment. */
  get texts(): Texts {
    this.#texts ??= new Texts(this.root);
    return this.#texts;
  }

  /** Returns the node with exactly this span. */
  nodeAt({ start, end }: Span): YamlNode | undefined {
    this.#nodes ??= nodesOf(this.root);
    return this.#nodes.get(placeKey({ start, end }));
  }

  /** Text of the file at a span. */
  textAt({ start, end, source }: PlacedSpan): string {
    return (source ?? this.source).text.slice(start, end);
  }

  /** Returns the environment of a rule's events and tools, without the variables that the rule binds. */
  environmentOf({ events, tools }: Pick<RuleDraft, "events" | "tools">): Environment {
    const key = JSON.stringify([events, tools]);
    const known = this.#environments.get(key) ?? environmentOf(events, tools);
    this.#environments.set(key, known);
    return known;
  }
}

function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}

/** Reading bounds depth and number of nodes. */
function scalarsOf(root: YamlNode): PlacedScalar[] {
  const found: PlacedScalar[] = [];
  const visit = (node: YamlNode, path: readonly string[]): void => {
    if (node.kind === "scalar") found.push({ node, path });
    else if (node.kind === "list") for (const item of node.items) visit(item, path);
    else for (const { key, value } of node.entries) visit(value, [...path, key]);
  };
  visit(root, []);
  return found;
}

/** Files are far shorter than this. */
const longestFile = 2 ** 24;

function placeKey({ start, end }: Span): number {
  return start * longestFile + end;
}

function nodesOf(root: YamlNode): Map<number, YamlNode> {
  const found = new Map<number, YamlNode>();
  const open: YamlNode[] = [root];
  for (const node of open) {
    const key = placeKey(node.span);
    if (!found.has(key)) found.set(key, node);
    if (node.kind === "list") for (const item of node.items) open.push(item);
    if (node.kind === "map") for (const { value } of node.entries) open.push(value);
  }
  return found;
}
