import { detectorIds, namesDetector } from "../../facts/secrets/detectors.ts";
import { selectTextDetectors, type TextKind, textDetectors } from "../../facts/text/detectors.ts";

/** Selection made by the `detectors` of a `redact`. */
export interface RedactionDetectors {
  /** Names that select detectors of secrets and of personal data, as they were given. */
  readonly scanned: readonly string[];
  /** Kinds of untrusted text. */
  readonly text: ReadonlySet<TextKind>;
  /** Names that select nothing. */
  readonly unknown: readonly string[];
}

/** Ids of all detectors that `redact` knows, and a glob for each family, to suggest one for a misspelt name. */
export function redactionIds(): readonly string[] {
  const ids = [...detectorIds, ...textDetectors.map(({ id }) => id)];
  return [...new Set(ids.map((id) => `${id.slice(0, id.indexOf("/"))}/*`)), ...ids];
}

/** Sorts names of detectors by the scanner that implements them. */
export function selectRedaction(names: readonly string[]): RedactionDetectors {
  const scanned: string[] = [];
  const text = new Set<TextKind>();
  const unknown: string[] = [];
  for (const name of names) {
    const found = selectTextDetectors(name);
    const isScanned = namesDetector(name);
    if (isScanned) scanned.push(name);
    for (const { kind } of found) text.add(kind);
    if (!isScanned && found.length === 0) unknown.push(name);
  }
  return { scanned, text, unknown };
}

/** Words that name no service: their authors mean the keys of all services. */
const anyKey: ReadonlySet<string> = new Set(
  "api key keys apikey apikeys token tokens password passwords passwd credential credentials secret secrets all generic private access auth".split(
    " ",
  ),
);

/** Other words for the finds of the detectors of personal data. */
const personal: readonly (readonly [words: RegExp, detector: string])[] = [
  [/^(?:cards?|credit|creditcards?|debit|cc|ccn|pan|visa|mastercard|payment)$/, "pii/card"],
  [/^(?:e?mails?|address)$/, "pii/email"],
  [/^(?:phones?|tel|telephone|mobile)$/, "pii/phone"],
  [/^(?:ssn|social)$/, "pii/ssn"],
  [/^(?:ibans?|bank)$/, "pii/iban"],
  [/^(?:pii|personal|gdpr)$/, "pii/*"],
];

/** Returns help for a name that no detector has: the one that finds what the name says. Undefined if the name says nothing. */
export function detectorInstead(text: string): string | undefined {
  const words = text
    .toLowerCase()
    .slice(0, 100)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const own = words.length > 1 ? words.filter((word) => word !== "secrets" && word !== "pii") : words;
  if (own.length === 0) return undefined;
  const found = personal.find(([pattern]) => own.some((word) => pattern.test(word)));
  if (found) return `write \`${found[1]}\``;
  return own.every((word) => anyKey.has(word)) ? "write `secrets/*`, which finds the keys of all services" : undefined;
}
