/**
 * Returns the value of an own data property; undefined for a value that is no object, has no such property, has an accessor
 * there, or cannot be read. It runs no code of a payload, so that it can read payloads that are unchecked or refused.
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
