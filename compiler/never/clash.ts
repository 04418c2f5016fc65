import type { Span } from "../../diagnostics/source.ts";
import type { Ir, Json } from "../../engine/plan.ts";
import { globPattern } from "../../rules/functions/pattern.ts";
import type { Type } from "../../rules/types.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Claim } from "../lint/claims.ts";
import { irKey } from "../lint/guards.ts";
import { clashHelp } from "./clash-help.ts";
import { portClash } from "./default-ports.ts";
import { hostClash } from "./hosts-apart.ts";
import { nameClash } from "./name-and-ext.ts";
import type { Clash } from "./ports.ts";
import { sizeClash } from "./sizes.ts";
import type { TurnedClaim } from "./text-tests.ts";

/** Values still possible for one subject of tests. */
interface Possible {
  values: ReadonlySet<Json> | undefined;
  prefix: string;
  suffix: string;
  low: number;
  high: number;
  /** No list or parameter has had a say. */
  literal: boolean;
  /** The tests that had a say; undefined with a negated one among them. */
  claims: Claim[] | undefined;
}

const isPlain = ({ type }: Claim): boolean => ["string", "int", "double", "bool"].includes(type.kind);

/** Finds the first term of a conjunction that leaves no possible value, or negates another term. Equal `keyOf` means equal IR. */
export function clashIn(
  terms: readonly Ir[],
  claimOf: (ir: Ir) => Claim | undefined,
  regex: RegexEngine,
  keyOf: (ir: Ir) => string = irKey,
): Clash | undefined {
  const own =
    denied(terms, claimOf, keyOf) ?? emptied(terms, claimOf, regex, keyOf) ?? sizeClash(terms, claimOf, keyOf);
  if (own || terms.length < 2) return own;
  const tests = terms.flatMap((term) => testOf(term, claimOf, keyOf) ?? []);
  return nameClash(tests, regex, keyOf) ?? hostClash(tests, regex, keyOf) ?? portClash(tests, keyOf);
}

/** Returns a term as one test; a list under an operator that takes one text becomes several tests, which are one again here. */
function testOf(term: Ir, claimOf: (ir: Ir) => Claim | undefined, keyOf: (ir: Ir) => string): TurnedClaim | undefined {
  const turned = term.k === "not";
  const of = turned ? term.arg : term;
  const claims = (of.k === "or" ? of.args : [of]).map(claimOf);
  const [first] = claims;
  if (!first) return undefined;
  const key = keyOf(first.subject);
  const same = claims.flatMap((one) =>
    one?.values && one.operator === first.operator && keyOf(one.subject) === key ? [one] : [],
  );
  if (same.length < claims.length) return undefined;
  const values = same.flatMap((one) => one.values ?? []);
  return { turned, claim: { ...first, values, isWritten: same.every((one) => one.isWritten) } };
}

/** A term and its negation. */
function denied(
  terms: readonly Ir[],
  claimOf: (ir: Ir) => Claim | undefined,
  keyOf: (ir: Ir) => string,
): Clash | undefined {
  if (terms.every(({ k }) => k !== "not")) return undefined;
  const plain = new Map(
    terms.flatMap((ir, i) => (ir.k === "not" || ir.k === "const" ? [] : [[keyOf(ir), i] as const])),
  );
  for (const [i, ir] of terms.entries()) {
    const other = ir.k === "not" ? plain.get(keyOf(ir.arg)) : undefined;
    if (other === undefined || ir.k !== "not") continue;
    const later = other > i ? (terms[other] as Ir) : ir;
    const span = spanOf(later) ?? spanOf(ir.arg);
    if (span) return { span, path: claimOf(ir.arg)?.path ?? "", literal: true };
  }
  return undefined;
}

function emptied(
  terms: readonly Ir[],
  claimOf: (ir: Ir) => Claim | undefined,
  regex: RegexEngine,
  keyOf: (ir: Ir) => string,
): Clash | undefined {
  const subjects = new Map<string, Possible>();
  for (const { claim, turned } of settling(terms, claimOf)) {
    const key = keyOf(claim.subject);
    const before = subjects.get(key);
    const now = before ?? unlimited();
    now.literal &&= claim.isWritten;
    if (turned) now.claims = undefined;
    else now.claims?.push(claim);
    narrow(now, claim, turned, regex);
    subjects.set(key, now);
    if (before && isNothing(now))
      return { span: claim.span, path: claim.path, literal: now.literal, help: clashHelp(now.claims ?? []) };
  }
  return undefined;
}

function unlimited(): Possible {
  return { values: undefined, prefix: "", suffix: "", low: -Infinity, high: Infinity, literal: true, claims: [] };
}

