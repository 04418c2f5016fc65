import type { UrlValue } from "../../schema/facts.ts";
import { spend, unitsLeft } from "../meter.ts";
import { decodeHost } from "../tables/punycode.ts";
import { isSettled } from "../tables/settled.ts";
import { withoutEnd } from "../text/ends.ts";

/**
 * A URL as a value through the platform's WHATWG parser, which host programs use as well: numeric forms of IPv4 are normalised,
 * the host is lower case and ASCII, user information is kept apart. Undefined for a text without a scheme, or one that cannot
 * be parsed; a NUL or control character that the parser would drop or cut at makes the text unusable as well, and so does an
 * authority that parsers read apart (`https://good.test\\@evil.test`) or whose letters are newer than the mapping that every
 * runtime has (`isSettled`). Source: events and effects of the language page; threats row 14.
 */
export function parseUrl(text: string): UrlValue | undefined {
  spend(8 + (text.length >> 4));
  const plain = text.trim();
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(plain) || hasControls(plain) || isDoubtful(plain)) return undefined;
  if (!isMappable(authorityOf(plain))) return undefined;
  let url: URL;
  try {
    url = new URL(plain);
  } catch {
    return undefined;
  }
  const special = /^(?:https?|wss?|ftp|file):$/.test(url.protocol);
  // Other schemes keep their host as written; read it again as a special one, so that 0x7f.1 is 127.0.0.1 there too.
  const host = special || url.hostname === "" ? url.hostname : hostOf(url.hostname);
  if (host === undefined || !isSettled(decodeHost(host))) return undefined;
  return {
    kind: "url",
    text,
    scheme: url.protocol.slice(0, -1),
    host: cleanHost(host),
    port: url.port,
    path: decodedPlain(url.pathname),
    query: url.search.slice(1),
    userinfo: url.password === "" ? url.username : `${url.username}:${url.password}`,
  };
}

/** A path without escapes for letters, digits and `-._~`, because RFC 3986 calls both spellings the same. */
function decodedPlain(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%[0-9A-Fa-f]{2}/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape;
  });
}

/**
 * Returns the path as many servers read it: escaped or repeated slashes count as one, and `.` and `..` are resolved. No standard
 * requires this, so a path counts in both spellings.
 */
export function servedPath(path: string): string {
  if (!/\/\/|%2f|%5c/i.test(path)) return path;
  spend(1 + (path.length >> 4));
  const names: string[] = [];
  const parts = path.replace(/%2f|%5c/gi, "/").split("/");
  for (const name of parts) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const isFolder = /^\.{0,2}$/.test(parts.at(-1) as string) && names.length > 0;
  return `/${names.join("/")}${isFolder ? "/" : ""}`;
}

/**
 * Parses a destination as programs accept it: a URL, `user@host:path` as scp and git read it, `host:port`, `host/path` or a
 * bare host. `scheme` is the program's default, e.g. `http` for curl. Returns undefined if the text holds no readable host.
 */
export function parseTarget(text: string, scheme = "https"): UrlValue | undefined {
  spend(4 + (text.length >> 4));
  const plain = text.trim();
  if (hasControls(plain) || /^(?:$|\/(?!\/)|\.{1,2}\/|~)/.test(plain)) return undefined;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(plain) || /^(?:https?|wss?|ftp|mailto|data|file|blob):/i.test(plain))
    return parseUrl(plain);
  if (plain.startsWith("//")) return named(text, parseUrl(`${scheme}:${plain}`));
  return scpLike(text, plain) ?? named(text, parseUrl(`${scheme}://${plain}`));
}

/**
 * Returns the host that all addresses with this beginning have. The text must hold scheme, host and the slash behind it, and
 * nothing in which programs may read another host (a backslash, a percent sign). On the web a query or a fragment ends the host
 * as well. Undefined where more could change it.
 */
