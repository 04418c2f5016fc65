import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "../schema/limits.ts";
import { installKey } from "./install-key.ts";
import { locked } from "./lock.ts";
import { readSealed, writeSealed } from "./sealed-file.ts";

/** Labels of files by real path, oldest first, as this user's sessions gave them (semantics section 5). */
export type StoredPathLabels = ReadonlyMap<string, readonly string[]>;

const kind = "path-labels";

function fileIn(state: string): string {
  return join(state, "labels", "paths.json");
}

/** Labels that outlive their sessions. What is not sealed by this installation is an error, for a label must not get lost. */
export function storedPathLabels(state: string): StoredPathLabels {
  const found = readSealed(fileIn(state), kind, installKey(state));
  if ("problem" in found) {
    if (found.problem === "absent") return new Map();
    throw new Error(`\`${fileIn(state)}\` is ${found.problem}`);
  }
  return new Map(found.value as [string, string[]][]);
}

/** Adds labels of files. Over the bound the oldest path's labels move to its folder, so that no label is lost. */
export function storePathLabels(state: string, added: StoredPathLabels): void {
  if (added.size === 0) return;
  const path = fileIn(state);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  locked(`${path}.lock`, () => {
    const known = new Map([...storedPathLabels(state)].map(([at, labels]) => [at, [...labels]]));
    for (const [at, labels] of added) addLabels(known, at, labels);
    while (known.size > limits.labelledPaths) {
      const [oldest, labels] = known.entries().next().value as [string, string[]];
      known.delete(oldest);
      addLabels(known, dirname(oldest), labels);
      if (oldest === "/") break;
    }
    writeSealed(path, kind, [...known], installKey(state));
  });
}

function addLabels(known: Map<string, string[]>, path: string, labels: readonly string[]): void {
  known.set(path, [...new Set([...(known.get(path) ?? []), ...labels])]);
}
