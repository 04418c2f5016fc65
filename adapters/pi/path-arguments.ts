import { fileURLToPath } from "node:url";

/** Blanks that hosts read as a plain one. */
const oddBlanks = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/** Arguments that hold one path, by the names that the hosts' own tools have. */
const pathKeys = ["path", "file_path"] as const;

/** The path of a `file:` address, or the text itself. */
export function withoutFileUrl(text: string): string {
  if (!/^file:\/\//i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}

/**
 * A path as pi's tools read it: `@` before it is dropped, odd blanks are plain ones, and a `file:` address is its path
 * (pi 0.87.1, `core/tools/path-utils`). What is judged must be the file that is opened.
 */
export function plainPath(text: string): string {
  const plain = text.replace(oddBlanks, " ");
  return withoutFileUrl(plain.startsWith("@") ? plain.slice(1) : plain);
}

/** Arguments with their paths as the tools read them; the same object when nothing differs. */
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
 * The arguments that run when a rule changed those that were judged: what it left alone stays as the host has it, and
 * what was derived for judging is left out.
 */
export function revisedArguments(
  input: Readonly<Record<string, unknown>>,
  judged: Readonly<Record<string, unknown>>,
  revised: Readonly<Record<string, unknown>>,
  same: (one: unknown, other: unknown) => boolean,
): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  // An argument that was not judged stays; one that a rule took out does not.
  for (const key of Object.keys(input))
    if (!Object.hasOwn(judged, key) || Object.hasOwn(revised, key)) out[key] = input[key];
  for (const key of Object.keys(revised))
    if (!Object.hasOwn(judged, key) || !same(judged[key], revised[key])) out[key] = revised[key];
  return { ...out };
}
