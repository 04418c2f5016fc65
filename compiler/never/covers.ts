import type { Ir } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Claim } from "../lint/claims.ts";
import { plainKey } from "../lint/guards.ts";
import { clashIn } from "./clash.ts";
import { encloses } from "./encloses.ts";

/** Returns the alternative of an `unless` whose tests cover all of `when`: `[npm, yarn]` covers `npm`, and `release/**` covers `release/*`. */
export function coveringWay(
  when: Ir,
  ways: readonly Ir[],
  claims: readonly Claim[],
  regex: RegexEngine,
): Ir | undefined {
  const terms = when.k === "and" ? when.args : [when];
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  const claimOf = (term: Ir): Claim | undefined => byCall.get(term);
  const subjectOf = (term: Ir): string | undefined => {
    const claim = claimOf(term);
    return claim && plainKey(claim.subject);
  };
  const subjects = new Set(terms.flatMap(waysOf).map(subjectOf));
  const needed = new Set(terms.map(plainKey));
  const partsOf = (way: Ir): readonly Ir[] => (way.k === "and" ? way.args : [way]);
  const isLikely = (part: Ir): boolean => {
    const tested = part.k === "not" ? part.arg : part;
    return claimOf(tested) !== undefined && subjects.has(subjectOf(tested));
  };
  const likely = ways.filter((way) => partsOf(way).every((part) => isLikely(part) || needed.has(plainKey(part))));
  if (likely.length === 0 || clashIn(terms, claimOf, regex, plainKey)) return undefined;
  const isCovered = (part: Ir): boolean =>
    needed.has(plainKey(part)) ||
    clashIn([...terms, part.k === "not" ? part.arg : { k: "not", arg: part }], claimOf, regex, plainKey)?.literal ===
      true ||
    terms.some((term) => waysOf(term).every((own) => isEnclosed(claimOf(own), claimOf(part))));
  return likely.find((way) => partsOf(way).every((part) => part.k !== "const" && isCovered(part)));
}

/** A list under an operator that takes one text is several tests. */
const waysOf = (term: Ir): readonly Ir[] => (term.k === "or" ? term.args : [term]);

function isEnclosed(inner: Claim | undefined, outer: Claim | undefined): boolean {
  if (!inner?.isWritten || !outer?.isWritten || plainKey(inner.subject) !== plainKey(outer.subject)) return false;
  return encloses(outer, inner);
}

/** True if a condition holds less often in an `unless`, which ignores merely possible facts and needs both forms of a path. */
export function seesLess(ir: Ir): boolean {
  return /"name":"(?:effects|shell|paths)|"certain"|"forms"|"k":"slot"/.test(JSON.stringify(ir));
}
