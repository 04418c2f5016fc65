import { accessSync, constants, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { spawnSync } from "../bounded-process.ts";

/** A folder with an `nc`, and what it is. */
export interface Netcat {
  readonly folder: string;
  readonly what: string;
}

/** The system's `nc`; where there is none, a stand-in that is compiled into a scratch folder. Undefined where neither can be had. */
export function netcat(scratch: string): Netcat | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.find((folder) => isProgram(join(folder, "nc")));
  if (found !== undefined) return { folder: found, what: "the system's `nc`" };
  const compiler = folders.map((folder) => join(folder, "cc")).find(isProgram);
  if (compiler === undefined) return undefined;
  const folder = join(scratch, "nc");
  mkdirSync(folder, { recursive: true });
  const source = join(import.meta.dirname, "nc-stand-in.c");
  const { status } = spawnSync(compiler, ["-O2", "-o", join(folder, "nc"), source], { stdio: "ignore" });
  return status === 0 ? { folder, what: "a stand-in for `nc`, which this machine lacks" } : undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
