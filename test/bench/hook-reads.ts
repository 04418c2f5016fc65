import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type HookPlace, type HookPlaces, hookOf } from "./hook-subjects.ts";
import { runProgram } from "./processes.ts";

/** Bytes that one hook reads: of what is kept for the user, but the trail; of its trail; of policies and all else. */
export interface Reads {
  readonly kept: number;
  readonly trail: number;
  readonly other: number;
  /** The same by file, the largest first. */
  readonly files: readonly (readonly [string, number])[];
}

const probe = `const fs = require("node:fs");
const paths = new Map();
const bytes = {};
let whole = false;
const add = (path, count) => { if (!whole) bytes[path] = (bytes[path] ?? 0) + count; };
const { openSync, readSync, readFileSync } = fs;
fs.openSync = (path, ...more) => { const file = openSync(path, ...more); paths.set(file, String(path)); return file; };
fs.readSync = (file, ...more) => { const count = readSync(file, ...more); if (file > 2) add(paths.get(file) ?? "unknown", count); return count; };
fs.readFileSync = (from, ...more) => {
  // By Node itself a whole file is read as parts, which must not count twice.
  whole = true;
  const given = readFileSync(from, ...more);
  whole = false;
  if (from !== 0) add(typeof from === "number" ? (paths.get(from) ?? "unknown") : String(from), Buffer.byteLength(given));
  return given;
};
process.on("exit", () => fs.writeFileSync(process.env.HOME + "/reads.json", JSON.stringify(bytes)));
`;

/** What a warm hook reads, by a module that counts: of the launcher itself only what it reads on its own. */
export function readsOf(pack: string, place: HookPlace, places: HookPlaces): Reads {
  const file = places.write("probe.cjs", probe);
  const { command, ...more } = hookOf(pack, place);
  const [node = "", ...args] = command;
  const report = join(place.home, "reads.json");
  runProgram({ command: [node, "--require", file, ...args], ...more });
  const bytes = JSON.parse(readFileSync(report, "utf8")) as Readonly<Record<string, number>>;
  rmSync(report);
  const state = join(place.home, ".local/state/hookwarden");
  const files = Object.entries(bytes).map(([path, count]) => [relative(state, path), count] as const);
  const sum = (fits: (path: string) => boolean): number =>
    files.filter(([path]) => fits(path)).reduce((total, [, count]) => total + count, 0);
  const isTrail = (path: string): boolean => path.startsWith("audit");
  const isOther = (path: string): boolean => path.startsWith("..");
  return {
    kept: sum((path) => !isTrail(path) && !isOther(path)),
    trail: sum(isTrail),
    other: sum(isOther),
    files: files.map(([path, count]) => [shown(path), count] as const).sort(([, a], [, b]) => b - a),
  };
}

/** Without folders of this machine, and without names that are different in every run. */
function shown(path: string): string {
  const name = path.startsWith("..") ? path.split("/").slice(-2).join("/") : path;
  return name.replace(/[0-9a-f]{16,}/g, "…");
}
