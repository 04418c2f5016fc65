/**
 * The value of an own data property; undefined for what is no object, has no such property, has an accessor there, or
 * cannot be read. For the little that is still looked at of a payload that was refused.
 */
export function ownData(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Object.getOwnPropertyDescriptor(value, key)?.value;
  } catch {
    return undefined;
  }
}

/** True for an object literal or one without a prototype, of any realm; false for instances of classes. */
export function isMapping(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
