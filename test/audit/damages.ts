import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { AuditStatus } from "../../store/segment-check.ts";
import { type Place, segmentOf } from "./places.ts";
import { linesIn, MadeSession, makeTrail, recordBody } from "./trail.ts";

/** Something that is done to a checkpointed audit folder, and what it must be called. */
export interface Damage {
  readonly name: string;
  readonly status: AuditStatus;
  apply(place: Place): void;
}

type Lines = (lines: readonly string[]) => readonly string[];

const written = (path: string, lines: readonly string[]) =>
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
const log = (place: Place) => join(place.audit, "checkpoints.jsonl");

/** Rewrites the lines of one file of the trail. */
function edits(name: string, file: (place: Place) => string, change: Lines): Damage {
  return { name, status: "altered", apply: (place) => written(file(place), change(linesIn(file(place)))) };
}

const files: readonly (readonly [string, (place: Place) => string, number])[] = [
  ["the first segment", (place) => segmentOf(place, "one"), 4],
  ["the last segment", (place) => segmentOf(place, "one", 2), 2],
  ["the log of checkpoints", log, 5],
];

/** Every deletion, repetition and swap of lines, and every cut, of every file. */
const everyLine: readonly Damage[] = files.flatMap(([name, file, count]) =>
  Array.from({ length: count }, (_, at) => [
    edits(`line ${at} of ${name} deleted`, file, (lines) => lines.filter((_line, i) => i !== at)),
    edits(`line ${at} of ${name} repeated`, file, (lines) =>
      lines.flatMap((line, i) => (i === at ? [line, line] : line)),
    ),
    edits(`${name} cut before line ${at}`, file, (lines) => lines.slice(0, at)),
    ...Array.from({ length: count - at - 1 }, (_unused, k) => {
      const other = at + k + 1;
      const swapped: Lines = (lines) => lines.map((line, i) => lines[i === at ? other : i === other ? at : i] ?? line);
      return edits(`lines ${at} and ${other} of ${name} swapped`, file, swapped);
    }),
  ]).flat(),
);

/** A folder of another installation, made the same way. */
function stranger(place: Place): Place {
  const root = join(place.root, "stranger");
  const [state, copy] = [join(root, "state"), join(root, "copy")];
  return { root, state, audit: join(state, "audit"), copy, key: makeTrail(state, copy) };
}

const splices: readonly Damage[] = [
  edits(
    "a line of another session put in",
    (place) => segmentOf(place, "two"),
    (lines) => [...lines.slice(0, 1), ...lines],
  ),
  {
    name: "the segment of another session in its place",
    status: "altered",
    apply: (place) => cpSync(segmentOf(place, "one"), segmentOf(place, "two")),
  },
  {
    name: "the first half of one session and the second of another",
    status: "altered",
    apply(place) {
      const [one, two] = [segmentOf(place, "one"), segmentOf(place, "two")];
      written(two, [...linesIn(one).slice(0, 2), ...linesIn(two).slice(2)]);
    },
  },
  {
    name: "a session of another installation in its place",
    status: "altered",
    apply: (place) => {
      const other = stranger(place);
      new MadeSession(other.state, "three").add(1);
      rmSync(segmentOf(place, "two"));
      cpSync(segmentOf(other, "three"), segmentOf(place, "two"));
    },
  },
  {
    name: "the log of checkpoints of another installation",
    status: "altered",
    apply: (place) => cpSync(log(stranger(place)), log(place)),
  },
  {
    name: "everything of another installation, keys with it",
    status: "altered",
    apply: (place) => {
      const other = stranger(place);
      rmSync(place.state, { recursive: true });
      cpSync(other.state, place.state, { recursive: true });
    },
  },
];

