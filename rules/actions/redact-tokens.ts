import { spend } from "../../facts/meter.ts";
import type { Confidence } from "../../facts/secrets/detector.ts";
import type { Scanner } from "../../facts/secrets/scan.ts";
import { redactionToken } from "../../facts/secrets/scan.ts";
import { detectors } from "../../facts/secrets/table.ts";
import type { Edit } from "../../facts/text/splice.ts";
import { splice } from "../../facts/text/splice.ts";
import type { Pseudonym } from "../../schema/ports.ts";
import { isSealed, sealId } from "../../schema/pseudonym.ts";

/** Units of work for the keyed digests of one token. */
const tokenUnits = 300;

/** Hex digits of a token's id, and how many of them prove that it is genuine; the others distinguish values. */
const digits = { all: 10, proof: 3 } as const;

/** A token with an id, ours or not. */
const withId = /\[REDACTED:([\w.-]{1,64}):([\w-]{1,64})\]/g;

/** Any token, escaped or not. */
const anyToken = /\[\\?REDACTED:[\w.-]{1,64}(?::[\w-]{1,64})?\]/g;

/** Least entropy floor, in bits per character, from which a detector of medium confidence finds random values only. */
const random = 3;

let keyed: ReadonlySet<string> | undefined;

/** Returns the detectors whose tokens are keyed. Made when a secret is found: the rows take long to read. */
function keyedDetectors(): ReadonlySet<string> {
  keyed ??= new Set(
    detectors
      .filter(({ id, confidence, entropy }) => id.startsWith("secrets/") && isRandom(confidence, entropy ?? 0))
      .map(({ id }) => id),
  );
  return keyed;
}

function isRandom(confidence: Confidence, entropy: number): boolean {
  return confidence === "high" || (confidence === "medium" && entropy >= random);
}

/**
 * True for a detector whose values are random, so that a keyed name for one tells nothing about it. Of a password or a
 * card number a token tells the kind alone: those can be guessed. Source: semantics section 5, "Redaction token".
 */
export function hasKeyedToken(detector: string): boolean {
  return keyedDetectors().has(detector);
}

/**
 * Returns the token that replaces a secret: `[REDACTED:github-token:0123456789]`. The same secret has the same token all
 * through a session, and another in the next. Part of the id is a proof over the rest: it tells genuine tokens from ones
 * made up in content, without remembering any. Without an install key, or for guessable values, it has the kind alone.
 */
export function tokenOf(detector: string, secret: string, pseudonym: Pseudonym): string {
  const token = redactionToken(detector);
  if (!keyedDetectors().has(detector)) return token;
  spend(tokenUnits);
  const kind = token.slice("[REDACTED:".length, -1);
  const id = pseudonym(`value\0${secret}`)?.slice(0, digits.all - digits.proof);
  const sealed = id === undefined ? undefined : sealId(`token\0${kind}`, id, digits.proof, pseudonym);
  return sealed === undefined ? token : `[REDACTED:${kind}:${sealed}]`;
}

/** Escapes tokens with an id that this session's key did not make: `[\REDACTED:…]`. What is escaped stays as it is. */
export function forgedTokens(text: string, pseudonym: Pseudonym): Edit[] {
  if (!text.includes("[REDACTED:")) return [];
  return [...text.matchAll(withId)]
    .filter(([, kind = "", id = ""]) => {
      spend(tokenUnits);
      return !isSealed(`token\0${kind}`, id, digits.proof, pseudonym);
    })
    .map(({ index }) => ({ start: index + 1, end: index + 1, text: "\\" }));
}

/** Finds the places of tokens of any session. */
export function tokenSpans(text: string): Edit[] {
  if (!text.includes("REDACTED:")) return [];
  return [...text.matchAll(anyToken)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}

/** A text with each finding replaced by its token of the session; for reasons, messages and records. */
export function maskText(scanner: Scanner, text: string, pseudonym: Pseudonym): string {
  const found = scanner.find(text);
  return splice(
    text,
    found.map(({ start, end, detector }) => ({
      start,
      end,
      text: tokenOf(detector, text.slice(start, end), pseudonym),
    })),
  );
}
