import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { spend } from "../../facts/meter.ts";
import { isRecord } from "../../rules/types.ts";
import { type Claim, claimsIn, textValues } from "../lint/claims.ts";
import { plainKey } from "../lint/guards.ts";
import { clashIn } from "./clash.ts";
import type { NeverPorts, SeenRule } from "./ports.ts";

/**
 * Waivers that can never apply: an `unless` or exception whose tests contradict those of `when`. A waiver sees less than
 * `when`, so that tests which contradict each other on known values always do. Only literals count. Named conditions are
 * left out, because they may serve other rules.
 */

/** A waiver whose condition excludes that of its own rule. */
export interface DeadWaiver {
  readonly span: Span;
  /** The path that both test, as an author writes it; empty for a condition that is no single test. */
  readonly path: string;
}

/** More ways than rules have. */
const mostWays = 16;

/** Returns the place at which a waiver excludes `when`, if all its alternatives do; undefined if it may apply. */
export function deadWaiver(
  when: Ir | undefined,
  waiver: Ir,
  rule: SeenRule,
  ports: NeverPorts,
): DeadWaiver | undefined {
  const cases = when ? waysOf(when) : undefined;
  const ways = waysOf(waiver);
  if (!when || !cases || !ways || hasNames(waiver)) return undefined;
  const claims = new Map<Ir, Claim>();
  for (const ir of [when, waiver]) for (const claim of claimsIn(ir, rule, ports)) claims.set(claim.call, claim);
  spend(claims.size);
  const claimOf = (term: Ir): Claim | undefined => claims.get(term);
  const clash = (terms: readonly Ir[]) => clashIn(terms, claimOf, ports.regex, plainKey);
  if (cases.some((terms) => clash(terms)) || ways.some((terms) => clash(terms))) return undefined;
  let first: DeadWaiver | undefined;
  for (const way of ways)
    for (const terms of cases) {
      spend(terms.length + way.length);
      const found = clash([...terms, ...way]);
      const dead = found?.literal ? found : apart(terms, way, claimOf);
      if (!dead) return undefined;
      first ??= { span: placeIn(waiver, dead.span), path: dead.path };
    }
  return first;
}

/** Returns the place within the waiver to report, because the other side of the clash may be in `when`. */
function placeIn({ at }: Ir, span: Span): Span {
  if (!at || (span.start >= at[0] && span.end <= at[1])) return span;
  return { start: at[0], end: at[1] };
}

/** Returns conjunctions, one of which must hold; undefined if there are too many, or one has an error. */
function waysOf(ir: Ir): readonly (readonly Ir[])[] | undefined {
  if (ir.k === "const") return undefined;
  if (ir.k === "or") {
    const each = ir.args.map(waysOf);
    const all = each.flatMap((ways) => ways ?? []);
    return each.includes(undefined) || all.length > mostWays ? undefined : all;
  }
  if (ir.k !== "and") return [[ir]];
  let made: readonly (readonly Ir[])[] = [[]];
  for (const arg of ir.args) {
    const ways = waysOf(arg);
    if (!ways) return undefined;
    made = made.flatMap((before) => ways.map((way) => [...before, ...way]));
    if (made.length > mostWays) return undefined;
  }
  return made;
}

function hasNames(ir: Ir): boolean {
  return /"k":"condition"/.test(JSON.stringify(ir));
}

/** Finds two tests of one path that name disjoint places. */
function apart(
  terms: readonly Ir[],
  way: readonly Ir[],
  claimOf: (ir: Ir) => Claim | undefined,
): DeadWaiver | undefined {
  const places = (list: readonly Ir[]): readonly { readonly claim: Claim; readonly at: readonly Place[] }[] =>
    list.flatMap((term) => {
      const claim = claimOf(term);
      const at = claim && placesOf(claim);
      return claim && at ? [{ claim, at }] : [];
    });
  const asked = places(terms);
  for (const waived of places(way))
    for (const { claim, at } of asked) {
      if (plainKey(claim.subject) !== plainKey(waived.claim.subject)) continue;
      if (at.every((one) => waived.at.every((other) => areApart(one, other))))
        return { span: waived.claim.span, path: waived.claim.path };
    }
  return undefined;
}

interface Place {
  readonly anchor: string;
  readonly components: readonly string[];
}

/** Returns the fixed places that a path test names; undefined if one may be anywhere, or is no literal. */
function placesOf(claim: Claim): readonly Place[] | undefined {
  if (!isRecord(claim.type, "path") || !claim.isWritten || claim.negated) return undefined;
  const texts = textValues(claim).map(({ text }) => text);
  if (texts.length === 0 || !["within", "glob", "equals", "in"].includes(claim.operator)) return undefined;
  const places = texts.map((text) => placeOf(text, claim.operator === "glob"));
  return places.every((place) => place !== undefined) ? places : undefined;
}

function placeOf(text: string, isGlob: boolean): Place | undefined {
  const [, anchor, rest] = /^(\/|~\/|~$|)(.*)$/s.exec(text) ?? [];
  if (anchor === undefined || rest === undefined || text.length > 4_096) return undefined;
  // A relative glob matches in any folder, and the project may lie on any drive.
  if (anchor === "" && (isGlob || /^[A-Za-z]:/.test(rest))) return undefined;
  const all = rest
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (all.includes("..") || all.some((part) => part.startsWith("$"))) return undefined;
  const open = isGlob ? all.findIndex((part) => /[*?[{\\]/.test(part)) : -1;
  return { anchor: anchor.slice(0, 1), components: open < 0 ? all : all.slice(0, open) };
}

function areApart(one: Place, other: Place): boolean {
  if (one.anchor !== other.anchor) return false;
  const shared = Math.min(one.components.length, other.components.length);
  return one.components.slice(0, shared).some((part, i) => part !== other.components[i]);
}
