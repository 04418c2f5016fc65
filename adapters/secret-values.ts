import { limits } from "../schema/limits.ts";
import { EvaluationError, type SecretAnswer, type SecretRequest, type SecretValues } from "../schema/ports.ts";
import { readRegularFile } from "./regular-file.ts";

/**
 * Reads the secrets that a `redact` names: variables of a process, and a file with one secret a line that only its owner may
 * read. Empty lines and lines that begin with `#` do not count. An unset variable is missing. A file that is missing, too
 * large, no text or readable by others gives an error value with its path. Source: language section 6.
 */
export function liveSecretValues(variables: Readonly<Record<string, string | undefined>>): SecretValues {
  return ({ env, file }: SecretRequest): SecretAnswer | EvaluationError => {
    const values: { name: string; value: string }[] = [];
    const missing: string[] = [];
    for (const name of env) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined || value.trim() === "") missing.push(name);
      else values.push(...withLines(name, value));
    }
    if (file === undefined) return { values, missing };
    const lines = readLines(file);
    if (lines instanceof EvaluationError) return lines;
    return { values: [...values, ...lines], missing };
  };
}

/** Returns a value of several lines, such as a key, with each of its lines: a tool may print it indented or cut. */
function withLines(name: string, value: string): { name: string; value: string }[] {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= longLine && !line.startsWith("-----"));
  return [{ name, value }, ...(value.includes("\n") ? lines.map((line) => ({ name, value: line })) : [])];
}

/** Minimum length of a line that is redacted by itself: shorter lines look like ordinary text. */
const longLine = 32;

function readLines(path: string): { name: string; value: string }[] | EvaluationError {
  const unreadable = (why: string): EvaluationError =>
    new EvaluationError("HW507", `file of secrets \`${path}\` cannot be read: ${why}`);
  const file = readRegularFile(path, limits.secretFileBytes);
  if (file === "absent") return unreadable("there is none");
  if (file === "no file") return unreadable("it is no file");
  if (file === "too large") return unreadable(`it has more than ${limits.secretFileBytes} bytes`);
  if ("system" in file) return unreadable(file.system);
  if (process.platform !== "win32" && (file.mode & 0o077) !== 0)
    return unreadable("others may read it; set its mode to 0600");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
    return text.split(/\r?\n/).flatMap((line, index) => {
      const value = line.trim();
      return value === "" || value.startsWith("#") ? [] : [{ name: `${path}:${index + 1}`, value }];
    });
  } catch {
    return unreadable("it is no text");
  }
}
