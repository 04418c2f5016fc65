import { fileURLToPath } from "node:url";

/** Unicode blanks that hosts read as a plain blank. */
const oddBlanks = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/** Arguments of the hosts' own tools that hold one path. */
const pathKeys = ["path", "file_path"] as const;

/** Returns the path of a `file:` address, or the text itself. */
export function withoutFileUrl(text: string): string {
  if (!/^file:\/\//i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

/**
 * Reads a path as pi's tools do: drops a leading `@`, makes odd blanks plain, and converts a `file:` address to its path
 * (pi 0.87.1, `core/tools/path-utils`). The judged file must be the one that is opened.
 */
export function plainPath(text: string): string {
  const plain = text.replace(oddBlanks, " ");
  return withoutFileUrl(plain.startsWith("@") ? plain.slice(1) : plain);
}

/** Converts the paths in arguments to the form that the tools read; returns the same object if nothing differs. */
export function plainArguments(
  input: Readonly<Record<string, unknown>>,
  read: (path: string) => string = plainPath,
): Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null) return input;
  const changed: Record<string, unknown> = {};
  for (const key of pathKeys) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (typeof value === "string" && read(value) !== value) changed[key] = read(value);
  }
  return Object.keys(changed).length === 0 ? input : { ...input, ...changed };
}

/**
 * Returns the arguments to run after a rule changed the judged ones. Unchanged arguments keep the host's form, and arguments
 * that were only derived for judging are left out.
 */
export function revisedArguments(
  input: Readonly<Record<string, unknown>>,
  judged: Readonly<Record<string, unknown>>,
  revised: Readonly<Record<string, unknown>>,
  same: (one: unknown, other: unknown) => boolean,
): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  // An argument that was not judged stays; one that a rule removed does not.
  for (const key of Object.keys(input))
    if (!Object.hasOwn(judged, key) || Object.hasOwn(revised, key)) out[key] = input[key];
  for (const key of Object.keys(revised))
    if (!Object.hasOwn(judged, key) || !same(judged[key], revised[key])) out[key] = revised[key];
  return { ...out };
}
