import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { keyName, parseKeyName } from "../engine/audit/checkpoint.ts";
import { frameNote, type NoteKey, noteKey, parseVerifierKey, verifierKey } from "../engine/audit/note.ts";
import { formatRotation } from "../engine/audit/rotation.ts";
import { makeFolder } from "./folders.ts";
import { installKey } from "./install-key.ts";
import { readOwn, writeOwn } from "./session-file.ts";

/** Signer of checkpoints: the private key of the newest epoch. */
export interface Signer {
  readonly epoch: number;
  /** Sixteen hexadecimal digits that name the installation. */
  readonly install: string;
  /** Name of the key, as in signatures. */
  readonly name: string;
  readonly key: NoteKey;
  /** The text as a signed note; undefined when the text cannot be signed. */
  sign(text: string): string | undefined;
}

/** The keys that an installation has had. */
export interface Verifiers {
  /** Public keys by epoch, as the key folder has them. */
  readonly keys: ReadonlyMap<number, NoteKey>;
  /** Signed statements by which each key names the next, by the epoch of the new key. */
  readonly rotations: ReadonlyMap<number, string>;
}

/** A key that was made, and the state of earlier ones. */
export interface MadeKey {
  readonly epoch: number;
  /** Verifier key (C2SP) that the user keeps elsewhere. */
  readonly verifier: string;
  /** False when the key was there already. */
  readonly made: boolean;
}

/** Settings for checkpoints, stored beside their keys. */
export interface AuditSettings {
  /** Second file to which every checkpoint is appended. */
  readonly copy_to?: string;
}

const maxKeyFile = 16_384;
const mostEpochs = 1_000;

/**
 * Makes the first key pair of an installation in `<state>/keys` (private PKCS8, mode 0600); when there is one, nothing is
 * made, but what an interrupted rotation left behind is erased. Throws when files cannot be read or written.
 */
export function makeAuditKeys(state: string): MadeKey {
  const folder = keyFolder(state);
  const known = publicKeys(folder).size > 0;
  const there = known ? loadSigner(state) : undefined;
  if (there) {
    eraseBefore(folder, there.epoch);
    return { epoch: there.epoch, verifier: verifierKey(there.key), made: false };
  }
  if (known) throw new Error(`\`${folder}\` has public keys of audit, but no private one`);
  const id = hkdfSync("sha256", installKey(state), "", "hookwarden-install-id-v1", 8);
  const key = writePair(folder, Buffer.from(id).toString("hex"), 1);
  return { epoch: 1, verifier: verifierKey(key), made: true };
}

/**
 * Makes the key pair of the next epoch, has the old key sign the new public key, and erases the old private key. Only the signed
 * statement makes the new key valid: a process that ends before it is written has changed nothing. Erasing overwrites the file
 * and then removes it; a disk may still keep older copies of its blocks. Throws if there is no key yet, or files cannot be
 * written.
 */
export function rotateAuditKeys(state: string, now: number): MadeKey {
  const folder = keyFolder(state);
  const old = loadSigner(state);
  if (!old) throw new Error("there is no audit key to rotate; `hookwarden audit init` makes the first one");
  const epoch = old.epoch + 1;
  const key = writePair(folder, old.install, epoch);
  const text = formatRotation({ install: old.install, epoch, key, time: new Date(now).toISOString() });
  const statement = text === undefined ? undefined : old.sign(text);
  if (statement === undefined) throw new Error("the clock shows no time that can be signed");
  writeOwn(join(folder, `audit-${epoch}.rotation`), statement, true);
  eraseBefore(folder, epoch);
  return { epoch, verifier: verifierKey(key), made: true };
}

/**
 * Loads the private key of the newest epoch; undefined if `audit init` never ran. Throws if the key file is a link, open to
 * others, or no key.
 */
export function loadSigner(state: string): Signer | undefined {
  const folder = keyFolder(state);
  for (const epoch of [...privateEpochs(folder)].reverse()) {
    // A key without a statement by the key before it was left by an interrupted rotation.
    if (epoch > 1 && readText(join(folder, `audit-${epoch}.rotation`)) === undefined) continue;
    const key = publicKeys(folder).get(epoch);
    const name = key && parseKeyName(key.name);
    if (!name) throw new Error(`\`audit-${epoch}.pub\` is missing or altered`);
    return signerOf(readPrivate(join(folder, `audit-${epoch}.key`)), key, name.install, epoch);
  }
  return undefined;
}

