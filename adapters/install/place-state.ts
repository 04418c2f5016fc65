import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { placeFiles } from "../../store/place-folder.ts";
import { type PlaceFault, placeFault } from "../one-shot/start/place-check.ts";
import { fileDigest } from "./place-plan.ts";

/** What a look at every byte of a place found. */
export interface PlaceState {
  /** Files that are not as they were installed, each with how it differs. */
  readonly faults: readonly PlaceFault[];
  readonly files: number;
  /** The Node of the place: its link, or where it stands. Undefined where the place does not say. */
  readonly node: string | undefined;
}

/** The Node that a place was filled for: its link in it, or the absolute path that it notes. Undefined where it cannot be read. */
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
 * Looks at every byte of a place: whether the digests are those after which it is named, each file is what its digest says,
 * and each is still the very file that was written. Reads about a hundred megabytes; never throws.
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

/** What is known of one file twice is said once, by its content. */
function once(faults: readonly PlaceFault[]): readonly PlaceFault[] {
  return [...new Map(faults.map((fault) => [fault.path, fault])).values()];
}
