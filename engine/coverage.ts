import {
  type EffectBase,
  type EffectKind,
  type Effects,
  effectKinds,
  type FactSet,
  type PathValue,
  type ShellCommand,
} from "../schema/facts.ts";
import { EvaluationError } from "../schema/ports.ts";
import { matchingElements, type View } from "./evaluate-rule.ts";
import type { LinkedRule } from "./link-plan.ts";
import type { SpokenFor } from "./spoken-for.ts";

/** Coverage of one matching `allow`: the whole call, or some of its commands and effects. */
export interface Cover {
  readonly all: boolean;
  /** True where the rule says `opaque: true`; otherwise it covers certain effects only. */
  readonly opaque: boolean;
  /** The elements of `each` that matched: commands and effects, by identity. */
  readonly elements: ReadonlySet<unknown>;
  /** Every command is covered, and every effect without a command: that of a tool, or of a redirection of a group. */
  readonly every?: true;
  /** Kinds of effects and names that the rule's own words add. */
  readonly spoken: Pick<SpokenFor, "bound" | "kinds" | "names" | "through">;
}

/** One thing that a call does and no `allow` covers. */
export type Uncovered =
  | { readonly kind: EffectKind; readonly effect: EffectBase; readonly command: ShellCommand | undefined }
  | { readonly kind: "elsewhere" | "doubt" | "command"; readonly command: ShellCommand }
  | { readonly kind: "altered" | "wrapper"; readonly command: ShellCommand; readonly by: string }
  | { readonly kind: "nothing" };

/** Returns the coverage of a matching `allow`; undefined for an opaque call without `opaque: true`, and for an unknown call. */
export function coverOf(linked: LinkedRule, view: View): Cover | EvaluationError | undefined {
  const opaque = linked.guards.some(({ plan }) => (plan.parameters as { opaque?: unknown } | null)?.opaque === true);
  const { facts } = view;
  if (facts.understanding === "unknown" || (facts.understanding === "opaque" && !opaque)) return undefined;
  const spoken = linked.spoken();
  if (spoken.bound === "call") return { all: true, opaque, elements: none, spoken };
  if (spoken.bound === "commands")
    return { all: false, opaque, elements: new Set(facts.shell?.commands), every: true, spoken };
  const elements = matchingElements(linked, view);
  return elements instanceof EvaluationError ? elements : { all: false, opaque, elements: new Set(elements), spoken };
}

const none: ReadonlySet<unknown> = new Set();

/** True when every command and every effect of the call is covered (semantics section 3, step 5). */
export function isCovered(covers: readonly Cover[], facts: FactSet): boolean {
  return covers.length > 0 && firstUncovered(covers, facts) === undefined;
}

/**
 * Returns the first part of a call that no `allow` covers. Allowing a command covers its run, its reads, the kinds of effects that
 * the rule names, and with `opaque` its unlisted effects. Allowing an effect covers that effect; allowing a write also covers the
 * read of the same file by the same tool. Where commands are allowed, a command without an effect needs an allow too, unless it is
 * harmless; where effects are allowed, it has nothing to allow. A command may run something else than its name says: by its path,
 * by variables or options, or under a wrapper that changes user or machine. It is covered only where the rule names the cause.
 */
export function firstUncovered(covers: readonly Cover[], facts: FactSet): Uncovered | undefined {
  if (covers.some((cover) => cover.all)) return undefined;
  const call = new CoveredCall(covers, facts);
  return call.run() ?? call.effect() ?? (call.some() ? undefined : { kind: "nothing" });
}

class CoveredCall {
  readonly #covers: readonly Cover[];
  readonly #commands: readonly ShellCommand[];
  readonly #effects: Effects | undefined;

  constructor(covers: readonly Cover[], { shell, effects }: FactSet) {
    this.#covers = covers;
    this.#commands = shell?.commands ?? [];
    this.#effects = effects;
  }