/** Lists the tests of a conjunction: first those that give the possible values, since the others only remove some. */
function settling(
  terms: readonly Ir[],
  claimOf: (ir: Ir) => Claim | undefined,
): readonly { readonly claim: Claim; readonly turned: boolean }[] {
  const tests = terms.flatMap((term) => {
    const turned = term.k === "not";
    const claim = claimOf(turned ? term.arg : term);
    return claim?.values && isPlain(claim) ? [{ claim, turned }] : [];
  });
  const says = ({ claim, turned }: (typeof tests)[number]): boolean =>
    !turned && (claim.operator === "equals" || claim.operator === "in");
  return [...tests.filter(says), ...tests.filter((test) => !says(test))];
}

function spanOf(ir: Ir): Span | undefined {
  return ir.at && { start: ir.at[0], end: ir.at[1] };
}

function narrow(p: Possible, { operator, type, values = [] }: Claim, turned: boolean, regex: RegexEngine): void {
  const [only] = values;
  const keep = (fits: (value: Json) => boolean): void => {
    if (p.values) p.values = new Set([...p.values].filter((value) => fits(value) !== turned));
  };
  if (operator === "equals" || operator === "in") {
    if (!turned && !p.values) p.values = new Set(values.filter((value) => fitsEnds(value, p)));
    else keep((value) => values.includes(value));
  } else if (typeof only === "number" && !turned && ["lt", "le", "gt", "ge"].includes(operator)) {
    if (operator === "gt" || operator === "ge")
      p.low = Math.max(p.low, operator === "gt" ? beyond(only, 1, type) : only);
    else p.high = Math.min(p.high, operator === "lt" ? beyond(only, -1, type) : only);
  } else if (typeof only === "string" && operator === "starts_with") {
    keep((value) => typeof value === "string" && value.startsWith(only));
    if (!turned && !p.values) p.prefix = longer(p.prefix, only, (a, b) => a.startsWith(b)) ?? nothing;
  } else if (typeof only === "string" && operator === "ends_with") {
    keep((value) => typeof value === "string" && value.endsWith(only));
    if (!turned && !p.values) p.suffix = longer(p.suffix, only, (a, b) => a.endsWith(b)) ?? nothing;
  } else if (typeof only === "string" && operator === "matches") {
    const made = regex.compile(only);
    if (!("kind" in made)) keep((value) => typeof value === "string" && made.test(value));
  } else if (typeof only === "string" && operator === "contains")
    keep((value) => typeof value === "string" && value.includes(only));
  else if (operator === "host_in" && values.every(isHostName))
    keep((value) => !isHostName(value) || isBeneath(value, values));
  else if (operator === "glob") {
    const made = values.map((glob) => regex.compile(globPattern(String(glob)), { dotAll: true }));
    keep((value) => typeof value === "string" && made.some((one) => "kind" in one || one.test(value)));
    if (!turned && !p.values && typeof only === "string" && values.length === 1) narrowEnds(p, only);
  }
}

/** Takes the text before the first sign of a glob, and that behind the last one. A slash beside `**` may be missing from the value. */
function narrowEnds(p: Possible, glob: string): void {
  const [start = ""] = /^[^*?[{\\]*/.exec(glob) ?? [];
  if (start === glob) return;
  const [end = ""] = /[^*?\]}\\]*$/.exec(glob) ?? [];
  p.prefix = longer(p.prefix, start.replace(/\/$/, ""), (a, b) => a.startsWith(b)) ?? nothing;
  p.suffix = longer(p.suffix, end.replace(/^\//, ""), (a, b) => a.endsWith(b)) ?? nothing;
}

/** True for a plain name of a host. Addresses have several forms, and a star leaves the domain itself out. */
function isHostName(value: Json): value is string {
  return typeof value === "string" && /^(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/.test(value);
}

function isBeneath(host: string, domains: readonly Json[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${String(domain)}`));
}

/** Stands for a beginning or end that no text has. */
const nothing = "\u0000";

/** Returns an exclusive bound as an inclusive one for whole numbers; for others the bound itself, which claims less. */
function beyond(bound: number, step: number, { kind }: Type): number {
  return kind === "int" && Number.isInteger(bound) ? bound + step : bound;
}

function longer(one: string, other: string, has: (a: string, b: string) => boolean): string | undefined {
  if (has(one, other)) return one;
  return has(other, one) ? other : undefined;
}

function fitsEnds(value: Json, { prefix, suffix, low, high }: Possible): boolean {
  if (typeof value === "number") return value >= low && value <= high;
  return typeof value !== "string" || (value.startsWith(prefix) && value.endsWith(suffix));
}

function isNothing({ values, prefix, suffix, low, high }: Possible): boolean {
  return values?.size === 0 || prefix === nothing || suffix === nothing || low > high;
}
