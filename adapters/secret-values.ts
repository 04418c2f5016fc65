import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { limits } from "../schema/limits.ts";
import { EvaluationError, type SecretAnswer, type SecretRequest, type SecretValues } from "../schema/ports.ts";

/**
 * Reads the secrets that a `redact` names: variables of a process, and a file with one secret in each line, which may be
 * read by its owner alone. Empty lines and lines that begin with `#` are none. A variable that is not set is missing; a
 * file that is not there, is too large, is no text, or that others may read is an error value with its path. Source:
 * language section 6.
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

/** A value of several lines, such as a key, and its lines: a tool may print it indented or cut. */
function withLines(name: string, value: string): { name: string; value: string }[] {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= longLine && !line.startsWith("-----"));
  return [{ name, value }, ...(value.includes("\n") ? lines.map((line) => ({ name, value: line })) : [])];
}

/** Lines of a value that are told from text by themselves. */
const longLine = 32;

function readLines(path: string): { name: string; value: string }[] | EvaluationError {
  const unreadable = (why: string): EvaluationError =>
    new EvaluationError("HW507", `file of secrets \`${path}\` cannot be read: ${why}`);
  let handle: number | undefined;
  try {
    // Not blocking, so that a named pipe cannot hang the start; the check for a file follows on the open handle.
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    if (!stat.isFile()) return unreadable("it is no file");
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0)
      return unreadable("others may read it; set its mode to 0600");
    const bytes = Buffer.alloc(limits.secretFileBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, length);
    }
    if (length > limits.secretFileBytes) return unreadable(`it has more than ${limits.secretFileBytes} bytes`);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
    return text.split(/\r?\n/).flatMap((line, index) => {
      const value = line.trim();
      return value === "" || value.startsWith("#") ? [] : [{ name: `${path}:${index + 1}`, value }];
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return unreadable(
      code === "ENOENT"
        ? "there is none"
        : code === "ERR_ENCODING_INVALID_ENCODED_DATA"
          ? "it is no text"
          : String(code),
    );
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
