import { type Approximation, anyText } from "../../schema/approximation.ts";
import { type EffectKind, effectKinds, type PathValue, type UnseenEffect, type UrlValue } from "../../schema/facts.ts";

/** Name of the cause of possible effects of unseen code. */
export const unseenVia = "unseen code";

/** Makes the possible effects of unseen code: one of each kind, with unknown fields. */
export function unseenEffects(of: string): Readonly<Record<EffectKind, UnseenEffect>> {
  const any = anyText(of);
  const known = { via: unseenVia, certain: false, command: -1 } as const;
  const on = { path: anyPath(any), recursive: any, metadata_only: any };
  const named = { ...known, target: any, source: any };
  const made: Readonly<Record<EffectKind, object>> = {
    reads: on,
    writes: on,
    deletes: on,
    runs: named,
    network: { url: anyUrl(any), direction: any },
    installs: { manager: any, source: any, name: any, pinned: any },
    pushes: { remote: any, target: { branch: any }, forced: any, mirror: any, delete: any },
    config: named,
    kills: named,
  };
  return Object.fromEntries(
    effectKinds.map((kind): [EffectKind, UnseenEffect] => [kind, { ...made[kind], ...known, of: any }]),
  ) as Record<EffectKind, UnseenEffect>;
}

function anyPath(any: Approximation): PathValue {
  const partly = { lexical: any, real: any };
  return { kind: "path", text: "", lexical: "/", real: "/", pattern: false, fold: false, loose: true, partly };
}

function anyUrl(any: Approximation): UrlValue {
  const partly = { text: any, scheme: any, host: any, port: any, path: any, query: any, userinfo: any };
  return { kind: "url", text: "", scheme: "", host: "", port: "", path: "", query: "", userinfo: "", partly };
}
