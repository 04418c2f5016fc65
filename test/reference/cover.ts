import type { Ir, Plan, PlanRule } from "../../engine/plan.ts";
import { type EffectKind, type Effects, effectKinds, type FactSet, type ShellCommand } from "../../schema/facts.ts";
import type { Value } from "../../schema/ports.ts";
import { entryAt } from "./data.ts";

/** What an `allow` that matched says of the call. */
export interface Allowed {
  readonly rule: PlanRule;
  /** Its elements; without `each`, nothing. */
  readonly elements: readonly Value[] | undefined;
  readonly opaque: boolean;
}

type Effect = Effects[EffectKind][number];

/** A condition with negations at its tests, named ones spelled out: a tree of `and`, `or` and tests. */
type Tree = { readonly op: "and" | "or"; readonly of: readonly Tree[] } | { readonly test: Ir; readonly not: boolean };

function treeOf(ir: Ir, not: boolean, plan: Pick<Plan, "conditions">, depth: number): Tree {
  if (ir.k === "not") return treeOf(ir.arg, !not, plan, depth);
  const named = ir.k === "condition" && depth > 0 ? plan.conditions[ir.name] : undefined;
  if (named) return treeOf(named, not, plan, depth - 1);
  if (ir.k !== "and" && ir.k !== "or") return { test: ir, not };
  const op = not ? (ir.k === "and" ? "or" : "and") : ir.k;
  return { op, of: ir.args.map((arg) => treeOf(arg, not, plan, depth)) };
}

function tests(tree: Tree): readonly { readonly test: Ir; readonly not: boolean }[] {
  return "test" in tree ? [tree] : tree.of.flatMap(tests);
}

/** Tests of which each must hold. */
function musts(tree: Tree): readonly { readonly test: Ir; readonly not: boolean }[] {
  if ("test" in tree) return [tree];
  return tree.op === "and" || tree.of.length === 1 ? tree.of.flatMap(musts) : [];
}

/** One `allow` and what its text names. */
class Voice {
  readonly opaque: boolean;
  readonly #elements: readonly Value[] | undefined;
  readonly #wholeCall: boolean;
  readonly #kinds: readonly string[];
  readonly #names: string;
  readonly #ofCause: boolean;
  /** Its rule names commands, one by one or all of them. */
  readonly isOfCommands: boolean;

  constructor({ rule, elements, opaque }: Allowed, plan: Plan) {
    const tree: Tree = rule.when ? treeOf(rule.when, false, plan, 16) : { op: "and", of: [] };
    const texts = tests(tree).map(({ test, not }) => ({ not, text: plain(test) }));
    const action = rule.actions.find((one) => one.action === "allow");
    const given = action && entryAt(action.parameters as Value | undefined, "effects");
    const listed = Array.isArray(given) ? given.map(String) : undefined;
    const shell = texts.some(({ text }) => /"k":"root","name":"shell\.(?:commands|pipelines)"/.test(text));
    this.opaque = opaque;
    this.#elements = elements;
    this.#wholeCall = !rule.each && !shell && listed === undefined;
    const all = musts(tree).flatMap(({ test, not }) => {
      if (test.k !== "loop" || test.loop !== (not ? "exists" : "all")) return [];
      return test.list.k === "root" && !test.list.certain ? [test.list.name.replace(/^effects\./, "")] : [];
    });
    this.#kinds = [...(listed ?? []), ...all];
    const positive = texts.filter(({ not }) => !not).map(({ text }) => text);
    this.#names = askedNames(positive);
    const isEach = rule.each?.list.k === "root" && rule.each.list.name === "shell.commands";
    this.isOfCommands = rule.each === undefined || isEach;
    this.#ofCause =
      rule.each !== undefined && !isEach && positive.some((text) => /"name":"command"/.test(fieldsOnly(text)));
  }

  get whole(): boolean {
    return this.#wholeCall;
  }

