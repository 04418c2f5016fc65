import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { placeFiles } from "../../store/place-folder.ts";
import { type PlaceFault, placeFault } from "../one-shot/start/place-check.ts";
import { fileDigest } from "./place-plan.ts";

/** Result of a check of every byte of a place. */
export interface PlaceState {
  /** Files that are not as they were installed, each with how it differs. */
  readonly faults: readonly PlaceFault[];
  readonly files: number;
  /** The Node of the place: its link, or its path. Undefined if the place does not name one. */
  readonly node: string | undefined;
}

/** Returns the Node of a place: its link in it, or the absolute path that it notes. Undefined if it cannot be read. */
export function nodeOf(place: string): string | undefined {
  try {
    const text = readFileSync(join(place, placeFiles.identity), "utf8");
    const names = text.split("\n").map((line) => line.split(" ").slice(5).join(" "));
    const elsewhere = names.find((name) => isAbsolute(name));
    return elsewhere ?? (names.includes(placeFiles.node) ? join(place, placeFiles.node) : undefined);
  } catch {
    return undefined;
  }
}

/**
 * Checks every byte of a place: the digests must match its name, each file its digest, and each must still be the very file
 * that was written. Reads about a hundred megabytes; never throws.
 */
export function placeState(place: string): PlaceState {
  const node = nodeOf(place);
  const metadata = placeFault(place, { node, whole: true });
  const faults: PlaceFault[] = metadata ? [metadata] : [];
  let files = 0;
  for (const [path, sha256] of digestsOf(place, faults)) {
    files += 1;
    const file = path === placeFiles.node && node !== undefined ? node : join(place, path);
    const why = contentFault(file, sha256);
    if (why !== undefined) faults.push({ path: file, why });
  }
  return { faults: once(faults), files, node };
}

function digestsOf(place: string, faults: PlaceFault[]): ReadonlyMap<string, string> {
  const path = join(place, placeFiles.digests);
  try {
    const text = readFileSync(path, "utf8");
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
    if (!basename(place).endsWith(`-${digest}`))
      faults.push({ path, why: "does not hold the digests after which the place is named" });
    const lines = text.split("\n").filter((line) => /^[0-9a-f]{64} {2}./.test(line));
    return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  } catch (error) {
    faults.push({ path, why: `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})` });
    return new Map();
  }
}

function contentFault(file: string, sha256: string): string | undefined {
  try {
    if (!existsSync(file)) return "is not there";
    return fileDigest(file) === sha256 ? undefined : "has other content than was installed";
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
  }
}

/** Keeps one fault per file: the later one, which is about its content. */
function once(faults: readonly PlaceFault[]): readonly PlaceFault[] {
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()];
}
