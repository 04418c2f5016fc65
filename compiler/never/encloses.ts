import { globFault } from "../../schema/tool-matcher.ts";
import type { Claim } from "../lint/claims.ts";
import { alternatives } from "./text-tests.ts";

/** One sign of a glob over text: a character, `?`, `*`, `**`, or `**` with the slash behind it, which may stand for nothing. */
type Sign = string | { readonly any: "one" | "some" | "all" | "folders" };

/** True if every text that one test leaves passes another: `release/**` encloses `release/*`. Sure where true. */
export function encloses(outer: Claim, inner: Claim): boolean {
  if (outer.operator === "within" && inner.operator === "within") return everyWay(inner, outer, placeIn, foldersOf);
  if (outer.operator === "within" && inner.operator === "is")
    return isWholly(inner, "workspace") && textsOf(outer)?.some((text) => text === "." || text === "./") === true;
  if (outer.operator === "is" && inner.operator === "within")
    return (
      isWholly(outer, "workspace") && foldersOf(inner)?.every((folder) => !/^(?:\/|[A-Za-z]:)/.test(folder)) === true
    );
  if (outer.operator === "is" && inner.operator === "is") return everyWay(inner, outer, classIn, textsOf);
  if (outer.operator === "host_in" && inner.operator === "host_in") return everyWay(inner, outer, hostIn, hostsOf);
  const isPath = inner.type.kind !== "string";
  if (isPath && !(outer.operator === "glob" && inner.operator === "glob")) return false;
  const signs = isPath ? pathSigns : signsOf;
  return everyWay(inner, outer, covers, signs);
}

/** True if all of one class is of the other. */
const classIn = (inner: string, outer: string): boolean =>
  inner === outer || (inner === "metadata" && outer === "private");

function isWholly({ values }: Claim, place: string): boolean {
  return values?.length === 1 && values[0] === place;
}

/** True if each way of the inner test lies in one of the outer. */
function everyWay<T>(
  inner: Claim,
  outer: Claim,
  isIn: (inner: T, outer: T) => boolean,
  waysOf: (claim: Claim) => readonly T[] | undefined,
): boolean {
  const [own, others] = [waysOf(inner), waysOf(outer)];
  if (!own?.length || !others) return false;
  return own.every((way) => others.some((other) => isIn(way, other)));
}

function textsOf({ values }: Claim): readonly string[] | undefined {
  const texts = values?.filter((value): value is string => typeof value === "string" && value.length <= 1_000);
  return texts && texts.length === values?.length && texts.length <= 50 ? texts : undefined;
}

/** Folders below the project or the root; `~` and what is resolved are left out. */
function foldersOf(claim: Claim): readonly string[] | undefined {
  const folders = textsOf(claim)?.map((text) => text.replace(/\/$/, ""));
  return folders?.every((text) => /^\/?[\w-][\w./-]*$/.test(text) && !/(?:^|\/)\.\.?(?:\/|$)/.test(text))
    ? folders
    : undefined;
}

const placeIn = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

function hostsOf(claim: Claim): readonly string[] | undefined {
  const hosts = textsOf(claim);
  return hosts?.every((host) => /^(?:[a-z0-9-]+\.)+[a-z]{2,63}$/.test(host)) ? hosts : undefined;
}

const hostIn = (inner: string, outer: string): boolean => inner === outer || inner.endsWith(`.${outer}`);

/** Signs of the texts that a test of letters leaves. */
function signsOf(claim: Claim): readonly (readonly Sign[])[] | undefined {
  const texts = textsOf(claim);
  const all: Sign = { any: "all" };
  switch (claim.operator) {
    case "starts_with":
      return texts?.map((text) => [...text, all]);
    case "ends_with":
      return texts?.map((text) => [all, ...text]);
    case "contains":
      return texts?.map((text) => [all, ...text, all]);
    case "glob":
      return ofGlobs(texts);
    default:
      return undefined;
  }
}

/** Signs of globs of places: one without a folder is for every folder. */
function pathSigns(claim: Claim): readonly (readonly Sign[])[] | undefined {
  const globs = textsOf(claim)?.flatMap((text) => alternatives(text) ?? [text]);
  if (!globs?.every((glob) => /^[\w*?/.-]+$/.test(glob))) return undefined;
  return ofGlobs(globs.map((glob) => (glob.includes("/") ? glob : `**/${glob}`)));
}

function ofGlobs(globs: readonly string[] | undefined): readonly (readonly Sign[])[] | undefined {
  if (!globs?.every((glob) => !/[[\]\\]/.test(glob) && globFault(glob) === undefined)) return undefined;
  const plain = globs.map(alternatives);
  return plain.includes(undefined) ? undefined : plain.flatMap((list) => list ?? []).map(ofGlob);
}

function ofGlob(glob: string): readonly Sign[] {
  const signs: Sign[] = [];
  for (const [text] of glob.matchAll(/(?<=^|\/)\*\*\/|\*\*|\*|\?|[^*?]/gsu)) {
    const any = text === "**/" ? "folders" : text === "**" ? "all" : text === "*" ? "some" : "one";
    signs.push(/^[*?]/.test(text) ? { any } : text);
  }
  return signs;
}

/** True if every text of the inner signs is one of the outer. Work is the product of both lengths. */
function covers(inner: readonly Sign[], outer: readonly Sign[]): boolean {
  let states = closed(new Set([0]), outer);
  for (const sign of inner) {
    // What may stand for nothing leaves no state behind that needs it.
    const next = new Set<number>();
    for (const at of states) {
      const own = outer[at];
      if (own === undefined) continue;
      if (takesOnce(own, sign)) next.add(at + 1);
      if (staysFor(own, sign)) next.add(at);
    }
    states = closed(next, outer);
    if (states.size === 0) return false;
  }
  return states.has(outer.length);
}

function closed(states: ReadonlySet<number>, outer: readonly Sign[]): Set<number> {
  const all = new Set(states);
  for (const at of all) {
    const sign = outer[at];
    if (typeof sign === "object" && sign.any !== "one") all.add(at + 1);
  }
  return all;
}

/** True if one character of the outer signs takes a sign of the inner whole, or both are the same sign. */
function takesOnce(own: Sign, sign: Sign): boolean {
  if (typeof own === "string") return own === sign;
  if (own.any === "one") return typeof sign === "string" ? sign !== "/" : sign.any === "one";
  return own.any === "folders" && typeof sign === "object" && sign.any === "folders";
}

/** True if a sign that repeats takes a sign of the inner and goes on. */
function staysFor(own: Sign, sign: Sign): boolean {
  if (typeof own === "string" || own.any === "one" || own.any === "folders")
    return typeof own === "object" && own.any === "folders" && typeof sign === "object" && sign.any === "folders";
  if (own.any === "all") return true;
  return typeof sign === "string" ? sign !== "/" : sign.any === "one" || sign.any === "some";
}
