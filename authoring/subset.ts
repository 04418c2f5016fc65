/**
 * True when every part of `wanted` is in `given`: objects may have more keys, lists must have the same length and match
 * item by item, everything else must be equal.
 */
export function matchesSubset(wanted: unknown, given: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(given) && wanted.length === given.length && wanted.every((item, i) => matchesSubset(item, given[i]))
    );
  }
  if (typeof wanted !== "object" || wanted === null) return Object.is(wanted, given);
  if (typeof given !== "object" || given === null || Array.isArray(given)) return false;
  return Object.keys(wanted).every(
    (key) =>
      Object.hasOwn(given, key) &&
      matchesSubset((wanted as Record<string, unknown>)[key], (given as Record<string, unknown>)[key]),
  );
}
