import type { Ir } from "../../engine/plan.ts";
import { parseTarget } from "../../facts/network/url.ts";
import type { Clash } from "./ports.ts";
import type { TurnedClaim } from "./text-tests.ts";

/** Finds a test of a URL's port against the usual one of every scheme that a test beside it leaves. Facts leave that port out. */
export function portClash(tests: readonly TurnedClaim[], keyOf: (ir: Ir) => string): Clash | undefined {
  const schemes = new Map<string, TurnedClaim[]>();
  const ports = new Map<string, TurnedClaim[]>();
  for (const test of tests) {
    const { field, subject, operator } = test.claim;
    const isWhole = !test.turned && (operator === "equals" || operator === "in");
    const known = field === "url.scheme" ? schemes : field === "url.port" ? ports : undefined;
    if (!known || !isWhole || subject.k !== "field") continue;
    const key = keyOf(subject.of);
    known.set(key, [...(known.get(key) ?? []), test]);
    for (const [one, other] of pairs(schemes.get(key), ports.get(key))) {
      const [names, numbers] = [textsOf(one), textsOf(other)];
      const isLeftOut = names.length > 0 && names.every((name) => numbers.every((port) => isUsual(name, port)));
      if (!isLeftOut || numbers.length === 0) continue;
      const { span, path } = other.claim;
      const why = `facts leave the usual port of \`${names[0]}\` out, so that it is ""`;
      return { span, path, literal: one.claim.isWritten && other.claim.isWritten, why };
    }
  }
  return undefined;
}

function pairs<T>(some: readonly T[] = [], others: readonly T[] = []): readonly (readonly [T, T])[] {
  return some.flatMap((one) => others.map((other) => [one, other] as const));
}

const textsOf = ({ claim: { values = [] } }: TurnedClaim): readonly string[] =>
  values.flatMap((value) => (typeof value === "string" ? [value] : []));

function isUsual(scheme: string, port: string): boolean {
  if (!/^[a-z][a-z0-9+.-]{0,30}$/.test(scheme) || !/^[1-9]\d{0,4}$/.test(port)) return false;
  return parseTarget(`${scheme}://a.example:${port}/`)?.port === "";
}