const rewritten: readonly Damage[] = [
  {
    name: "a history that was written anew, its chain in order",
    status: "altered",
    apply(place) {
      rmSync(dirname(segmentOf(place, "two")), { recursive: true });
      new MadeSession(place.state, "two").write(recordBody("two", "e1", { outcome: "allow" })).add(1);
    },
  },
  {
    name: "a rollback of one session",
    status: "altered",
    apply: (place) => written(segmentOf(place, "one"), linesIn(segmentOf(place, "one")).slice(0, 3)),
  },
  {
    name: "a rollback of the whole folder",
    status: "altered",
    apply(place) {
      const older = join(place.root, "older");
      cpSync(place.state, older, { recursive: true });
      new MadeSession(place.state, "three", { copyTo: place.copy }).add(1).checkpoint();
      rmSync(place.state, { recursive: true });
      cpSync(older, place.state, { recursive: true });
    },
  },
];

const removals: readonly Damage[] = [
  ["a session", (place: Place) => dirname(segmentOf(place, "two"))],
  ["the first segment", (place: Place) => segmentOf(place, "one")],
  ["the last segment", (place: Place) => segmentOf(place, "one", 2)],
  ["the log of checkpoints", log],
].map(([name, path]) => ({
  name: `${name as string} removed`,
  status: "altered",
  apply: (place) => rmSync((path as (p: Place) => string)(place), { recursive: true }),
}));

const tails: readonly Damage[] = [
  {
    name: "an unfinished line at the end of a session",
    status: "incomplete",
    apply: (place) => writeFileSync(segmentOf(place, "two"), '{"body":', { flag: "a" }),
  },
  {
    name: "an unfinished line before the next segment",
    status: "altered",
    apply: (place) => writeFileSync(segmentOf(place, "one"), '{"body":', { flag: "a" }),
  },
  {
    name: "an unfinished checkpoint",
    status: "incomplete",
    apply: (place) => writeFileSync(log(place), '{"body":', { flag: "a" }),
  },
  {
    name: "a last line without its line break",
    status: "altered",
    apply: (place) => writeFileSync(segmentOf(place, "two"), readFileSync(segmentOf(place, "two")).subarray(0, -1)),
  },
  { name: "an empty copy", status: "unchecked", apply: (place) => writeFileSync(place.copy, "") },
];

/** Packs a segment, changed or not. */
function packs(name: string, status: AuditStatus, change: (packed: Buffer) => Buffer): Damage {
  return {
    name,
    status,
    apply(place) {
      const path = segmentOf(place, "one");
      writeFileSync(`${path}.gz`, change(gzipSync(readFileSync(path))));
      rmSync(path);
    },
  };
}

const packed: readonly Damage[] = [
  packs("a packed segment", "intact", (bytes) => bytes),
  packs("a packed segment that was cut", "altered", (bytes) => bytes.subarray(0, -9)),
  packs("a packed segment with another record", "altered", (bytes) =>
    gzipSync(gunzipSync(bytes).toString("utf8").replace("because", "perhaps")),
  ),
];

/** Other spellings of the same record: none of them is what was written. */
const spellings: readonly Damage[] = [
  ["a space", (line: string) => line.replace('{"body"', '{ "body"')],
  ["an escape that is not needed", (line: string) => line.replace("because", "\\u0062ecause")],
  ["keys in another order", (line: string) => line.replace(/("agent":"main",)("answered":"rule",)/, "$2$1")],
  ["a key twice", (line: string) => line.replace('"agent":"main",', '"agent":"main","agent":"main",')],
  ["a number with a fraction", (line: string) => line.replace('"pid":7', '"pid":7.0')],
  ["a carriage return", (line: string) => `${line}\r`],
  ["a byte order mark", (line: string) => `\ufeff${line}`],
].map(([name, change]) =>
  edits(
    `${name as string} in a record`,
    (place) => segmentOf(place, "two"),
    (lines) => lines.map((line, i) => (i === 1 ? (change as (l: string) => string)(line) : line)),
  ),
);

/** Everything that is tried. */
export const damages: readonly Damage[] = [
  ...everyLine,
  ...splices,
  ...rewritten,
  ...removals,
  ...tails,
  ...packed,
  ...spellings,
];
