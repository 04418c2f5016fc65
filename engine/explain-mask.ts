import { Approximation, shownPath, shownText } from "../schema/approximation.ts";
import type { PathValue, UrlValue } from "../schema/facts.ts";
import type { LinkedPlan } from "./link-plan.ts";

/** Takes secrets out of a text that is to be shown. */
export type Hide = (text: string) => string;

/** Placeholder for texts of an event that could not be searched for secrets. */
const withheld = "(withheld)";

/** Least length of a hidden value, in UTF-16 units: shorter values occur in any text by chance. */
const leastValue = 4;

/**
 * Returns a function that hides the secrets of one event in any shown text. It hides the values that audit records would
 * mask in the whole event, in every form in which facts cite them, and those that a detector finds in the shown text.
 * Texts of an event that cannot be searched are withheld. Source: threats section 3.2, item 10.
 */
export function hideSecrets(plan: LinkedPlan, event: unknown): Hide {
  const found = plan.mask.mask(event, JSON.stringify(event), () => undefined)?.found;
  if (!found) return () => withheld;
  const tokens = new Map<string, string>();
  for (const { detector, value } of found)
    if (value.length >= leastValue) tokens.set(value, `[REDACTED:${detector.split("/").at(-1) ?? ""}]`);
  // The longest first: a shorter one may be a part of it.
  const values = [...tokens].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  return (text) =>
    plan.vocabulary.mask(values.reduce((shown, [value, token]) => shown.replaceAll(value, () => token), text));
}

/** Returns plain data with every text masked, names too. Its depth is bounded, like that of every event and fact. */
export function hidden<T>(value: T, hide: Hide): T {
  return copied(value, hide) as T;
}

/** Returns a partly known path or address, with the known parts in place of guessed texts. */
function shownForms(given: PathValue | UrlValue): object {
  if (given.kind === "url") {
    const { partly, ...url } = given;
    return { ...url, ...partly };
  }
  const { partly: _, loose: __, ...path } = given;
  return { ...path, lexical: shownPath(given, "lexical"), real: shownPath(given, "real") };
}

function copied(value: unknown, hide: Hide): unknown {
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((item) => copied(item, hide));
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Approximation) return hide(shownText(value));
  if (Object.hasOwn(value, "partly")) return copied(shownForms(value as PathValue | UrlValue), hide);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), copied(item, hide)]));
}