  /** Returns the first command that runs something else than its name says and that no rule names as such. */
  run(): Uncovered | undefined {
    for (const [index, command] of this.#commands.entries()) {
      const bound = this.#covers.filter(
        ({ elements, spoken }) => elements.has(command) || (spoken.through && this.#causes(index, elements)),
      );
      if (command.elsewhere && bound.length === 0) return { kind: "elsewhere", command };
      const isNamed = (name: string): boolean => bound.some(({ spoken }) => spoken.names.has(name));
      const by = command.altered?.find((name) => !isNamed(name));
      if (by !== undefined) return { kind: "altered", command, by };
      const wrapper = command.changing?.find((one) => !isNamed(one) && !this.#isRun(one, command));
      if (wrapper !== undefined) return { kind: "wrapper", command, by: wrapper };
      const doubted = !command.certain && !bound.some(({ opaque }) => opaque) && !this.#hasEffects(index);
      if (doubted) return { kind: "doubt", command };
      if (bound.length === 0 && this.#needsAllow(index, command)) return { kind: "command", command };
    }
    return undefined;
  }

  /** Returns the first effect that no rule covers. */
  effect(): Uncovered | undefined {
    for (const kind of effectKinds)
      for (const effect of this.#effects?.[kind] ?? [])
        if (!this.#isSpokenFor(kind, effect)) return { kind, effect, command: this.#commands[effect.command] };
    return undefined;
  }

  /** True where the call does anything, or one of its commands is allowed: of nothing there is nothing to allow. */
  some(): boolean {
    if (effectKinds.some((kind) => (this.#effects?.[kind].length ?? 0) > 0)) return true;
    return this.#commands.some((command) => this.#has(command, command.certain));
  }

  #has(part: unknown, certain: boolean): boolean {
    return this.#covers.some(({ opaque, elements }) => (certain || opaque) && elements.has(part));
  }

  #isSpokenFor(kind: EffectKind, effect: EffectBase): boolean {
    const certain = effect.certain || effect.placed === true;
    if (this.#has(effect, certain)) return true;
    const command = this.#commands[effect.command];
    const isOwn = kind === "runs" || kind === "reads" || (command !== undefined && isGuess(effect, command));
    // A possible read still belongs to its command.
    const isSure = certain || (kind === "reads" && command?.certain === true);
    const spoken = ({ opaque, elements, every, spoken: { kinds } }: Cover): boolean =>
      (isSure || opaque) && (command ? elements.has(command) : every === true) && (isOwn || kinds.has(kind));
    if (this.#covers.some(spoken)) return true;
    if (kind !== "reads") return false;
    const isOfShell = effect.command < 0 && effect.via === "shell" && this.#commands.length > 0;
    if (isOfShell && certain && this.#commands.every((one) => this.#has(one, one.certain))) return true;
    const { path } = effect as EffectBase & { readonly path: PathValue };
    return (this.#effects?.writes ?? []).some(
      (write) =>
        write.command === effect.command &&
        write.via === effect.via &&
        write.path.lexical === path.lexical &&
        write.path.real === path.real &&
        (!path.tree || write.path.tree === true) &&
        this.#isSpokenFor("writes", write),
    );
  }

  #causes(index: number, elements: ReadonlySet<unknown>): boolean {
    return this.#effectsOf(index).some((effect) => elements.has(effect));
  }

  /** True for a command without effects that is not one of those named, where the rules that matched name commands alone. */
  #needsAllow(index: number, command: ShellCommand): boolean {
    if (command.harmless || this.#hasEffects(index)) return false;
    return this.#covers.every(({ spoken }) => spoken.bound !== "effect");
  }

  #hasEffects(index: number): boolean {
    return this.#effectsOf(index).length > 0;
  }

  #effectsOf(index: number): readonly EffectBase[] {
    const all = effectKinds.flatMap((kind): readonly EffectBase[] => this.#effects?.[kind] ?? []);
    return all.filter(({ command }) => command === index);
  }

  /** True where the wrapper is a separate command of the call that a rule allows. */
  #isRun(wrapper: string, { span }: ShellCommand): boolean {
    return this.#commands.some(
      (outer) =>
        outer.program === wrapper &&
        outer.span.start <= span.start &&
        outer.span.end >= span.end &&
        this.#has(outer, outer.certain),
    );
  }
}

/** True for an effect that is only guessed from a word of an unlisted program: an `allow` of the program covers such guesses. */
function isGuess(effect: EffectBase, { unlisted, redirects }: ShellCommand): boolean {
  if (effect.certain || effect.placed || !unlisted) return false;
  if ("url" in effect) return !/^(?:tcp|udp):/.test((effect as { url: { text: string } }).url.text);
  const { path } = effect as { readonly path?: PathValue };
  return path !== undefined && !redirects.some((redirect) => redirect.path?.lexical === path.lexical);
}
