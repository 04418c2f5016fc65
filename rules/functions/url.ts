import { inCidr, urlClass } from "../../facts/network/classes.ts";
import { embeddedUrls } from "../../facts/network/embedded.ts";
import { hostMixesScripts, hostSkeleton, looksLikeOne, urlLooksLikeOne } from "../../facts/network/hosts.ts";
import { hostIn, parseTarget } from "../../facts/network/url.ts";
import { pathClass, pathClasses } from "../../facts/paths/classes.ts";
import type { UrlValue } from "../../schema/facts.ts";
import type { Value } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { pathOf } from "./path.ts";
import { asValue, evaluationError } from "./values.ts";

/** Reads a text as a URL. A malformed URL keeps its text and has no host, so that no allow-list covers it. */
export function urlOf(text: string): UrlValue {
  return parseTarget(text) ?? { kind: "url", text, scheme: "", host: "", port: "", path: "", query: "", userinfo: "" };
}

/**
 * Returns the host that a text names: the whole text, or the host of a URL. A rule for several tools cannot know whether an
 * argument is a URL, and must match in both cases.
 */
function hostNamed(text: string): string {
  return text.includes("://") ? urlOf(text).host : text;
}

function texts(items: readonly Value[], name: string): readonly string[] | EvaluationError {
  return items.every((item) => typeof item === "string")
    ? (items as readonly string[])
    : evaluationError(`\`${name}\` needs strings`);
}

function inHosts(host: string, patterns: readonly Value[]): boolean | EvaluationError {
  const list = texts(patterns, "host_in");
  return list instanceof EvaluationError ? list : hostIn(host, list);
}

/** Runs `looks` on a list of a policy; an error unless all items are texts. */
function looksLike(patterns: readonly Value[], looks: (list: readonly string[]) => boolean): boolean | EvaluationError {
  const list = texts(patterns, "lookalike_of");
  return list instanceof EvaluationError ? list : looks(list);
}

function textLooksLikeOne(text: string, list: readonly string[]): boolean {
  return text.includes("://") ? urlLooksLikeOne(urlOf(text), list) : looksLikeOne(text.toLowerCase(), list);
}

/** True if an address lies in any of the ranges; a name never does. A malformed range is an error. */
function inRanges(address: string, ranges: readonly Value[]): boolean | EvaluationError {
  const list = texts(ranges, "cidr");
  if (list instanceof EvaluationError) return list;
  const wrong = list.find((range) => !isRange(range));
  if (wrong !== undefined) return evaluationError(`not an address range: ${wrong.slice(0, 60)}`);
  return list.some((range) => inCidr(address, range) === true);
}

/** True for an address range such as `10.0.0.0/8`. */
export function isRange(range: string): boolean {
  return inCidr("0.0.0.0", range) !== undefined;
}

/** URL and host functions. */
export const urlFunctions: Readonly<Record<string, readonly Overload[]>> = {
  url_of: [
    overload("url.of_url", ["url"], ([url]) => asValue(url)),
    overload("url.of", ["string"], ([text]) => asValue(urlOf(text))),
  ],
  url_equals: [
    overload("url.equals", ["url", "string"], ([url, text]) => url.text === text),
    overload("string.equals_url", ["string", "url"], ([text, url]) => url.text === text),
  ],
  text_is: [
    overload("string.is", ["string", "string"], ([text, name], context) =>
      (pathClasses as readonly string[]).includes(name)
        ? pathClass(name, pathOf(text, context), context.event.environment, context.forms)
        : urlClass(name, urlOf(text)),
    ),
  ],
  url_is: [overload("url.is", ["url", "string"], ([url, name]) => urlClass(name, url))],
  host_in: [
    overload("string.host_in", ["string", "list"], ([text, patterns]) => inHosts(hostNamed(text), patterns)),
    overload("string.host_in_one", ["string", "string"], ([text, pattern]) => hostIn(hostNamed(text), [pattern])),
    overload("url.host_in", ["url", "list"], ([url, patterns]) => inHosts(url.host, patterns)),
    overload("url.host_in_one", ["url", "string"], ([url, pattern]) => hostIn(url.host, [pattern])),
  ],
  lookalike_of: [
    overload("string.lookalike_of", ["string", "list"], ([text, hosts]) =>
      looksLike(hosts, (list) => textLooksLikeOne(text, list)),
    ),
    overload("string.lookalike_of_one", ["string", "string"], ([text, other]) => textLooksLikeOne(text, [other])),
    overload("url.lookalike_of", ["url", "list"], ([url, hosts]) =>
      looksLike(hosts, (list) => urlLooksLikeOne(url, list)),
    ),
    overload("url.lookalike_of_one", ["url", "string"], ([url, other]) => urlLooksLikeOne(url, [other])),
  ],
  url_host_skeleton: [overload("url.host_skeleton", ["url"], ([url]) => hostSkeleton(url.host))],
  url_mixed_scripts: [overload("url.mixed_scripts", ["url"], ([url]) => hostMixesScripts(url.host))],
  url_embedded: [overload("url.embedded", ["url"], ([url]) => asValue(embeddedUrls(url)))],
  cidr: [
    overload("string.cidr", ["string", "list"], ([text, ranges]) => inRanges(hostNamed(text), ranges)),
    overload("string.cidr_one", ["string", "string"], ([text, range]) => inRanges(hostNamed(text), [range])),
    overload("url.cidr", ["url", "list"], ([url, ranges]) => inRanges(url.host, ranges)),
    overload("url.cidr_one", ["url", "string"], ([url, range]) => inRanges(url.host, [range])),
  ],
};
