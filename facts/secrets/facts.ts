import type { SecretFact } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import { createRegexEngine } from "../regex.ts";
import { editText } from "../text/edit.ts";
import { textPlaces } from "../text/places.ts";
import { visitTexts } from "../text/visit.ts";
import { selectDetectors } from "./detectors.ts";
import { findNamed } from "./edits.ts";
import type { Scanner } from "./scan.ts";
import { scannerOf, unscannedId } from "./scan.ts";

/** Stands for text that could not be scanned: rules that ask for secrets must not take it for clean. */
export const unscanned: Pick<SecretFact, "detector" | "confidence"> = {
  detector: unscannedId,
  confidence: "low",
};

/**
 * Secrets in the text of an event, by place and in order: arguments, results, messages, prompts, input, command, and
 * keys of objects. JSON inside strings is decoded. A detector counts once for each place. Text over
 * `limits.scanLength`, or a payload over its bounds, gives `secrets/unscanned`. The default scanner has every detector
 * and the engine at hand. Source: language section 4 (`secrets`).
 */
export function scanSecrets(event: JudgedEvent, scanner: Scanner = allDetectors()): SecretFact[] {
  const facts = new Map<string, SecretFact>();
  let left: number = limits.scanLength;
  for (const [root, value] of textPlaces(event)) {
    const fault = visitTexts(
      value,
      (text, where, key) => {
        left -= text.length;
        if (left < 0) add(facts, { ...unscanned, where: root });
        else scanText(text, where, key, scanner, facts);
      },
      root,
    );
    if (fault) add(facts, { ...unscanned, where: root });
  }
  return [...facts.values()];
}

/** Returns the facts of an event whose text takes too much work to scan: each place may hold anything. */
export function unscannedEvent(event: JudgedEvent): SecretFact[] {
  return textPlaces(event).map(([where]) => ({ ...unscanned, where }));
}

let shared: Scanner | undefined;

/** A scanner with every detector of secrets, made when first needed. */
function allDetectors(): Scanner {
  shared ??= scannerOf(createRegexEngine(), selectDetectors(["secrets/*"]).selected);
  return shared;
}

function scanText(
  text: string,
  where: string,
  key: string | undefined,
  scanner: Scanner,
  facts: Map<string, SecretFact>,
): void {
  editText(
    text,
    (part, name) => {
      for (const { detector, confidence } of findNamed(scanner, part, name))
        add(facts, { detector, where, confidence });
      return [];
    },
    key,
    (json) => scanner.places(json),
  );
}

function add(facts: Map<string, SecretFact>, fact: SecretFact): void {
  const id = `${fact.where}\0${fact.detector}`;
  if (!facts.has(id)) facts.set(id, fact);
}
