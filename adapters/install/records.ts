import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../schema/limits.ts";
import { ownFolder, readOwn, writeOwn } from "../../store/session-file.ts";
import type { InstallPlace, WiredBefore } from "./wiring.ts";

/** Record of `install` about one file, so that `uninstall` can restore exactly the former content. */
export interface InstallRecord extends WiredBefore {
  readonly host: string;
  readonly path: string;
  /** True if there was no file. */
  readonly created: boolean;
  /** Folders that `install` made for it, innermost first. */
  readonly folders: readonly string[];
  /** Digest of the former text, if the backup can still be restored whole. */
  readonly before?: string;
  readonly backup?: string;
  /** Digest of the written text. */
  readonly after: string;
  /** Files and folders that the written text depends on; `store/own-places.ts` has them protected with it. */
  readonly uses?: readonly string[];
  /** Policies that the wiring names; none if hooks look for policies themselves. */
  readonly policies?: readonly string[];
}

/** Lists the paths that a host's wiring depends on: its program, the daemon's socket and lock, and the program's source. */
export function usesOf({ program, source = [] }: InstallPlace): readonly string[] {
  const { node, modules, daemon } = program;
  const sockets = daemon ? [daemon.socket, `${daemon.socket}.lock`] : [];
  return [...new Set([node, modules, ...sockets, ...source])];
}

/** Returns the digest of a text. */
export function textDigest(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Reads the records of all files that are wired and still there, sorted by name; none if they cannot be read. */
export function keptRecords(state: string): readonly InstallRecord[] {
  try {
    const folder = join(state, "installs");
    return readdirSync(folder)
      .sort()
      .flatMap((name) => readRecord(join(folder, name)) ?? [])
      .filter(({ path }) => existsSync(path));
  } catch {
    return [];
  }
}

function fileOf(state: string, host: string, path: string): string {
  return join(state, "installs", `${textDigest(`${host}\0${path}`)}.json`);
}

/** Returns the record of a file; undefined if there is none, or it cannot be read. */
export function recordOf(state: string, host: string, path: string): InstallRecord | undefined {
  const record = readRecord(fileOf(state, host, path));
  return record?.host === host && record.path === path ? record : undefined;
}

function readRecord(file: string): InstallRecord | undefined {
  try {
    const bytes = readOwn(file, limits.policyBytes);
    const value: unknown = bytes && JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is InstallRecord {
  if (typeof value !== "object" || value === null) return false;
  const { host, path, created, folders, made, after } = value as Partial<Record<keyof InstallRecord, unknown>>;
  const texts = [host, path, after].every((text) => typeof text === "string");
  return texts && typeof created === "boolean" && [folders, made].every((list) => Array.isArray(list));
}

/** Keeps the record of a file. */
export function keepRecord(state: string, record: InstallRecord): void {
  ownFolder(join(state, "installs"));
  writeOwn(fileOf(state, record.host, record.path), `${JSON.stringify(record)}\n`, true);
}

/** Forgets the record of a file. */
export function dropRecord(state: string, host: string, path: string): void {
  rmSync(fileOf(state, host, path), { force: true });
}
