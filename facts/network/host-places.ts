import { type Place, placesOf } from "../approximate/walk.ts";
import { classRows, type UrlClass } from "./classes.ts";
import { hostPatterns } from "./url.ts";

type Places = readonly (readonly Place[])[];

/**
 * Tests of a partly known host: it surely passes one of `sure`; it may pass one of `may`, or one of `addresses` if it is an
 * address and no name.
 */
export interface HostTest {
  readonly sure: Places;
  readonly may: Places;
  readonly addresses: Places;
}

/** Returns the test for hosts that `hostIn` matches by one of the patterns. */
export function hostPlaces(patterns: readonly string[]): HostTest {
  const sure = hostPatterns(patterns).flatMap(({ itself, beneath }) => [
    ...(itself === "" ? [] : [placesOf(itself)]),
    ...(beneath === "" ? [] : [["tail" as const, ...placesOf(beneath)]]),
  ]);
  return { sure, may: [], addresses: [] };
}

/** Hosts that may be an address of one of the ranges. A name may begin like an address, so nothing is sure. */
export function rangePlaces(ranges: readonly string[]): HostTest {
  return { sure: [], may: [], addresses: ranges.map(rangeStart) };
}

function rangeStart(range: string): readonly Place[] {
  const [base = "", length = "0"] = range.split("/");
  if (base.includes(":")) return ["tail", { char: ":" }, "tail"];
  const octets = base.split(".").slice(0, Number(length) >> 3);
  const end = octets.length === 4 ? "" : ".";
  return octets.length === 0
    ? ["tail"]
    : [...placesOf(octets.join(".") + end), ...(end === "" ? [] : ["tail" as const])];
}

/** Services whose names hold an address. */
const embedding = ["nip.io", "sslip.io", "xip.io"];

/** Returns the test for hosts that `is` assigns to a class. */
export function classPlaces(name: UrlClass): HostTest {
  if (name === "lookalike") return { sure: [], may: [["tail", ...placesOf("xn--"), "tail"]], addresses: [] };
  if (name === "address") return { sure: [], may: [], addresses: [["tail"]] };
  if (name === "data_name") return { sure: [], may: [["tail"]], addresses: [] };
  const { names, ranges } = classRows(name);
  return { sure: hostPlaces(names).sure, may: hostPlaces(embedding).sure, addresses: ranges.map(rangeStart) };
}
