import { fileDiagnostic } from "../store/policy-file.ts";
import { prettyDiagnostics } from "./report/pretty.ts";

/** System calls that only read. */
const looking: ReadonlySet<string> = new Set(["read", "scandir", "stat", "lstat", "readlink"]);

/**
 * Returns a diagnostic for an unexpected fault of the file system, such as a state folder that is a file or belongs to
 * someone else. It is a fault of this machine, not of the program.
 */
export function fileFault({ code, syscall, path }: NodeJS.ErrnoException, color: boolean): string {
  const name = path ?? "a file";
  const read = looking.has(syscall ?? "");
  const message = `\`${name}\` cannot be ${read ? "read" : "written"}: ${code} (${syscall})`;
  const help = "see what stands there, and who may use it";
  return prettyDiagnostics([fileDiagnostic(read ? "HW001" : "HW702", name, message, help)], new Map(), color);
}

/** True for a fault of the file system. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "path" in error && "code" in error;
}
