import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { canonicalJson, sha256 } from "../../engine/canonical.ts";
import { sealLine } from "../../engine/chain.ts";
import type { Random } from "../properties/language/random.ts";
import { filesBelow, linesOfFile, textOfFile, writeText } from "./mutant-lines.ts";
import type { Trail } from "./mutant-places.ts";

/** One change of a trail; `false` where there is nothing that it could change. */
type Mutation = (trail: Trail, random: Random, other: Trail) => string | false;

/** Files with records: segments, the log of checkpoints, retired sessions, the copy. */
function recordFiles({ root }: Trail): string[] {
  return filesBelow(root)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
    .map((name) => join(root, name))
    .filter((path) => textOfFile(path) !== "");
}

/** The log of checkpoints half of the time: it has no copy of itself in each session. */
function recordFile(trail: Trail, random: Random): string {
  const log = join(trail.audit, "checkpoints.jsonl");
  return existsSync(log) && random.chance(0.35) ? log : random.pick(recordFiles(trail));
}

function inText(name: string, change: (text: string, random: Random) => string): Mutation {
  return (trail, random) => {
    const path = recordFile(trail, random);
    const before = textOfFile(path);
    const after = change(before, random);
    if (after === before) return false;
    writeText(path, after);
    return `${name} in ${path.slice(trail.root.length + 1)}`;
  };
}

function inLine(name: string, change: (line: string, random: Random) => string): Mutation {
  return inText(name, (text, random) => {
    const lines = text.split("\n");
    const at = random.below(Math.max(1, lines.length - 1));
    return lines.map((line, i) => (i === at ? change(line, random) : line)).join("\n");
  });
}

const put = (text: string, at: number, what: string, length = 0): string =>
  text.slice(0, at) + what + text.slice(at + length);

const inBytes: readonly Mutation[] = [
  inText("a bit flipped", (text, random) => {
    const at = random.below(text.length);
    return put(text, at, String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(8))), 1);
  }),
  inText("a byte removed", (text, random) => put(text, random.below(text.length), "", 1)),
  inText("a byte put in", (text, random) =>
    put(text, random.below(text.length), random.pick([" ", "\n", "\r", "\0", '"', "}", "\xff", "0"])),
  ),
  inText("cut at a byte", (text, random) => text.slice(0, random.below(text.length))),
  inText("bytes at the end", (text, random) => text + random.pick(["{", "\n", "x\n", '{"body":', "\0\0", "{}\n"])),
  inText("bytes at the beginning", (text, random) => random.pick(["\xef\xbb\xbf", "\n", " ", "{}\n"]) + text),
  inText("CR before each line break", (text) => text.replaceAll("\n", "\r\n")),
  inText("nothing is left", () => ""),
  inText("zeros in its place", (text) => "\0".repeat(text.length)),
];

