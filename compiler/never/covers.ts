import type { Ir } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Claim } from "../lint/claims.ts";
import { plainKey } from "../lint/guards.ts";
import { clashIn } from "./clash.ts";

/** Returns the alternative of an `unless` that is one test of values and covers all of `when`: `[npm, yarn]` covers `npm`. */
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
  const subjects = new Set(terms.map(subjectOf));
  const likely = ways.filter((way) => claimOf(way) && subjects.has(subjectOf(way)));
  if (likely.length === 0 || clashIn(terms, claimOf, regex, plainKey)) return undefined;
  return likely.find((way) => clashIn([...terms, { k: "not", arg: way }], claimOf, regex, plainKey)?.literal === true);
}

/** True if a condition holds less often in an `unless`, which ignores merely possible facts and needs both forms of a path. */
export function seesLess(ir: Ir): boolean {
  return /"name":"(?:effects|shell|paths)|"certain"|"forms"|"k":"slot"/.test(JSON.stringify(ir));
}
