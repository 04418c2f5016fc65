import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sha256 } from "../../engine/canonical.ts";
import { makeAuditKeys, rotateAuditKeys } from "../../store/audit-keys.ts";
import { Checkpointer } from "../../store/checkpoints.ts";
import { retireSessions } from "../../store/retention.ts";
import { linesOfFile } from "./mutant-lines.ts";
import { began, MadeSession } from "./trail.ts";

/** A whole state folder that mutants are made of, and the copy of its checkpoints. */
export interface Trail {
  readonly root: string;
  readonly audit: string;
  readonly keys: string;
  /** The copy of the checkpoints. */
  readonly copy: string;
  /** The verifier key of epoch 1. */
  readonly key: string;
  /** The same as it was when less had been written. */
  readonly older: string;
}

const folderOf = (session: string): string => sha256(session).slice("sha256:".length);

/** Trails of all kinds: one key and two, packed segments, retired sessions, records after the last checkpoint, none at all. */
export class Trails {
  readonly #root = mkdtempSync(join(tmpdir(), "hookwarden-mutants-"));
  readonly #made = new Map<string, Trail>();
  #next = 0;

  /** A fresh copy of the trail of a kind. */
  fresh(kind: string): Trail {
    const made = this.#made.get(kind) ?? this.#make(kind);
    this.#made.set(kind, made);
    const root = join(this.#root, `${this.#next++}`);
    cpSync(made.root, root, { recursive: true });
    return placeAt(root, made.key, made.older);
  }

  /** A trail of a kind as it was made; nothing may write into it. */
  original(kind: string): Trail {
    const made = this.#made.get(kind) ?? this.#make(kind);
    this.#made.set(kind, made);
    return made;
  }

  /** Takes a fresh copy away. */
  drop({ root }: Trail): void {
    rmSync(root, { recursive: true, force: true });
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #make(kind: string): Trail {
    const root = join(this.#root, kind);
    const older = join(this.#root, `${kind}-older`);
    return makeTrail(kind, root, older);
  }
}

/** Kinds of trails. `stranger` is of another installation. */
export const kinds = ["plain", "covered", "rotated", "packed", "retired", "unsigned", "unkeyed"] as const;

function placeAt(root: string, key: string, older: string): Trail {
  return { root, audit: join(root, "audit"), keys: join(root, "keys"), copy: join(root, "copy.jsonl"), key, older };
}

function makeTrail(kind: string, root: string, older: string): Trail {
  mkdirSync(root, { recursive: true });
  const copyTo = join(root, "copy.jsonl");
  const options = { copyTo };
  if (kind === "unsigned") {
    // Nobody ran `audit init`: chains alone.
    new MadeSession(root, "one", options).add(3).rotate().add(2);
    new MadeSession(root, "two", options).add(2);
    writeFileSync(copyTo, "");
    cpSync(root, older, { recursive: true });
    return placeAt(root, "", older);
  }
  const { verifier } = makeAuditKeys(root);
  new Checkpointer(join(root, "audit"), root, { durability: "relaxed", copyTo }).begin(began);
  const one = new MadeSession(root, "one", options).add(2).checkpoint();
  const two = new MadeSession(root, "two", options).add(2).checkpoint();
  cpSync(root, older, { recursive: true });
  one.add(1).checkpoint().rotate().add(2).checkpoint();
  if (kind === "rotated") rotateAuditKeys(root, began);
  two.add(1).checkpoint();
  if (kind === "plain" || kind === "rotated") two.add(2);
  if (kind === "packed") pack(join(root, "audit", folderOf("one"), "000001.jsonl"));
  if (kind === "retired") {
    const checkpointer = new Checkpointer(join(root, "audit"), root, { durability: "relaxed", copyTo });
    new MadeSession(root, "gone", options).add(1).checkpoint();
    const gone = join(root, "audit", folderOf("gone"));
    const aside = join(root, "aside");
    mkdirSync(aside);
    // Only the one session is old enough: the others are taken aside for the moment.
    for (const name of ["one", "two"]) renameSync(join(root, "audit", folderOf(name)), join(aside, name));
    retireSessions(join(root, "audit"), {
      ...{ now: began + 400 * 86_400_000, olderThanDays: 200, checkpointer },
    });
    for (const name of ["one", "two"]) renameSync(join(aside, name), join(root, "audit", folderOf(name)));
    rmSync(aside, { recursive: true });
    if (linesOfFile(join(root, "audit", "retired.jsonl")).length !== 1) throw new Error(`${gone} was not retired`);
  }
  if (kind === "unkeyed") rmSync(join(root, "keys"), { recursive: true });
  return placeAt(root, verifier, older);
}

function pack(path: string): void {
  const text = linesOfFile(path).map((line) => `${line}\n`);
  const packed = gzipSync(Buffer.from(text.join(""), "latin1"));
  writeFileSync(`${path}.gz`, packed);
  rmSync(path);
}
