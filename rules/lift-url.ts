import { gradeText } from "../facts/approximate/grade.ts";
import { type UrlClass, urlClasses } from "../facts/network/classes.ts";
import { classPlaces, type HostTest, hostPlaces, rangePlaces } from "../facts/network/host-places.ts";
import { Approximation, mapped } from "../schema/approximation.ts";
import type { PartlyKnownUrl, UrlValue } from "../schema/facts.ts";
import { type Graded, stronger } from "../schema/grades.ts";
import type { CallContext, Lift, Value } from "../schema/ports.ts";
import { isRange } from "./functions/url.ts";
import { asValue, isUrl } from "./functions/values.ts";

type KnownInPart = UrlValue & { readonly partly: PartlyKnownUrl };

/** An address that is known in part. */
export function isPartlyUrl(value: Value | undefined): value is Value & KnownInPart {
  return isUrl(value) && value.partly !== undefined;
}

/** Returns the text of a URL that is known in part; any other value as it is. */
export function urlText(value: Value): Value {
  return isPartlyUrl(value) ? (value as KnownInPart).partly.text : value;
}

/** Returns the address with these known texts, for code that reads nothing else of it; undefined if one of them is unknown. */
function exactly(url: KnownInPart, parts: readonly (keyof PartlyKnownUrl)[]): Value | undefined {
  const { partly, ...own } = url;
  const found: Partial<Record<keyof PartlyKnownUrl, string>> = {};
  for (const part of parts) {
    const known = partly[part];
    if (typeof known !== "string") return undefined;
    found[part] = known;
  }
  return asValue({ ...own, ...found });
}

/** A host of letters and holes in lower case; undefined for a text that may be more than a host. */
function asHost(text: Approximation): Approximation | undefined {
  const isHost = text.members.every((pieces) =>
    pieces.every((piece) =>
      typeof piece === "string" ? /^[\w.-]*$/.test(piece) && !piece.endsWith("..") : piece.hole === "name",
    ),
  );
  const ends = text.members.some((pieces) => String(pieces.at(-1) ?? "").endsWith("."));
  return isHost && !ends ? mapped(text, (known) => known.toLowerCase()) : undefined;
}

function graded(host: Approximation, { sure, may, addresses }: HostTest, context: CallContext): Graded {
  const named = gradeText(host, sure, context.loosens);
  // A host with letters that no address has cannot be in a range of addresses.
  const isName = host.members.every((pieces) =>
    pieces.some((piece) => typeof piece === "string" && /[^0-9a-f.:]/.test(piece)),
  );
  const other = isName && !(host.loose && context.loosens) ? may : [...may, ...addresses];
  if (named === true || other.length === 0) return named;
  // A match with one of these is never sure, however much of the host is known.
  return stronger(
    named,
    gradeText(new Approximation(host.form, host.members, { loose: true }), other, context.loosens && host.loose),
  );
}

/** The lifted forms of functions of addresses and hosts; those of texts are given. */
export function urlLifts({ equals, unknown, eachText }: Readonly<Record<"equals" | "unknown" | "eachText", Lift>>) {
  /** Lifts a test of a host, which is given as text or within its URL. */
  const hostTested = (test: (operand: Value) => HostTest | undefined): Lift => {
    return (args, run, context) => {
      const [value = null, operand = null] = args;
      const url = isPartlyUrl(value) ? (value as KnownInPart) : undefined;
      const known = url && exactly(url, ["host"]);
      if (known !== undefined) return run([known, operand], context);
      const text = url ? url.partly.host : value;
      if (!url) {
        const exact = eachText(args, run, context);
        if (!(exact instanceof Approximation)) return exact;
      }
      const host = text instanceof Approximation ? asHost(text) : undefined;
      const made = test(operand);
      // A wrong operand gives the same error for every host.
      if (!made) return run([url ? asValue({ ...url, partly: undefined }) : "", operand], context);
      return host ? graded(host, made, context) : unknown([text as Value, operand], run, context);
    };
  };
  const texts = (operand: Value): readonly string[] | undefined => {
    const list = Array.isArray(operand) ? operand : [operand];
    return list.every((item) => typeof item === "string") ? (list as readonly string[]) : undefined;
  };
  /** Lifts functions that read only some parts of a URL. */
  const ofParts = (...parts: readonly (keyof PartlyKnownUrl)[]): Lift => {
    return (args, run, context) => {
      const [value = null, ...rest] = args;
      if (!isPartlyUrl(value)) return eachText(args, run, context);
      const known = exactly(value as KnownInPart, parts);
      return known === undefined || rest.some((item) => item instanceof Approximation)
        ? unknown([(value as KnownInPart).partly.text as Value, ...rest], run, context)
        : run([known, ...rest], context);
    };
  };
  const isOf = hostTested((name) => (isUrlClass(name) ? classPlaces(name) : undefined));
  return {
    hostIn: hostTested((operand) => {
      const list = texts(operand);
      return list && hostPlaces(list);
    }),
    hostCidr: hostTested((operand) => {
      const list = texts(operand);
      return list?.every(isRange) ? rangePlaces(list) : undefined;
    }),
    hostIs: isOf,
    textIs: ((args, run, context) => (isUrlClass(args[1]) ? isOf : eachText)(args, run, context)) as Lift,
    urlEquals: ((args, run, context) => equals(args.map(urlText), run, context)) as Lift,
    urlText: (([value = null], run, context) => {
      const text = urlText(value);
      return text instanceof Approximation || typeof text === "string" ? text : unknown([value], run, context);
    }) as Lift,
    ofHost: ofParts("scheme", "host", "port", "userinfo"),
    ofUrl: ofParts("text", "scheme", "host", "port", "path", "query", "userinfo"),
  };
}

function isUrlClass(name: Value | undefined): name is UrlClass {
  return typeof name === "string" && (urlClasses as readonly string[]).includes(name);
}
