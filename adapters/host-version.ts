/** Matches a name or version: records hold the host's own words, which may be nothing else. */
const word = /^[\w.+@/-]{1,64}$/;

/** Returns the host's version from a payload or its API, for records (`EngineOptions.caller`); undefined if it is no version. */
export function hostVersion(value: unknown): string | undefined {
  return typeof value === "string" && word.test(value) ? value : undefined;
}
