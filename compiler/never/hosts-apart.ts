import type { Ir } from "../../engine/plan.ts";
import { classRows, inCidr, urlClass } from "../../facts/network/classes.ts";
import { looksLikeOne } from "../../facts/network/hosts.ts";
import { hostIn, isAddress } from "../../facts/network/url.ts";
import type { UrlValue } from "../../schema/facts.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Claim } from "../lint/claims.ts";
import type { Clash } from "./ports.ts";
import { endingsOf, holdsFor, type TurnedClaim } from "./text-tests.ts";

/** Tests that look at the host alone, whether they stand at an address or at its host. */
const ofHosts: ReadonlySet<string> = new Set(["host_in", "cidr", "is", "lookalike_of"]);

/** Finds the first test of a host that leaves none together with those before it: a name is no address. */
export function hostClash(
  tests: readonly TurnedClaim[],
  regex: RegexEngine,
  keyOf: (ir: Ir) => string,
): Clash | undefined {
  const hosts = new Map<string, TurnedClaim[]>();
  for (const test of tests) {
    const { claim } = test;
    const isHost = claim.field === "url.host";
    if (!isHost && !(ofHosts.has(claim.operator) && (claim.field === "url" || claim.type.kind === "string"))) continue;
    const of = isHost && claim.subject.k === "field" ? claim.subject.of : claim.subject;
    const key = keyOf(of);
    const known = [...(hosts.get(key) ?? []), test];
    hosts.set(key, known);
    const why = known.length > 1 && known.some(isOfHosts) ? whyApart(known, regex) : undefined;
    if (why !== undefined)
      return { span: claim.span, path: claim.path, literal: known.every((one) => one.claim.isWritten), why };
  }
  return undefined;
}

const isOfHosts = ({ claim }: TurnedClaim): boolean => ofHosts.has(claim.operator);

/** Returns why no host passes all tests. */
function whyApart(tests: readonly TurnedClaim[], regex: RegexEngine): string | undefined {
  const kinds = new Set(tests.map(kindOf));
  const apart = kinds.has("address") && kinds.has("name") ? "a name is no address" : undefined;
  const given = tests.find(
    ({ claim: { operator }, turned }) => !turned && (operator === "equals" || operator === "in"),
  );
  if (given) {
    const hosts = texts(given.claim);
    const isPlain = hosts.length > 0 && hosts.every((host) => isName(host) || isAddress(host));
    if (!isPlain || !hosts.every((host) => tests.some((test) => isOfHosts(test) && fails(test, host, regex))))
      return undefined;
    if (apart !== undefined) return apart;
    return tests.some(isLookalike) ? noLookalike : "the host that is named here fails the other test";
  }
  if (apart !== undefined) return apart;
  const positive = tests.filter(({ turned }) => !turned);
  const lists = positive.flatMap(({ claim }) => beneath(claim) ?? []);
  if (!lists.some((list) => positive.some(({ claim }) => noneOf(list, claim)))) return undefined;
  return tests.some(isLookalike) ? noLookalike : "no host is in both";
}

const isLookalike = ({ claim, turned }: TurnedClaim): boolean => !turned && claim.operator === "lookalike_of";
const noLookalike = "a host is no lookalike of itself, nor is one beneath it";

const texts = ({ values = [] }: Claim): readonly string[] =>
  values.flatMap((value) => (typeof value === "string" ? [value] : []));

/** True for a plain name of a host; addresses have several forms. */
function isName(text: string): boolean {
  return /^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/.test(text);
}

function fails({ claim, turned }: TurnedClaim, host: string, regex: RegexEngine): boolean {
  const holds = holdsForHost(claim, host) ?? holdsFor(claim, host, regex);
  return holds !== undefined && holds === turned;
}

function holdsForHost(claim: Claim, host: string): boolean | undefined {
  const { operator } = claim;
  const list = texts(claim);
  if (list.length === 0) return undefined;
  if (operator === "host_in") return hostIn(host, list);
  if (operator === "cidr") return list.some((range) => inCidr(host, range) !== false) && isAddress(host);
  if (operator === "is") return list.some((name) => urlClass(name, urlOf(host)) || !classNames.has(name));
  // A part of an address before its host may look like another host, too.
  return operator === "lookalike_of" && (claim.field === "url.host" || hostIn(host, list))
    ? looksLikeOne(host, list)
    : undefined;
}

const classNames: ReadonlySet<string> = new Set(["loopback", "private", "metadata", "address", "data_name"]);

function urlOf(host: string): UrlValue {
  return { kind: "url", text: host, scheme: "", host, port: "", path: "", query: "", userinfo: "" };
}

/** Returns whether a test leaves only addresses or only names. */
function kindOf({ claim, turned }: TurnedClaim): "address" | "name" | undefined {
  const { operator } = claim;
  const list = texts(claim);
  if (list.length === 0) return undefined;
  const isOnly = operator === "is" && list.every((name) => name === "address");
  if (turned) return isOnly && claim.field === "url.host" ? "name" : undefined;
  if (isOnly || operator === "cidr") return "address";
  if (operator === "equals" || operator === "in") {
    if (claim.field !== "url.host") return undefined;
    return list.every(isAddress) ? "address" : list.every(isName) ? "name" : undefined;
  }
  if (operator === "is") return list.every((name) => name === "data_name") ? "name" : undefined;
  if (operator === "host_in") return list.every((one) => isName(one.replace(/^\*\./, ""))) ? "name" : undefined;
  if (operator === "lookalike_of") return claim.field === "url.host" ? "name" : undefined;
  if (claim.field !== "url.host") return undefined;
  const isText = ["starts_with", "ends_with", "contains", "glob"].includes(operator);
  return isText &&
    list.every((text) => /[a-z0-9-]\.[a-z]|^\.[a-z]|[g-z]/.test(text)) &&
    !list.some((text) => /[[{\\:%]/.test(text))
    ? "name"
    : undefined;
}

/** Returns the names of which a test leaves only those and what lies beneath them. */
function beneath(claim: Claim): readonly (readonly string[])[] | undefined {
  const list = texts(claim);
  const names =
    claim.operator === "host_in"
      ? list.map((one) => one.replace(/^\*\./, ""))
      : claim.field === "url.host" && (claim.operator === "ends_with" || claim.operator === "glob")
        ? (endingsOf(claim) ?? []).map(({ text }) => (text.startsWith(".") ? text.slice(1) : ""))
        : [];
  return names.length > 0 && names.every(isName) ? [names] : undefined;
}

/** True if a test fails for every name of a list and all beneath them. */
function noneOf(names: readonly string[], claim: Claim): boolean {
  const list = texts(claim);
  if (list.length === 0) return false;
  if (claim.operator === "lookalike_of") return names.every((name) => hostIn(name, list));
  if (claim.operator === "host_in") {
    const others = list.map((one) => one.replace(/^\*\./, ""));
    return others.every(isName) && names.every((name) => others.every((other) => !isNested(name, other)));
  }
  return claim.operator === "is" && names.every((name) => list.every((kind) => isOutside(name, kind)));
}

function isNested(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`) || other.endsWith(`.${name}`);
}

/** True if neither a name nor any beneath it is of a class of places. Some names have an address in them. */
function isOutside(name: string, kind: string): boolean {
  if (kind !== "loopback" && kind !== "private" && kind !== "metadata") return false;
  if (/(?:^|\.)(?:nip|sslip|xip)\.io$/.test(name)) return false;
  return classRows(kind).names.every((other) => !isNested(name, other));
}
