import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Code } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { Source } from "../diagnostics/source.ts";
import { suggest } from "../diagnostics/suggest.ts";
import type { Scope } from "../engine/plan.ts";
import { limits } from "../schema/limits.ts";
import { policyEntries } from "./folder-entries.ts";
import { packFile } from "./packs.ts";

/** One policy file with its bytes, as the compiler takes it. `path` is real and absolute, `name` is for people. */
export interface DiscoveredFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly scope?: Scope;
  /** Name of the shipped pack that it is. Every installation has a copy of its own, at another path. */
  readonly pack?: string;
}

/** A finding about a file as a whole. */
export function fileDiagnostic(code: Code, name: string, message: string, help: string): Diagnostic {
  return diagnostic(code, new Source(name, ""), { start: 0, end: 0 }, message, help);
}

/**
 * Reads one policy file, at most one byte more than a policy may have. Never blocks on a pipe or device. A file that cannot be
 * read is HW001, one that is too large HW004.
 */
export function readPolicyFile(path: string, name: string, scope?: Scope): DiscoveredFile | Diagnostic {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return unreadable(path, name, error);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile())
      return fileDiagnostic("HW001", name, `\`${name}\` is not a regular file`, "give a file or a folder of policies");
    if (stat.size > limits.policyBytes) return tooLarge(name, stat.size);
    const bytes = readAll(file, stat.size);
    const base = { name, path: realpathSync(path), bytes };
    return bytes.length > limits.policyBytes ? tooLarge(name, bytes.length) : scope ? { ...base, scope } : base;
  } catch (error) {
    return unreadable(path, name, error);
  } finally {
    closeSync(file);
  }
}

/** The finding that a path is missing or cannot be read, with the nearest name that does exist. */
export function unreadable(path: string, name: string, error: unknown): Diagnostic {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR")
    return fileDiagnostic("HW001", name, `\`${name}\` does not exist`, nearbyHelp(path, name));
  const why =
    code === "EACCES" || code === "EPERM"
      ? "permission denied"
      : code === "ELOOP"
        ? "its symbolic links form a circle"
        : (code ?? "unknown error");
  const help = code === "EACCES" || code === "EPERM" ? "make it readable for this user" : "check the path";
  return fileDiagnostic("HW001", name, `\`${name}\` cannot be read: ${why}`, help);
}

/** Resolves a file beside another, as in `file: ./x.yaml`; returns its path, or why it must not be followed. */
export function besideFile(file: string, from: DiscoveredFile): { path: string } | { problem: string } {
  if (isAbsolute(file)) return { problem: "an import is written relative to the importing file" };
  const folder = dirname(from.path);
  const wanted = resolve(folder, file);
  let real: string;
  try {
    real = realpathSync(wanted);
  } catch {
    return { problem: "the file does not exist" };
  }
  const inside = !relative(folder, real).startsWith(`..${sep}`);
  if (real !== wanted && !inside)
    return { problem: "a symbolic link leads it out of the folder of the importing file" };
  return { path: real };
}

function tooLarge(name: string, size: number): Diagnostic {
  const message = `\`${name}\` has ${size} bytes, more than ${limits.policyBytes}`;
  return fileDiagnostic("HW004", name, message, "split it into several policies and import them");
}

/** Reads as many bytes as the file reports, and more while there are more, up to one over the bound. */
function readAll(file: number, size: number): Uint8Array {
  let bytes = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0 || length > limits.policyBytes) return bytes.slice(0, length);
    if (length < bytes.length) continue;
    const more = new Uint8Array(Math.min(bytes.length * 2, limits.policyBytes + 1));
    more.set(bytes);
    bytes = more;
  }
}

/** Looks in the deepest folder that exists for a name like the part that is missing there. */
function nearbyHelp(path: string, name: string): string {
  if (packFile(name) !== undefined) return `did you mean \`pack:${name}\`?`;
  let missing = path;
  for (let folder = dirname(path); folder !== missing; folder = dirname(folder)) {
    const names = namesIn(folder);
    if (names) {
      const near = suggest(basename(missing), names);
      if (near === undefined) return `there is no \`${basename(missing)}\` in \`${folder}\`; check the path`;
      return `did you mean \`${path === missing ? join(dirname(name), near) : join(folder, near)}\`?`;
    }
    missing = folder;
  }
  return "check the path, or name a shipped policy as `pack:<name>`";
}

function namesIn(folder: string): string[] | undefined {
  try {
    return policyEntries(folder)?.map(({ name }) => name) ?? [];
  } catch {
    return undefined;
  }
}