/** Loads the public keys and rotations of an installation; both empty if it has none. Throws the errors of the file system. */
export function loadVerifiers(state: string): Verifiers {
  const folder = keyFolder(state);
  const keys = publicKeys(folder);
  const rotations = new Map<number, string>();
  for (const epoch of keys.keys()) {
    const text = readText(join(folder, `audit-${epoch}.rotation`));
    if (text !== undefined) rotations.set(epoch, text);
  }
  return { keys, rotations };
}

/** Reads the settings beside the keys; empty when they are missing or invalid. */
export function loadAuditSettings(state: string): AuditSettings {
  try {
    const value: unknown = JSON.parse(readText(join(keyFolder(state), "audit.json")) ?? "{}");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, "copy_to")) return {};
    const copy = (value as { readonly copy_to: unknown }).copy_to;
    return typeof copy === "string" ? { copy_to: copy } : {};
  } catch {
    return {};
  }
}

/** Replaces the settings beside the keys. Throws what the file system throws. */
export function saveAuditSettings(state: string, settings: AuditSettings): void {
  makeFolder(keyFolder(state), 0o700);
  writeOwn(join(keyFolder(state), "audit.json"), `${JSON.stringify(settings)}\n`, true);
}

function keyFolder(state: string): string {
  return join(state, "keys");
}

function signerOf(privateKey: KeyObject, key: NoteKey, install: string, epoch: number): Signer {
  const signed = (text: string) => frameNote(text, key, sign(null, Buffer.from(text, "utf8"), privateKey));
  return { epoch, install, name: key.name, key, sign: signed };
}

function writePair(folder: string, install: string, epoch: number): NoteKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const key = noteKey(keyName(install, epoch), Buffer.from(x, "base64url"));
  if (!key) throw new Error("the machine made a key that is none");
  makeFolder(folder, 0o700);
  // The private key is written first: it signs nothing until its public key lies beside it.
  writeOwn(join(folder, `audit-${epoch}.key`), privateKey.export({ type: "pkcs8", format: "pem" }).toString(), true);
  writeOwn(join(folder, `audit-${epoch}.pub`), `${verifierKey(key)}\n`, true);
  return key;
}

function eraseBefore(folder: string, epoch: number): void {
  for (const old of privateEpochs(folder)) if (old < epoch) erase(join(folder, `audit-${old}.key`));
}

function erase(path: string): void {
  const file = openSync(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    writeSync(file, randomBytes(fstatSync(file).size), 0, undefined, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  rmSync(path);
}

function readPrivate(path: string): KeyObject {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > maxKeyFile) throw new Error(`\`${path}\` is not a key of hookwarden`);
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0)
      throw new Error(`\`${path}\` may be read by others; set its mode to 0600`);
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`\`${path}\` is not a key of hookwarden`);
    return key;
  } finally {
    closeSync(file);
  }
}

function publicKeys(folder: string): ReadonlyMap<number, NoteKey> {
  const keys = new Map<number, NoteKey>();
  for (const epoch of epochsOf(folder, "pub")) {
    const key = parseVerifierKey((readText(join(folder, `audit-${epoch}.pub`)) ?? "").trimEnd());
    if (key && parseKeyName(key.name)?.epoch === epoch) keys.set(epoch, key);
  }
  return keys;
}

function privateEpochs(folder: string): readonly number[] {
  return epochsOf(folder, "key");
}

/** Returns the epochs for which a file of this kind exists, in order. */
function epochsOf(folder: string, ending: string): readonly number[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  const numbers = readdirSync(folder).flatMap((name) => {
    const [, digits = "", kind] = /^audit-([1-9][0-9]{0,8})\.([a-z]+)$/.exec(name) ?? [];
    return kind === ending ? [Number(digits)] : [];
  });
  return numbers.sort((a, b) => a - b).slice(-mostEpochs);
}

function readText(path: string): string | undefined {
  const bytes = readOwn(path, maxKeyFile);
  return bytes && Buffer.from(bytes).toString("utf8");
}
