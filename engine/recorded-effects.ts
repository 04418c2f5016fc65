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
  const listed = new Map<string, RecordedEffect>();
  let more = 0;
  for (const kind of effectKinds) {
    for (const effect of effects[kind]) {
      const target = boundedText(targets[kind](effect as never));
      const key = `${kind}\0${effect.certain}\0${target}`;
      if (listed.has(key)) continue;
      if (listed.size >= limits.recordedEffects) more += 1;
      else listed.set(key, effect.certain ? { kind, target } : { kind, possible: true, target });
    }
  }
  if (listed.size === 0) return {};
  const shown = [...listed.values()];
  return more > 0 ? { effects: shown, more_effects: more } : { effects: shown };
}

/** What an effect is aimed at, in one text. */
const targets: { readonly [Kind in EffectKind]: (effect: Effects[Kind][number]) => string } = {
  reads: ({ path }) => path.real,
  writes: ({ path }) => path.real,
  deletes: ({ path }) => path.real,
  runs: ({ target }) => target,
  // Of an address the place alone: a query may hold anything.
  network: ({ url }) => (url.host === "" ? url.scheme : `${url.scheme}://${url.host}${url.port && `:${url.port}`}`),
  installs: ({ manager, name }) => `${manager} ${name}`.trim(),
  pushes: ({ remote, target }) => `${remote} ${target.branch}`.trim(),
  config: ({ target }) => target,
  kills: ({ target }) => target,
};
