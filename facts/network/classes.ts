import type { UrlValue } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { isDataName, isLookalike } from "./hosts.ts";
import { isAddress } from "./url.ts";

/** Version of the class table, for plans and audit records. Raised whenever a row changes. */
export const urlClassesVersion = "2";

/** Names of the URL classes that `is` knows (language section 2). */
export const urlClasses = ["loopback", "private", "metadata", "address", "lookalike", "data_name"] as const;

/** A name that `is` takes for a URL. */
export type UrlClass = (typeof urlClasses)[number];

/** A class of addresses, and of names for them. */
type PlaceClass = Exclude<UrlClass, "address" | "lookalike" | "data_name">;

/** Address ranges of each class. Sources: RFC 1122, 1918, 3927, 4193, 4291, 6598, 6890. */
const ranges: Readonly<Record<PlaceClass, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "0.0.0.0/32", "::1/128", "::/128"],
  private: [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "192.0.0.0/24",
    "198.18.0.0/15",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
  ],
  // Addresses at which clouds serve credentials to their machines.
  metadata: [
    "169.254.169.254/32",
    "169.254.170.2/32",
    "169.254.170.23/32",
    "169.254.0.23/32",
    "169.254.42.42/32",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
    "fd00:ec2::254/128",
    "fd00:ec2::23/128",
    "fd20:ce::254/128",
    "fd00:42::42/128",
  ],
};

/** Names that resolve into each class by convention; each also covers what lies beneath it. */
const names: Readonly<Record<PlaceClass, readonly string[]>> = {
  loopback: [
    "localhost",
    "localhost.localdomain",
    "ip6-localhost",
    "ip6-loopback",
    "localtest.me",
    "lvh.me",
    "vcap.me",
  ],
  private: [
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "corp",
    "home",
    "private",
    "host.docker.internal",
    "svc.cluster.local",
  ],
  metadata: [
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.com",
    "metadata.azure.internal",
    "instance-data.ec2.internal",
    "instance-data",
    "metadata",
    "metadata.tencentyun.com",
    "metadata.platformequinix.com",
    "metadata.packet.net",
    "api.metadata.cloud.ibm.com",
    "rancher-metadata",
  ],
};

/**
 * True if a URL's host is of a class. Names are judged as written, since nothing is resolved here; names that embed an
 * address for wildcard services (`127.0.0.1.nip.io`) are judged by it. A metadata address is private too. A `file:`
 * URL, which has no host, is of no class. `address` is any address instead of a name, `lookalike` a name whose letters
 * pass for others, `data_name` a name fit to carry data out (`hosts.ts`).
 */
export function urlClass(name: string, url: UrlValue): boolean {
  if (url.host === "") return false;
  spend(8 + (url.host.length >> 2));
  if (name === "address") return isAddress(url.host);
  if (name === "lookalike") return isLookalike(url.host);
  if (name === "data_name") return isDataName(url.host);
  if (!Object.hasOwn(ranges, name)) return false;
  const kind = name as PlaceClass;
  const host = embedded(url.host) ?? url.host;
  const own = isAddress(host)
    ? inRanges(host, ranges[kind])
    : names[kind].some((n) => host === n || host.endsWith(`.${n}`));
  return own || (kind === "private" && urlClass("metadata", url));
}

/** Names and ranges of a class of places; a metadata address is private too. */
export function classRows(kind: PlaceClass): { readonly names: readonly string[]; readonly ranges: readonly string[] } {
  if (kind !== "private") return { names: names[kind], ranges: ranges[kind] };
  return { names: [...names.private, ...names.metadata], ranges: [...ranges.private, ...ranges.metadata] };
}