const inRecords: readonly Mutation[] = [
  inLine("a space", (line, random) => put(line, line.indexOf(random.pick([":", ","])) + 1, " ")),
  inLine("a key twice", (line) => line.replace('"agent":', '"agent":"other","agent":')),
  inLine("keys in another order", (line) => line.replace(/("agent":"[^"]*",)("answered":"[^"]*",)/, "$2$1")),
  inLine("another outcome", (line, random) =>
    line.replace(/"outcome":"\w+"/, `"outcome":"${random.pick(["allow", "ask", "block"])}"`),
  ),
  inLine("another form of a number", (line, random) =>
    line.replace(/"seq":(\d+)/, `"seq":${random.pick(["$1.0", "$1e0", "0$1", "-$1", '"$1"', "$19"])}`),
  ),
  inLine("an escape", (line) => line.replace("because", "\\u0062ecause")),
  inLine("NFD", (line) => line.replace("\xc3\xa9", "e\xcc\x81")),
  inLine("a lone surrogate", (line) => line.replace("because", "\\ud800")),
  inLine("a further key", (line) => line.replace('{"body":{', '{"aaa":1,"body":{')),
  inLine("deep JSON", (line) => line.replace('"errors":[]', `"errors":${"[".repeat(3_000)}${"]".repeat(3_000)}`)),
  inLine("no seal", (line) => line.replace(/,"seal":\{.*$/, "}")),
  inLine("a seal that is no object", (line) => line.replace(/"seal":\{.*$/, '"seal":null}')),
  inLine("an empty line", () => ""),
  inLine("another hash", (line) => line.replace(/"hash":"sha256:./, '"hash":"sha256:f')),
  inLine("another record before", (line) => line.replace(/"prev":"sha256:./, '"prev":"sha256:e')),
];

const inOrder: readonly Mutation[] = [
  inText("a line removed", (text, random) => lined(text, (lines) => lines.splice(random.below(lines.length), 1))),
  inText("a line twice", (text, random) =>
    lined(text, (lines) => {
      const at = random.below(lines.length);
      lines.splice(at, 0, lines[at] as string);
    }),
  ),
  inText("two lines swapped", (text, random) =>
    lined(text, (lines) => {
      const [a, b] = [random.below(lines.length), random.below(lines.length)];
      [lines[a], lines[b]] = [lines[b] as string, lines[a] as string];
    }),
  ),
  inText("lines turned round", (text) => lined(text, (lines) => lines.reverse())),
  inText("cut between lines", (text, random) => lined(text, (lines) => lines.splice(random.below(lines.length)))),
  inText("the beginning cut off", (text, random) =>
    lined(text, (lines) => lines.splice(0, 1 + random.below(lines.length))),
  ),
  (trail, random) => {
    const [from, to] = [recordFile(trail, random), recordFile(trail, random)];
    if (from === to) return false;
    const line = random.pick(linesOfFile(from));
    const lines = linesOfFile(to);
    lines.splice(random.below(lines.length + 1), 0, line);
    writeText(to, lines.map((one) => `${one}\n`).join(""));
    return `a line of ${basename(from)} in ${basename(to)}`;
  },
];

function lined(text: string, change: (lines: string[]) => unknown): string {
  const lines = text.split("\n").slice(0, -1);
  if (lines.length === 0) return text;
  change(lines);
  return lines.map((line) => `${line}\n`).join("");
}

/** Records of a file sealed anew from a line on, with what the change makes of their bodies: a chain that holds. */
function resealed(
  text: string,
  from: number,
  change: (body: Record<string, unknown>, at: number) => Record<string, unknown> | undefined,
): string {
  const lines = text.split("\n").slice(0, -1);
  let [prev, seq]: [string | undefined, number] = [undefined, 0];
  const sealed: string[] = [];
  for (const [at, line] of lines.entries()) {
    const { body, seal } = JSON.parse(Buffer.from(line, "latin1").toString("utf8")) as {
      body: Record<string, unknown>;
      seal: { seq: number; prev: string; hash: string; written: string; mono: number; pid: number; latency_us: number };
    };
    const next = at < from ? body : change(body, at);
    if (next === undefined) continue;
    const { hash: _, ...link } = { ...seal, ...(prev !== undefined && { seq, prev }) };
    const made = sealLine(canonicalJson(next), link);
    sealed.push(Buffer.from(made.line, "utf8").toString("latin1"));
    [prev, seq] = [made.seal.hash, link.seq + 1];
  }
  return sealed.map((line) => `${line}\n`).join("");
}

function sealedAnew(
  name: string,
  change: (body: Record<string, unknown>, random: Random) => Record<string, unknown> | undefined,
): Mutation {
  return (trail, random) => {
    const path = recordFile(trail, random);
    const lines = linesOfFile(path);
    const at = random.below(lines.length);
    try {
      const after = resealed(textOfFile(path), at, (body, i) => (i === at ? change(body, random) : body));
      if (after === textOfFile(path)) return false;
      writeText(path, after);
      return `${name}, sealed anew, in ${path.slice(trail.root.length + 1)}`;
    } catch {
      return false;
    }
  };
}

const noteOf = (body: Record<string, unknown>): string | undefined =>
  (body["observations"] as { note?: string } | undefined)?.note;

function inNote(name: string, change: (note: string, random: Random) => string): Mutation {
  return sealedAnew(`${name} of a checkpoint`, (body, random) => {
    const note = noteOf(body);
    return note === undefined
      ? body
      : { ...body, observations: { ...(body["observations"] as object), note: change(note, random) } };
  });
}

const resealing: readonly Mutation[] = [
  sealedAnew("another outcome", (body) => ({ ...body, outcome: body["outcome"] === "allow" ? "block" : "allow" })),
  sealedAnew("another event", (body, random) => ({
    ...body,
    event: random.pick(["note", "checkpoint", "rotation", "begun", "copy_failed", "segment", "retired", ""]),
  })),
  sealedAnew("a record left out", () => undefined),
  sealedAnew("no observations", (body) => ({ ...body, observations: {} })),
  sealedAnew("another session", (body) => ({ ...body, session: "other" })),
  sealedAnew("no session", (body) => ({ ...body, session: "" })),
  inNote("a size", (note) => note.replace(/\n(\d+)\n/, (_, n) => `\n${Number(n) + 1}\n`)),
  inNote("a root", (note) => note.replace(/\n[A-Za-z0-9+/]{43}=\n/, `\n${"A".repeat(43)}=\n`)),
  inNote("an epoch", (note) => note.replace(/epoch (\d+)/, "epoch 2")),
  inNote("a signature", (note) => note.replace(/([A-Za-z0-9+/])([A-Za-z0-9+/]=*\n)$/, "A$2")),
  inNote("a place", (note) => note.replace(/log (\d+)/, (_, n) => `log ${Number(n) + 1}`)),
  inNote("a name", (note) => note.replace(/\/000001\b/, "/000002")),
  inNote("the end", (note) => note.slice(0, -1)),
  inNote("a further line", (note) => note.replace("\n\n", "\nmore\n\n")),
  inNote("two signatures", (note) => note + note.slice(note.lastIndexOf("\n\u2014") + 1)),
];

const inFolder: readonly Mutation[] = [
  (trail, random) => {
    const path = random.pick(recordFiles(trail));
    rmSync(path);
    return `${path.slice(trail.root.length + 1)} removed`;
  },
  (trail, random) => {
    const [from, to] = [random.pick(recordFiles(trail)), recordFile(trail, random)];
    if (from === to) return false;
    writeText(to, textOfFile(from));
    return `${basename(to)} replaced by ${basename(from)}`;
  },
  (trail, random) => {
    const [one, other] = [random.pick(recordFiles(trail)), recordFile(trail, random)];
    if (one === other) return false;
    const [a, b] = [textOfFile(one), textOfFile(other)];
    writeText(one, b);
    writeText(other, a);
    return `${basename(one)} and ${basename(other)} swapped`;
  },
  (trail, random, other) => {
    const path = recordFile(trail, random);
    const theirs = other.root + path.slice(trail.root.length);
    if (!existsSync(theirs)) return false;
    cpSync(theirs, path);
    return `${path.slice(trail.root.length + 1)} of another trail`;
  },
  (trail, random) => {
    const path = recordFile(trail, random);
    const older = trail.older + path.slice(trail.root.length);
    if (!existsSync(older) || textOfFile(older) === textOfFile(path)) return false;
    cpSync(older, path);
    return `${path.slice(trail.root.length + 1)} as it was before`;
  },
  (trail, _random, other) => {
    for (const part of ["audit", "keys"]) {
      rmSync(join(trail.root, part), { recursive: true, force: true });
      if (existsSync(join(other.root, part)))
        cpSync(join(other.root, part), join(trail.root, part), { recursive: true });
    }
    return "everything of another trail";
  },
  (trail) => {
    rmSync(trail.audit, { recursive: true });
    cpSync(join(trail.older, "audit"), trail.audit, { recursive: true });
    return "everything as it was before";
  },
  (trail, random) => {
    const path = random.pick(recordFiles(trail));
    const to = join(
      dirname(path),
      random.pick([
        "000001.jsonl",
        "000002.jsonl",
        "000003.jsonl",
        "000009.jsonl",
        "000000.jsonl",
        "1.jsonl",
        "0000001.jsonl",
        "a.txt",
      ]),
    );
    if (existsSync(to) || path.endsWith(".gz")) return false;
    renameSync(path, to);
    return `${path.slice(trail.root.length + 1)} called ${basename(to)}`;
  },
  (trail, random) => {
    const sessions = sessionsOf(trail);
    if (sessions.length === 0) return false;
    const from = random.pick(sessions);
    const to = random.pick([sha256("else").slice(7), from.toUpperCase(), `${from}x`, "other", ...sessions]);
    if (existsSync(join(trail.audit, to))) return false;
    renameSync(join(trail.audit, from), join(trail.audit, to));
    return `session ${from.slice(0, 8)} called ${to.slice(0, 8)}`;
  },
  (trail, random) => {
    const [one, other] = [random.pick(sessionsOf(trail)), random.pick(sessionsOf(trail))];
    if (one === other) return false;
    renameSync(join(trail.audit, one), join(trail.audit, "aside"));
    renameSync(join(trail.audit, other), join(trail.audit, one));
    renameSync(join(trail.audit, "aside"), join(trail.audit, other));
    return "two sessions swapped";
  },
  (trail, random) => {
    const session = random.pick(sessionsOf(trail));
    rmSync(join(trail.audit, session), { recursive: true });
    if (random.chance(0.3)) mkdirSync(join(trail.audit, session));
    return `session ${session.slice(0, 8)} removed`;
  },
];

const sessionsOf = (trail: Trail): string[] => [
  ...new Set(filesBelow(trail.audit).flatMap((name) => /^([0-9a-f]{64})\//.exec(name)?.[1] ?? [])),
];

const strays: readonly Mutation[] = [
  (trail, random) => {
    const name = random.pick(["000000.jsonl", "1.jsonl", "note.txt", "checkpoints.jsonl", "000001.jsonl.bak", "sub/x"]);
    const path = join(trail.audit, random.pick([...sessionsOf(trail), "."]), name);
    if (existsSync(path)) return false;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, random.pick(["", "{}\n", readFileSync(random.pick(recordFiles(trail)), "latin1")]), "latin1");
    return `a stray ${name}`;
  },
  (trail, random) => {
    const name = random.pick([sha256("none").slice(7), "empty", sha256("none").slice(7).toUpperCase()]);
    mkdirSync(join(trail.audit, name));
    return `an empty folder ${name.slice(0, 8)}`;
  },
  (trail, random) => {
    const path = random.pick(recordFiles(trail));
    if (path.endsWith(".gz") || !/\d{6}\.jsonl$/.test(path)) return false;
    const packed = gzipSync(random.pick([readFileSync(path), Buffer.from("{}\n")]));
    writeFileSync(`${path}.gz`, packed);
    return `${basename(path)} and a packed one beside it`;
  },
  (trail, random) => {
    const path = recordFile(trail, random);
    const aside = join(trail.root, "aside.jsonl");
    if (path.endsWith(".gz") || existsSync(aside)) return false;
    renameSync(path, aside);
    symlinkSync(random.pick([aside, join(trail.root, "nowhere"), trail.audit]), path);
    return `${path.slice(trail.root.length + 1)} a link`;
  },
  (trail, random) => {
    const session = random.pick(sessionsOf(trail));
    const aside = join(trail.root, "aside-session");
    if (existsSync(aside)) return false;
    renameSync(join(trail.audit, session), aside);
    symlinkSync(aside, join(trail.audit, session));
    return `session ${session.slice(0, 8)} a link`;
  },
  (trail, random) => {
    const path = recordFile(trail, random);
    rmSync(path);
    mkdirSync(path);
    return `${path.slice(trail.root.length + 1)} a folder`;
  },
  (trail, random) => {
    const session = random.pick(sessionsOf(trail));
    rmSync(join(trail.audit, session), { recursive: true });
    writeFileSync(join(trail.audit, session), random.pick(["", "{}\n"]));
    return `session ${session.slice(0, 8)} a file`;
  },
];

const inKeys: readonly Mutation[] = [
  (trail, random) => {
    if (!existsSync(trail.keys)) return false;
    const names = filesBelow(trail.keys).filter((name) => /\.(pub|rotation)$/.test(name));
    const path = join(trail.keys, random.pick(names));
    rmSync(path);
    return `${basename(path)} removed`;
  },
  (trail, _random, other) => {
    if (!existsSync(trail.keys) || !existsSync(join(other.keys, "audit-1.pub"))) return false;
    cpSync(join(other.keys, "audit-1.pub"), join(trail.keys, "audit-1.pub"));
    return "the public key of another installation";
  },
  (trail, random) => {
    if (!existsSync(trail.keys)) return false;
    const path = join(trail.keys, "audit-1.pub");
    if (!existsSync(path)) return false;
    writeText(path, random.pick(["", "x", `${textOfFile(path)}\n`, textOfFile(path).slice(0, -5)]));
    return "a spoiled public key";
  },
];

const groups: readonly (readonly Mutation[])[] = [inBytes, inRecords, inOrder, resealing, inFolder, strays, inKeys];

/** What was done to a trail. */
export interface Mutated {
  readonly done: string;
  /** Records were sealed anew, or are of another chain that holds: what no signature covers can then not be seen. */
  readonly resealed: boolean;
}

/** Changes a trail once or twice; what was done, or undefined where nothing could be. */
export function mutate(trail: Trail, random: Random, other: Trail): Mutated | undefined {
  const done: string[] = [];
  for (let n = random.chance(0.15) ? 2 : 1, tried = 0; n > 0 && tried < 20; tried++) {
    const made = attempt(random.pick(random.pick(groups)), trail, random, other);
    if (made === false) continue;
    done.push(made);
    n--;
  }
  return done.length > 0
    ? { done: done.join("; "), resealed: done.some((one) => /sealed anew|of another trail/.test(one)) }
    : undefined;
}

function attempt(mutation: Mutation, trail: Trail, random: Random, other: Trail): string | false {
  try {
    return mutation(trail, random, other);
  } catch (error) {
    if (error instanceof Error && /nothing to pick|ENOENT|EISDIR|ENOTDIR|incorrect header/.test(error.message))
      return false;
    throw error;
  }
}