  /** It speaks of this thing: an element of it, or any command where the rule has no `each` and looks at commands. */
  of(thing: unknown, isCommand: boolean): boolean {
    if (this.#elements) return this.#elements.includes(thing as Value);
    return isCommand;
  }

  get every(): boolean {
    return this.#elements === undefined;
  }

  reaches(command: ShellCommand, caused: readonly Effect[]): boolean {
    return this.of(command, true) || (this.#ofCause && caused.some((effect) => this.of(effect, false)));
  }

  kind(name: string): boolean {
    return this.#kinds.includes(name);
  }

  names(text: string): boolean {
    return this.#names.includes(JSON.stringify(text));
  }
}

/** Of the texts of tests those that ask for wrappers, variables or options. */
function askedNames(positive: readonly string[]): string {
  const asks =
    /"k":"(?:field|has)"[^{}]*"name":"(?:wrappers|env|options)"|"name":"(?:wrappers|env|options)"[^{}]*"k":"(?:field|has)"/;
  return positive.filter((text) => asks.test(fieldsOnly(text)) || /"fn":"[^"]*has_option/.test(text)).join("\n");
}

/** What waivers ask for by name of that which makes another run of a command, as text. */
export function namedByWaivers(waivers: readonly (Ir | undefined)[], plan: Pick<Plan, "conditions">): string {
  const texts = waivers.flatMap((waiver) => (waiver ? tests(treeOf(waiver, false, plan, 16)) : []));
  return askedNames(texts.filter(({ not }) => !not).map(({ test }) => plain(test)));
}

/** A test as text, without its places. */
function plain(ir: Ir): string {
  return JSON.stringify(ir, (key, value) => (key === "at" ? undefined : value));
}

/** The names of fields in it, whatever they are fields of. */
function fieldsOnly(text: string): string {
  const found: string[] = [];
  JSON.parse(text, (_, value) => {
    if (value?.k === "field" || value?.k === "has")
      found.push(`{"k":"${value.k}","name":${JSON.stringify(value.name)}}`);
    return value;
  });
  return found.join("\n");
}

/** Everything that a call does is spoken for by one of the `allow` that matched (language section 2, "What an allow covers"). */
export function isAllowed(allows: readonly Allowed[], { shell, effects }: FactSet, plan: Plan): boolean {
  const voices = allows.map((one) => new Voice(one, plan));
  if (voices.some(({ whole }) => whole)) return true;
  const commands = shell?.commands ?? [];
  const listed = effectKinds.flatMap((kind) => (effects?.[kind] ?? []).map((effect) => ({ kind, effect })));
  const caused = (index: number): Effect[] =>
    listed.flatMap(({ effect }) => (effect.command === index ? [effect] : []));
  const sure = ({ certain, placed }: { certain: boolean; placed?: true }, voice: Voice): boolean =>
    certain || placed === true || voice.opaque;
  const isRunAllowed = (command: ShellCommand): boolean => voices.some((v) => v.of(command, true) && sure(command, v));

  for (const [index, command] of commands.entries()) {
    const about = voices.filter((voice) => voice.reaches(command, caused(index)));
    const isNamed = (text: string): boolean => about.some((voice) => voice.names(text));
    const isOwn = (wrapper: string): boolean =>
      commands.some(
        (one) =>
          one.program === wrapper &&
          one.span.start <= command.span.start &&
          command.span.end <= one.span.end &&
          isRunAllowed(one),
      );
    if (command.elsewhere && about.length === 0) return false;
    if ((command.altered ?? []).some((text) => !isNamed(text))) return false;
    if ((command.changing ?? []).some((wrapper) => !isNamed(wrapper) && !isOwn(wrapper))) return false;
    const isBare = caused(index).length === 0 && about.length === 0 && command.harmless !== true;
    if (isBare && voices.every((voice) => voice.isOfCommands)) return false;
    if (!command.certain && caused(index).length === 0 && !about.some(({ opaque }) => opaque)) return false;
  }

  const isEffectAllowed = (kind: EffectKind, effect: Effect): boolean => {
    const command = commands[effect.command];
    const free = kind === "reads" || kind === "runs" || (command !== undefined && isOnlyGuessed(effect, command));
    // A possible read of a command that surely runs is its read all the same.
    const isReadOfSure = kind === "reads" && command?.certain === true;
    return voices.some((voice) => {
      if (sure(effect, voice) && voice.of(effect, false)) return true;
      if (!sure(effect, voice) && !isReadOfSure) return false;
      return (command ? voice.of(command, true) : voice.every) && (free || voice.kind(kind));
    });
  };
  const isWithWrite = (read: Effect): boolean =>
    (effects?.writes ?? []).some(
      (write) =>
        "path" in read &&
        [write.command, write.via, write.path.lexical, write.path.real].join("\n") ===
          [read.command, read.via, read.path.lexical, read.path.real].join("\n") &&
        (write.path.tree === true || !read.path.tree) &&
        isEffectAllowed("writes", write),
    );
  const isOfGroup = (effect: Effect): boolean =>
    effect.command < 0 &&
    effect.via === "shell" &&
    (effect.certain || effect.placed === true) &&
    commands.length > 0 &&
    commands.every(isRunAllowed);
  for (const { kind, effect } of listed) {
    if (isEffectAllowed(kind, effect)) continue;
    if (kind !== "reads" || !(isWithWrite(effect) || isOfGroup(effect))) return false;
  }
  return listed.length > 0 || commands.some(isRunAllowed);
}

/** What a program without a row may do with a word, apart from its redirections. */
function isOnlyGuessed(effect: Effect, { unlisted, redirects }: ShellCommand): boolean {
  if (effect.certain || effect.placed || !unlisted) return false;
  if ("url" in effect) return !effect.url.text.startsWith("tcp:") && !effect.url.text.startsWith("udp:");
  if (!("path" in effect)) return false;
  return redirects.every(({ path }) => path?.lexical !== effect.path.lexical);
}