export function fixedHost(beginning: string): string | undefined {
  const match =
    /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s/?#\\%]+\//.exec(beginning) ??
    /^(?:https?|wss?):\/\/[^\s/?#\\%@]+[?#]/i.exec(beginning);
  return match ? parseUrl(match[0])?.host || undefined : undefined;
}

function named(text: string, url: UrlValue | undefined): UrlValue | undefined {
  return url && url.host !== "" ? { ...url, text } : undefined;
}

/** `user@host:path`, or `host:path` whose path is no port. */
function scpLike(text: string, plain: string): UrlValue | undefined {
  const match = /^(?:([^@/:\s]+)@)?(\[[0-9A-Fa-f:.]+\]|[^@/:[\]\s\\]+):(?!\/\/)(.*)$/s.exec(plain);
  if (!match) return undefined;
  const [, user = "", host = "", path = ""] = match;
  if (user === "" && /^\d{1,5}(?:[/?#]|$)/.test(path)) return undefined;
  const clean = hostOf(host);
  if (clean === undefined) return undefined;
  return {
    kind: "url",
    text,
    scheme: "ssh",
    host: cleanHost(clean),
    port: "",
    path: path.startsWith("/") ? path : `/${path}`,
    query: "",
    userinfo: user,
  };
}

/**
 * True if programs may read another host from the text than the platform does: a backslash ends the authority for some
 * and is part of it for others, which matters before an `@`; characters that not every runtime maps alike.
 */
function isDoubtful(text: string): boolean {
  const authority = authorityOf(text);
  const backslash = authority.indexOf("\\");
  if (backslash >= 0 && authority.includes("@", backslash)) return true;
  return /[%\u0080-\uffff]/.test(authority) && !isSettled(percentDecoded(authority));
}

function authorityOf(text: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[\\/]*([^/?#]*)/.exec(text)?.[1] ?? "";
}

/** Longest host that is mapped, in UTF-16 units: DNS allows names of 253 letters, each of which may be escaped. */
const hostLength = 4 * 253;
/** Units of work for one letter of a host that the platform has to map. */
const letterUnits = 16;

/**
 * False for a host that is too long to be mapped to or from Punycode, which takes the platform time in the square of its
 * length. The work for a shorter host is spent.
 */
function isMappable(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (!/[%\u0080-\uffff]|xn--/i.test(host)) return true;
  const { length } = host.includes("%") ? percentDecoded(host) : host;
  if (length > hostLength) return false;
  spend(length * letterUnits);
  return true;
}

/** Returns the text with percent escapes decoded; unchanged if they are no UTF-8. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hasControls(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text);
}

/** A host as the platform normalises it for the web, or undefined. */
function hostOf(host: string): string | undefined {
  if (!isMappable(host)) return undefined;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

function cleanHost(host: string): string {
  return withoutEnd(host.toLowerCase().replace(/^\[|\]$/g, ""), ".");
}

/**
 * True if the host is one of the patterns or lies beneath one, compared at a dot: `example.com` matches itself and
 * `api.example.com`, never `badexample.com`; `*.example.com` matches what lies beneath only. An address matches by
 * equality. A pattern may be given as a URL or with a port; only its host counts. An empty host matches nothing.
 */
export function hostIn(host: string, patterns: readonly string[]): boolean {
  spend(4 + patterns.length + (host.length >> 4));
  const wanted = cleanHost(hostOf(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host) ?? host);
  return wanted !== "" && patterns.some((pattern) => matches(wanted, pattern));
}

/** Parses each host pattern. */
export function hostPatterns(patterns: readonly string[]): readonly HostPattern[] {
  return patterns.map(patternOf);
}

function matches(host: string, pattern: string): boolean {
  const { itself, beneath } = patternOf(pattern);
  return (itself !== "" && host === itself) || (beneath !== "" && host.endsWith(beneath));
}

/** A host pattern: the host that it names, and the suffix of its subdomains; empty for none. */
export interface HostPattern {
  readonly itself: string;
  readonly beneath: string;
}

/** Patterns by text with their cost; bounded, and only ever a repetition of the same pure work. */
const knownPatterns = new Map<string, { readonly made: HostPattern; readonly cost: number }>();

function patternOf(pattern: string): HostPattern {
  const known = knownPatterns.get(pattern);
  if (known) {
    spend(known.cost);
    return known.made;
  }
  const before = unitsLeft();
  const wild = pattern.startsWith("*.");
  const text = wild ? pattern.slice(2) : pattern;
  const bare = text.includes("://") ? (parseUrl(text)?.host ?? "") : cleanHost(hostOf(bracketed(text)) ?? "");
  const made = { itself: wild ? "" : bare, beneath: bare === "" || isAddress(bare) ? "" : `.${bare}` };
  if (knownPatterns.size >= 2_000) knownPatterns.clear();
  knownPatterns.set(pattern, { made, cost: before - unitsLeft() });
  return made;
}

/** An IPv6 address in brackets, as a URL needs it; a port is left to the parser. */
function bracketed(text: string): string {
  return /^(?=[0-9A-Fa-f:.]*$)[^:]*:[^:]*:/.test(text) ? `[${text}]` : text;
}

/** True for an IPv4 or IPv6 address in the platform's normal form. */
export function isAddress(host: string): boolean {
  return host.includes(":") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}
