/** A word of a name or version: what a host says of itself stands in records, and may be no more than that. */
const word = /^[\w.+@/-]{1,64}$/;

/**
 * The version that a host names in a payload or through its API, for records (`EngineOptions.caller`); undefined for what
 * is none.
 */
export function hostVersion(value: unknown): string | undefined {
  return typeof value === "string" && word.test(value) ? value : undefined;
}
