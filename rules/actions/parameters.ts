/**
 * Reading of checked parameters. The compiler has checked their types against `about.ts`; a value that still does not fit (in a
 * foreign plan) reads as absent.
 */

/** An own field of the parameters. */
export function field(parameters: unknown, name: string): unknown {
  return typeof parameters === "object" && parameters !== null && Object.hasOwn(parameters, name)
    ? (parameters as Record<string, unknown>)[name]
    : undefined;
}

/** A text parameter. */
export function text(parameters: unknown, name: string): string | undefined {
  const value = field(parameters, name);
  return typeof value === "string" ? value : undefined;
}

/** A list of texts; empty when absent. */
export function texts(parameters: unknown, name: string): readonly string[] {
  const value = field(parameters, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
