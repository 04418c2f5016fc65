import { shownPath, shownText } from "../schema/approximation.ts";
import { type EffectKind, type Effects, effectKinds } from "../schema/facts.ts";
import type { RecordedEffect } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { boundedText } from "./recorded-view.ts";

/** Effects of a call as its record lists them: each once, at most `limits.recordedEffects`, and how many more there are. */
export function recordedEffects(effects: Effects | undefined): {
  readonly effects?: RecordedEffect[];
  readonly more_effects?: number;
} {
  if (!effects) return {};
  const listed = new Listed();
  const { shown } = listed;
  let more = 0;
  for (const kind of effectKinds) {
    for (const effect of effects[kind]) {
      const target = boundedText(targets[kind](effect as never));
      const one: RecordedEffect = effect.certain ? { kind, target } : { kind, possible: true, target };
      if (listed.has(one)) continue;
      if (shown.length >= limits.recordedEffects) more += 1;
      else listed.add(one);
    }
  }
  if (shown.length === 0) return {};
  return more > 0 ? { effects: shown, more_effects: more } : { effects: shown };
}

/** Most effects that are compared one by one; most calls have fewer. */
const fewEffects = 8;

/** Effects, each once. */
class Listed {
  readonly shown: RecordedEffect[] = [];
  #keys: Set<string> | undefined;

  has(given: RecordedEffect): boolean {
    if (this.#keys) return this.#keys.has(keyOf(given));
    const { kind, possible, target } = given;
    for (const one of this.shown)
      if (one.kind === kind && one.target === target && one.possible === possible) return true;
    return false;
  }

  add(one: RecordedEffect): void {
    this.shown.push(one);
    if (this.#keys) this.#keys.add(keyOf(one));
    else if (this.shown.length >= fewEffects) this.#keys = new Set(this.shown.map(keyOf));
  }
}

function keyOf({ kind, possible, target }: RecordedEffect): string {
  return `${kind}\0${possible === true}\0${target}`;
}

/** Target of an effect as one text, by its kind. */
const targets: { readonly [Kind in EffectKind]: (effect: Effects[Kind][number]) => string } = {
  reads: ({ path }) => shownPath(path, "real"),
  writes: ({ path }) => shownPath(path, "real"),
  deletes: ({ path }) => shownPath(path, "real"),
  runs: ({ target }) => shownText(target),
  // Of a URL only scheme, host and port: a query may hold anything.
  network: ({ url }) => {
    const [scheme, host, port] = [url.partly ?? url].flatMap((known) =>
      [known.scheme, known.host, known.port].map(shownText),
    );
    return host === "" ? (scheme ?? "") : `${scheme}://${host}${port && `:${port}`}`;
  },
  installs: ({ manager, name }) => `${manager} ${shownText(name)}`.trim(),
  pushes: ({ remote, target }) => `${shownText(remote)} ${shownText(target.branch)}`.trim(),
  config: ({ target }) => shownText(target),
  kills: ({ target }) => shownText(target),
};
