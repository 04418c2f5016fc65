import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createRegexEngine } from "../../facts/regex.ts";
import type { Finding } from "../../facts/secrets/scan.ts";
import { atMost, type Bar } from "./bars.ts";
import type { Report } from "./measure.ts";
import { allDetectors } from "./redaction-subjects.ts";

const root = join(import.meta.dirname, "../..");
const sourceFile = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|css|html|sh|py|h|cc|txt)$/;
const packageFile = /\.(?:[cm]?[jt]sx?|json|md|css|html)$/;
const leftOut = new Set(["node_modules", "dist", "coverage"]);
/** Bytes of installed packages in all, and of one of them, so that a large one does not stand for all. */
const packageBytes = 10_000_000;
const onePackage = 600_000;

/** Where texts stand that look like secrets because somebody made them up for that. */
const madeUp: readonly { readonly file: RegExp; readonly detector: RegExp; readonly why: string }[] = [
  { file: /^(?:test|docs|facts\/secrets\/examples)/, detector: /./, why: "made up, to test or to show what is found" },
  { file: /^policies\//, detector: /\/github-token$/, why: "made up, for the examples and suites of a pack" },
  {
    file: /^compiler\/lint\/units\/secret-in-policy\.ts$/,
    detector: /\/(?:url-password|authorization-header)$/,
    why: "made up, for the examples of a lint",
  },
  {
    file: /^node_modules\/@secretlint\//,
    detector: /\/onepassword-secret-key$/,
    why: "an example of the package, which finds secrets too",
  },
  {
    file: /^node_modules\/[^:]*\/tests?\//,
    detector: /\/url-(?:password|query)$/,
    why: "made up, for a test of the package",
  },
];

/** The group in which all that is found is made up, so that a number of it says nothing. */
const tests = "own tests, examples and documents";

interface Found {
  readonly file: string;
  readonly line: number;
  readonly detector: string;
  readonly confidence: string;
  /** The first characters and the length; never the whole. */
  readonly shown: string;
  /** Why it looks like a secret; undefined for what should not have been found. */
  readonly why: string | undefined;
}

/** What was found in one group of texts. */
export interface Group {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
  readonly per_mb: number;
  /** Of these, those that nobody made up to look like a secret. */
  readonly unexplained_per_mb: number;
  readonly by_detector: Readonly<Record<string, number>>;
  readonly found: readonly Found[];
}

/**
 * What all detectors find in texts in which there should be nothing: this repository's sources, its tests and documents
 * (which hold made-up keys), its lock file, and sources of installed packages.
 */
export function benchFalsePositives(): Report {
  const groups = falsePositives();
  return { text: groups.map(groupText).join("\n"), numbers: groups, bars: falsePositiveBars(groups) };
}

/** The bar of each group: under one for each megabyte that nobody made up. */
export function falsePositiveBars(groups: readonly Group[]): readonly Bar[] {
  const told = groups.filter(({ name }) => name !== tests);
  return told.map(({ name, unexplained_per_mb }) => {
    const what = `false positives in each MB of ${name}, but for made-up keys`;
    return atMost(`redaction/false-positives-${name.replace(/ /g, "-")}`, what, unexplained_per_mb, 1);
  });
}

/** What all detectors find in each group of texts. */
export function falsePositives(): readonly Group[] {
  const own = filesBelow(root, "", sourceFile).filter((file) => file !== "package-lock.json");
  const isTest = (file: string): boolean => /^(?:test|docs)\/|examples/.test(file);
  return [
    scan(
      "own sources",
      own.filter((file) => !isTest(file)),
    ),
    scan(tests, own.filter(isTest)),
    scan("lock file", ["package-lock.json"]),
    scan("installed packages", installed()),
  ];
}

function scan(name: string, files: readonly string[]): Group {
  const scanner = allDetectors(createRegexEngine());
  let bytes = 0;
  const found: Found[] = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    bytes += Buffer.byteLength(text);
    for (const finding of scanner.find(text)) found.push(shown(file, text, finding));
  }
  const counts = new Map<string, number>();
  for (const { detector } of found) counts.set(detector, (counts.get(detector) ?? 0) + 1);
  const by_detector = Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
  const per_mb = found.length / (bytes / 1e6 || 1);
  const unexplained_per_mb = found.filter(({ why }) => why === undefined).length / (bytes / 1e6 || 1);
  return { name, files: files.length, bytes, per_mb, unexplained_per_mb, by_detector, found };
}

function shown(file: string, text: string, { start, end, detector, confidence }: Finding): Found {
  const line = text.slice(0, start).split("\n").length;
  const head = JSON.stringify(text.slice(start, Math.min(end, start + 4))).slice(1, -1);
  const why = madeUp.find((one) => one.file.test(file) && one.detector.test(detector))?.why;
  return { file, line, detector, confidence, shown: `${head}… ${end - start} characters`, why };
}

function groupText(group: Group): string {
  const size = `${(group.bytes / 1e6).toFixed(2)} MB in ${group.files} files`;
  return [
    `${group.name}: ${group.found.length} found in ${size}, ${group.per_mb.toFixed(2)} for each MB, ` +
      `${group.unexplained_per_mb.toFixed(2)} but for made-up keys`,
    ...Object.entries(group.by_detector).map(([detector, count]) => `    ${String(count).padStart(5)}  ${detector}`),
    ...group.found.map(
      (one) =>
        `  ${one.file}:${one.line}  ${one.detector} (${one.confidence})  ${one.shown}: ${one.why ?? "a false positive"}`,
    ),
  ].join("\n");
}

/** Files below a folder by path, sorted, so that every run sees the same ones. */
function filesBelow(base: string, folder: string, wanted: RegExp): string[] {
  const entries = readdirSync(join(base, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry: Dirent): string[] => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return leftOut.has(entry.name) || entry.name.startsWith(".") ? [] : filesBelow(base, path, wanted);
    return entry.isFile() && wanted.test(entry.name) ? [path] : [];
  });
}

/** Sources of installed packages up to the bound, a part of each in turn. */
function installed(): string[] {
  const top = readdirSync(join(root, "node_modules")).sort();
  const packages = top
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(root, "node_modules", name)).map((n) => `${name}/${n}`) : [name],
    );
  const chosen: string[] = [];
  let left = packageBytes;
  for (const name of packages) {
    let own = onePackage;
    const folder = join("node_modules", name);
    if (!statSync(join(root, folder)).isDirectory()) continue;
    for (const file of filesBelow(join(root, folder), "", packageFile)) {
      const { size } = statSync(join(root, folder, file));
      if (size > own) continue;
      if (left < size) return chosen;
      own -= size;
      left -= size;
      chosen.push(`${folder}/${file}`);
    }
  }
  return chosen;
}
