import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { addonName, placeFiles } from "../../store/place-folder.ts";
import type { HookProgram } from "./command.ts";
import type { InstallProblem } from "./files.ts";

/** One file of a place: its path below the place, and its source. */
export interface PlannedFile {
  readonly path: string;
  readonly from: string;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/** A place as this installation would fill it. */
export interface PlacePlan {
  /** The place itself: the name tells version and content. */
  readonly folder: string;
  readonly files: readonly PlannedFile[];
  /** The real Node, with the digest of its bytes. */
  readonly node: PlannedFile;
  /** The modules and the Node that fill it, and the files npm puts beside them. Whoever changes those changes the next place. */
  readonly source: readonly string[];
  /** The text of the file `digests`; the place is named after its digest. */
  readonly digests: string;
  readonly bytes: number;
}

/** Modules that an in-process host or a canary loads, below `dist/adapters`. */
const modules = [
  "pi/entry.js",
  "omp/entry.js",
  "gastown/entry.js",
  "opencode/plugin.js",
  "install/probe.js",
  "install/canary-server.js",
];

/** Folders to copy, each with a pattern for the names of its files. */
const folders: readonly (readonly [string, RegExp])[] = [
  ["dist/bin", /./],
  ["dist/guard", /\.json\.br$/],
  ["dist/schema", /\.schema\.json$/],
  ["dist/policies", /\/policy\.yaml$/],
];

/**
 * Plans the place that the package at `root` fills with the Node at `node`, below the folder of all places. Returns a
 * problem if it cannot. Reads every file and writes nothing. The same files and the same Node give the same place.
 */
export function placePlan(root: string, node: string, places: string): PlacePlan | InstallProblem {
  try {
    const { version, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
      optionalDependencies: { re2: string };
    };
    const files = [...ownFiles(root), ...addonFile(root, optionalDependencies.re2)].sort(byPath);
    const real = realpathSync(node);
    const linked = { path: placeFiles.node, from: real, sha256: fileDigest(real) };
    const digests = [...files, linked].map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
    const name = `${version}-${createHash("sha256").update(digests).digest("hex").slice(0, 16)}`;
    const bytes = files.reduce((sum, { from }) => sum + lstatSync(from).size, 0);
    const source = [join(root, "dist"), join(root, "node_modules/re2"), node, real];
    return { folder: join(places, name), files, node: linked, source: [...new Set(source)], digests, bytes };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const help = "install hookwarden anew, or build it: `npm run build`; nothing was written";
    return { path: root, message: `this installation cannot be read: ${why}`, help };
  }
}

function byPath(a: PlannedFile, b: PlannedFile): number {
  return a.path < b.path ? -1 : 1;
}

function ownFiles(root: string): readonly PlannedFile[] {
  const texts = ["LICENSE", "NOTICE", "dist/THIRD_PARTY_NOTICES.txt"].filter((path) => existsSync(join(root, path)));
  const paths = [
    "package.json",
    ...texts,
    ...modules.map((path) => `dist/adapters/${path}`),
    ...folders.flatMap(([folder, name]) => filesIn(root, folder).filter((path) => name.test(path))),
  ];
  return paths.map((path) => planned(path, join(root, path)));
}

function filesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Returns the addon in the package's own folder, built for this machine. An addon that npm put beside the package is not
 * taken: agents can write there, and its right content is unknown.
 */
function addonFile(root: string, version: string): readonly PlannedFile[] {
  const from = join(root, "node_modules/re2/build/Release/re2.node");
  const manifest = join(root, "node_modules/re2/package.json");
  if (!existsSync(from) || !existsSync(manifest)) return [];
  const found = (JSON.parse(readFileSync(manifest, "utf8")) as { version?: unknown }).version;
  return found === version ? [planned(`dist/bin/${addonName(version)}`, realpathSync(from))] : [];
}

function planned(path: string, from: string): PlannedFile {
  return { path, from, sha256: fileDigest(from) };
}

/** Returns the SHA-256 of a file, in hexadecimal digits. Throws the errors of the file system. */
export function fileDigest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Returns the program of a place, with the paths of its files once it is filled. */
export function programIn(folder: string, node: string): HookProgram {
  const dist = join(folder, "dist");
  return {
    node,
    launcher: join(dist, "bin/hookwarden-hook.cjs"),
    command: join(dist, "bin/hookwarden.js"),
    modules: dist,
  };
}