/** The address in a name of a wildcard DNS service, in decimal or hexadecimal form. */
function embedded(host: string): string | undefined {
  const name = /^(.*)\.(?:nip\.io|sslip\.io|xip\.io)$/.exec(host)?.[1];
  if (name === undefined) return undefined;
  const decimal = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})$/.exec(name);
  if (decimal) return decimal.slice(1, 5).map(Number).join(".");
  const hex = /(?:^|[.-])([0-9a-f]{8})$/.exec(name)?.[1];
  if (hex !== undefined) return [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(".");
  const last = name.slice(name.lastIndexOf(".") + 1);
  const six = /^[0-9a-f-]*$/.test(last) && last.includes("-") ? last.replaceAll("-", ":") : undefined;
  return six !== undefined && ipv6Words(six) ? six : undefined;
}

function inRanges(address: string, list: readonly string[]): boolean {
  const bits = addressBits(address);
  return bits !== undefined && list.some((range) => contains(range, bits));
}

/**
 * True if an address lies in a CIDR range (`10.0.0.0/8`, `fc00::/7`), undefined if either text is invalid. IPv4 inside IPv6
 * (`::ffff:10.0.0.1`, `64:ff9b::a00:1`, `2002:a00:1::`) is compared as IPv4.
 */
export function inCidr(address: string, range: string): boolean | undefined {
  spend(8 + ((address.length + range.length) >> 2));
  const bits = addressBits(address);
  return bits === undefined || !validRange(range) ? undefined : contains(range, bits);
}

function validRange(range: string): boolean {
  const [base = "", length = ""] = range.split("/");
  const bits = addressBits(base, true);
  return (
    bits !== undefined && range.split("/").length === 2 && /^\d{1,3}$/.test(length) && Number(length) <= bits.length
  );
}

function contains(range: string, bits: string): boolean {
  const slash = range.indexOf("/");
  const base = addressBits(range.slice(0, slash), true);
  const length = Number(range.slice(slash + 1));
  return base !== undefined && base.length === bits.length && base.slice(0, length) === bits.slice(0, length);
}

/** An address as a string of binary digits, 32 or 128 long; IPv4 inside IPv6 as 32 unless `asWritten`. */
function addressBits(address: string, asWritten = false): string | undefined {
  const text = address.replace(/^\[|\]$/g, "").replace(/%.*$/s, "");
  if (!text.includes(":")) return ipv4Bits(text);
  const words = ipv6Words(text);
  if (!words) return undefined;
  const bits = words.map((word) => word.toString(2).padStart(16, "0")).join("");
  return asWritten ? bits : (carriedBits(words, bits) ?? bits);
}

/** The IPv4 address that an IPv6 one carries: mapped, compatible, translated (RFC 2765, 6052, 8215), 6to4 (RFC 3056). */
function carriedBits(words: readonly number[], bits: string): string | undefined {
  const zero = (from: number, to: number): boolean => words.slice(from, to).every((word) => word === 0);
  const mapped = zero(0, 5) && words[5] === 0xffff;
  const translated = zero(0, 4) && words[4] === 0xffff && words[5] === 0;
  const prefixed = words[0] === 0x64 && words[1] === 0xff9b && (zero(2, 6) || words[2] === 1);
  // `::` and `::1` are addresses of their own.
  const compatible = zero(0, 6) && words[6] !== 0;
  if (mapped || translated || prefixed || compatible) return bits.slice(96);
  return words[0] === 0x2002 ? bits.slice(16, 48) : undefined;
}

function ipv4Bits(text: string): string | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.map((part) => Number(part).toString(2).padStart(8, "0")).join("");
}

function ipv6Words(text: string): number[] | undefined {
  const last = /^(.*:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text);
  const tail = last ? ipv4Bits(last[2] as string) : undefined;
  if (last && !tail) return undefined;
  const plain =
    last && tail
      ? `${last[1]}${Number.parseInt(tail.slice(0, 16), 2).toString(16)}:${Number.parseInt(tail.slice(16), 2).toString(16)}`
      : text;
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - rest.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const words = [...head, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...rest];
  return words.every((word) => /^[0-9A-Fa-f]{1,4}$/.test(word))
    ? words.map((word) => Number.parseInt(word, 16))
    : undefined;
}
