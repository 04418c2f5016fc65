import type { UrlValue } from "../../schema/facts.ts";
import { spend, unitsLeft } from "../meter.ts";
import { asciiSkeleton, fullSkeleton } from "../tables/confusables.ts";
import { decodeHost } from "../tables/punycode.ts";
import { mixesScripts, scriptsOf } from "../tables/scripts.ts";
import { withoutEnd } from "../text/ends.ts";
import { hostIn, isAddress } from "./url.ts";

/** How a host looks to a human, and whether it looks like another host. Source: threats rows 14 and 16, section 6. */

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/**
 * Returns the host as it looks in ASCII: `xn--` labels decoded, each letter that looks like an ASCII one replaced by it
 * (`xn--pypal-4ve.com`, written with a Cyrillic letter, looks like `paypal.com`). ASCII hosts are their own. Idempotent.
 */
export function hostSkeleton(host: string): string {
  spend(1 + (host.length >> 3));
  const decoded = decodeHost(host);
  return isAscii(decoded) ? decoded : asciiSkeleton(decoded);
}

/** True if a label of the host, decoded, mixes scripts that are not written together. */
export function hostMixesScripts(host: string): boolean {
  spend(1 + (host.length >> 2));
  return decodeHost(host).split(".").some(mixesScripts);
}

/**
 * True if a label of the host passes for another: its letters are of mixed scripts, or all of another script than Latin and
 * look like ASCII ones. A host whose ending is in the same script (`.рф`) is taken as it is.
 */
export function isLookalike(host: string): boolean {
  spend(1 + (host.length >> 2));
  const decoded = decodeHost(host);
  if (isAscii(decoded)) return false;
  const labels = decoded.split(".");
  const last = scriptsOf(labels.at(-1) ?? "").join();
  return labels.some((label) => {
    if (isAscii(label)) return false;
    const scripts = scriptsOf(label).join();
    return mixesScripts(label) || (scripts !== "Latin" && scripts !== last && isAscii(asciiSkeleton(label)));
  });
}

/**
 * True if the host is neither in the list nor beneath a listed host, and yet looks like one: by letters (`paypa1.com`,
 * `xn--…`), or by standing inside another name (`github.com.evil.test`, `github-com.evil.test`).
 */
export function looksLikeOne(host: string, list: readonly string[]): boolean {
  if (host === "" || isAddress(host) || hostIn(host, list)) return false;
  spend(2 * list.length + (host.length >> 1));
  const seen = fullSkeleton(decodeHost(host));
  const dotted = `.${seen.replaceAll("-", ".")}.`;
  return list.some((item) => {
    const wanted = looksOf(item);
    if (wanted === null) return false;
    if (seen === wanted || seen.endsWith(`.${wanted}`)) return true;
    // A list of one label, such as a top-level domain, is inside many names.
    return wanted.includes(".") && dotted.includes(`.${wanted.replaceAll("-", ".")}.`);
  });
}

/** Skeletons of listed hosts with their cost; bounded, and only ever a repetition of the same pure work. */
const looks = new Map<string, { readonly skeleton: string | null; readonly cost: number }>();

/** Returns the skeleton of a listed host; null for an item that is not a host name. */
function looksOf(item: string): string | null {
  const known = looks.get(item);
  if (known !== undefined) {
    spend(known.cost);
    return known.skeleton;
  }
  const before = unitsLeft();
  const plain = listed(item);
  const skeleton = plain === "" || isAddress(plain) ? null : fullSkeleton(decodeHost(plain));
  if (looks.size >= 2_000) looks.clear();
  looks.set(item, { skeleton, cost: before - unitsLeft() });
  return skeleton;
}

/** As `looksLikeOne` for a URL; user information that names a listed host (`https://github.com@evil.test`) counts too. */
export function urlLooksLikeOne(url: UrlValue, list: readonly string[]): boolean {
  if (looksLikeOne(url.host, list)) return true;
  const user = url.userinfo.split(/[:/?#]|%2f/i)[0] ?? "";
  return user.includes(".") && !hostIn(url.host, list) && (hostIn(user, list) || looksLikeOne(user, list));
}

/** Returns the host of a list item, which may be a wildcard or contain a scheme or port. */
function listed(item: string): string {
  const bare = item.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, "").replace(/^\*\./, "");
  return withoutEnd(bare.split(/[/?#:]/)[0] ?? "", ".").toLowerCase();
}

/** Bounds of names that people give: longer or more varied ones carry data. */
const maxLabel = 50;
const maxHost = 120;
const maxLabels = 10;
const minRun = 20;
const minDistinct = 9;

/**
 * True if a name is fit to carry data to the server of its zone: a very long name or label, very many labels, or a long run
 * that is no word (hexadecimal, base 32, base 64), also when it is cut into several labels. Reverse lookups and addresses carry
 * none. An estimate: random-looking names of cloud load balancers count too.
 */
export function isDataName(host: string): boolean {
  if (host === "" || isAddress(host) || /(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(host)) return false;
  spend(1 + (host.length >> 6));
  const labels = host.split(".");
  if (host.length > maxHost || labels.length > maxLabels) return true;
  const carriers = labels.slice(0, -2).filter((label) => !label.startsWith("xn--"));
  return (
    carriers.some((label) => label.length > maxLabel || label.split(/[-_]/).some(isCode)) ||
    isCode(carriers.filter((label) => /^[a-z0-9]{6,}$/.test(label) && /\d.*\d/.test(label)).join(""))
  );
}

/** True for a long run of letters and digits that no one speaks: many different ones, with digits or hardly a vowel. */
function isCode(run: string): boolean {
  if (run.length < minRun || new Set(run).size < minDistinct) return false;
  const digits = run.replace(/[^0-9]/g, "").length;
  const vowels = run.replace(/[^aeiouy]/g, "").length;
  return digits >= 3 || vowels * 6 < run.length;
}
