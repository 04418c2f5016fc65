import {
  Approximation,
  allTexts,
  anyText,
  type Hole,
  loosened,
  type Pieces,
  patternText,
  type Text,
} from "../../schema/approximation.ts";
import type { PartlyKnownUrl, UrlValue } from "../../schema/facts.ts";
import { type Marked, marked } from "../approximate/marked.ts";
import { spend } from "../meter.ts";
import { fixedHost, parseTarget, servedPath } from "./url.ts";

/** An address whose host is between a user's name and a colon, as scp and git read it: later text does not change it. */
const userAndHost = /^[^@/:\s]+@[^@/:\s\\%[\]]+:/;
/** Matches the port after a partly known host. */
const openPort = /^((?:[A-Za-z][A-Za-z0-9+.-]*:\/\/)?[^/?#]*[^/?#:]):(\w+)(?=[/?#]|$)/;

/** Beginnings of addresses. */
const schemes = (
  "http https ws wss ftp ftps sftp ssh git git+ssh git+https svn svn+ssh rsync file tcp udp tls docker oci s3 gs redis rediss " +
  "postgres postgresql mysql mongodb mongodb+srv amqp amqps mqtt mqtts ldap ldaps"
)
  .split(" ")
  .map((scheme) => `${scheme}://`);

/** True where an unknown part may continue the scheme, so that the host comes behind it: `http$X`, `https:/$X`. */
export function mayEndScheme(pieces: Pieces): boolean {
  const [first, second] = pieces.filter((piece) => piece !== "");
  if (typeof first !== "string" || typeof second !== "object" || isNumber(second)) return false;
  const begun = first.trimStart().toLowerCase();
  if (second.hole === "name" && !begun.includes(":")) return false;
  return begun !== "" && schemes.some((scheme) => scheme !== begun && scheme.startsWith(begun));
}

/**
 * Returns what is known of each part of a partly known address. Where a test restricts, an unknown part stays in its place,
 * such as the host or the path. Where a test loosens, nothing is said of it, since it may hold a delimiter that ends that
 * place. A word with an unknown beginning may hold a whole address.
 */
export function partlyKnownUrl(pieces: Pieces, scheme: string): PartlyKnownUrl {
  spend(8 + 2 * pieces.length);
  const told = pieces.filter((piece) => piece !== "");
  const text = patternText(told);
  const [first] = told;
  const whole = anyText(wordOf(told));
  const nothing = { text, scheme: whole, host: whole, port: whole, path: whole, query: whole, userinfo: whole };
  if (first === undefined || (typeof first === "object" && !isNumber(first) && first.hole === "tail")) return nothing;
  if (mayEndScheme(told)) return nothing;
  const made = parted(told, scheme);
  return made ? { text, ...made } : nothing;
}

/** Returns the parts of an address except its text; undefined if it cannot be parsed. */
function parted(pieces: Pieces, scheme: string): Omit<PartlyKnownUrl, "text"> | undefined {
  const mark = marked(pieces);
  const isNamed = mark.text.includes("://");
  const ported = !isNamed && (scheme === "ssh" || mark.text.includes("@")) ? null : openPort.exec(mark.text);
  const port = ported && mark.has(ported[2] as string) && !mark.has(ported[1]?.split("://")[0] ?? "") ? ported : null;
  const url = parseTarget(port ? (port[1] as string) + mark.text.slice(port[0].length) : mark.text, scheme);
  if (!url || mark.has(url.scheme)) return undefined;
  const holes = pieces.filter((piece) => typeof piece === "object");
  const plain = holes.every(isNumber);
  const fixed = isFixed(pieces, url, scheme);
  const part = (given: string, sure: boolean): Text => {
    const made = patternText(mark.pieces(given));
    return sure ? made : loosened(made);
  };
  const authority = fixed || plain;
  const host = hostOf(mark.pieces(url.host));
  if (port && !isNamed && !plain) {
    // The text behind the colon may be a path or a port; only the host is the same in both readings.
    const whole = anyText(wordOf(pieces));
    return { scheme: whole, host: loosened(host), port: whole, path: whole, query: whole, userinfo: whole };
  }
  return {
    scheme: part(url.scheme, authority || (typeof pieces[0] === "string" && pieces[0].includes("://"))),
    host: authority ? host : loosened(host),
    port: part(port ? (port[2] as string) : url.port, authority),
    path: goesOn(mark.pieces(port?.[2] ?? url.host))
      ? loosened(patternText([{ hole: "tail", of: wordOf(pieces) }, ...mark.pieces(url.path === "/" ? "" : url.path)]))
      : pathOf(mark, url, plain || (fixed && !mark.has(url.path))),
    query: queryOf(mark, url, authority),
    userinfo: part(url.userinfo, authority),
  };
}

/** True where the host or the port ends in an unknown part behind a known one: a path may begin there, as in `b.test$PATH`. */
function goesOn(pieces: Pieces): boolean {
  const told = pieces.filter((piece) => piece !== "");
  const [before, last] = [told.at(-2), told.at(-1)];
  return typeof last === "object" && last.hole === "tail" && typeof before === "string" && !before.endsWith(".");
}

/** Returns what is known of a path. An unknown part may begin the query, so that nothing behind it need be in the path. */
function pathOf(mark: Marked, { path }: UrlValue, sure: boolean): Text {
  const pieces = mark.pieces(path);
  const served = servedPath(path);
  if (served !== path) {
    const both = allTexts([pieces, mark.pieces(served)]);
    return sure ? both : loosened(both);
  }
  const made = patternText(pieces);
  if (sure) return made;
  const open = pieces.findIndex((piece) => typeof piece === "object" && !isNumber(piece));
  const isLast = open < 0 || pieces.slice(open + 1).every((piece) => piece === "");
  if (isLast) return loosened(made);
  const cut = [...pieces.slice(0, open), { ...(pieces[open] as Hole), hole: "tail" as const }];
  return loosened(new Approximation("few", [pieces, cut]));
}

/**
 * Returns what is known of a query. Only its beginning is sure, if nothing before it may hold a query or end the address. Known
 * text behind an unknown part stays in its place where a test restricts.
 */
function queryOf(mark: Marked, url: UrlValue, authority: boolean): Text {
  const isOpen = (piece: string | Hole): boolean => typeof piece === "object" && !isNumber(piece);
  const pieces = mark.pieces(url.query);
  const told = pieces.map((piece): string | Hole => (isOpen(piece) ? { hole: "tail", of: (piece as Hole).of } : piece));
  if (!authority || mark.pieces(url.path).some(isOpen)) {
    const before: Hole = { hole: "tail", of: wordOf(mark.pieces(mark.text)) };
    return url.query === "" ? anyText(before.of) : loosened(patternText([before, ...told]));
  }
  const at = pieces.findIndex(isOpen);
  const isLast = at < 0 || pieces.slice(at + 1).every((piece) => piece === "");
  return isLast ? patternText(told) : loosened(patternText(told));
}

/**
 * Returns an address with all parts unknown, for a text that programs may read in several ways or that cannot be parsed here.
 * Undefined for a path, which is not an address.
 */
export function unreadable(text: string): PartlyKnownUrl | undefined {
  if (/^\s*(?:$|\/(?!\/)|\.{1,2}(?:\/|$)|~)/.test(text)) return undefined;
  const any = anyText(text);
  return { text, scheme: any, host: any, port: any, path: any, query: any, userinfo: any };
}

/** Returns both readings of an address whose path servers may read differently from how it is written; undefined for any other. */
export function otherwiseServed(url: UrlValue): PartlyKnownUrl | undefined {
  const served = servedPath(url.path);
  if (served === url.path) return undefined;
  const { text, scheme, host, port, path, query, userinfo } = url;
  return { text, scheme, host, port, path: allTexts([[path], [served]]), query, userinfo };
}

/** True if the text before the first hole determines the host. */
function isFixed(pieces: Pieces, url: UrlValue, scheme: string): boolean {
  const [first] = pieces;
  if (typeof first !== "string" || url.host === "") return false;
  const beginning = first.trimStart();
  const named = userAndHost.exec(beginning)?.[0];
  if (named !== undefined && !beginning.slice(named.length).startsWith("//")) return true;
  if (beginning.includes("://")) return fixedHost(beginning) === url.host;
  const authority = /^[^\s/?#\\%:@]+(?::\d+)?\//.exec(beginning)?.[0];
  return authority !== undefined && parseTarget(authority, scheme)?.host === url.host;
}

/**
 * Returns what is known of a host. A hole in it holds no slash. A numeric host may be another spelling of an address, so only
 * its leading octets stay.
 */
function hostOf(pieces: Pieces): Text {
  const named = pieces.map((piece): string | Hole => (typeof piece === "string" ? piece : { ...piece, hole: "name" }));
  if (!pieces.some((piece) => typeof piece === "object")) return patternText(named);
  const known = pieces.filter((piece) => typeof piece === "string").join("");
  if (/^(?:xn--|.*\.xn--)/.test(known)) return anyText(wordOf(pieces));
  if (!/^[0-9a-fx.:]*$/.test(known)) return patternText(named);
  const [first] = named;
  const octets = typeof first === "string" ? (/^(?:(?:0|[1-9]\d{0,2})\.)+/.exec(first)?.[0] ?? "") : "";
  if (octets === "") return anyText(wordOf(pieces));
  return new Approximation("pattern", [[octets, { hole: "name", of: wordOf(pieces) }]]);
}

function isNumber(hole: Hole): boolean {
  return hole.number === true;
}

/** The author's words for the unknown parts. */
function wordOf(pieces: Pieces): string {
  return pieces.map((piece) => (typeof piece === "string" ? "" : piece.of)).join("") || "…";
}
