import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

/** A key of C2SP signed notes (Ed25519): the name of the signer, the four bytes before each signature, and the public key. */
export interface NoteKey {
  /** Without spaces and `+`. */
  readonly name: string;
  /** First four bytes of SHA-256 over name, line break, 0x01 and the public key. */
  readonly id: Uint8Array;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** One signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  readonly id: Uint8Array;
  readonly signature: Uint8Array;
}

/** A parsed note: `text` is the signed part and ends with a line break. */
export interface SignedNote {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Kind of key in signed notes: Ed25519 over the text. */
const ed25519 = 1;
const dash = "\u2014";
const idBytes = 4;
const publicKeyBytes = 32;
const signatureBytes = 64;
/** Most signatures and longest text of a note that is read. */
const mostSignatures = 16;
const mostCharacters = 16_384;

/** Makes a key of a name and a public key; undefined if a note cannot hold the name or the key is no Ed25519 key. */
export function noteKey(name: string, publicKey: Uint8Array): NoteKey | undefined {
  if (!isName(name) || publicKey.length !== publicKeyBytes) return undefined;
  const id = createHash("sha256").update(`${name}\n`).update(Uint8Array.of(ed25519)).update(publicKey).digest();
  return { name, id: id.subarray(0, idBytes), publicKey };
}

/** Returns the text form of a key: `<name>+<id in hex>+<base64>` (C2SP signed-note, "verifier keys"). */
export function verifierKey(key: NoteKey): string {
  const bytes = Buffer.concat([Uint8Array.of(ed25519), key.publicKey]);
  return `${key.name}+${Buffer.from(key.id).toString("hex")}+${bytes.toString("base64")}`;
}

/** Reads a text of `verifierKey`; undefined for any other text, also if the id is not that of the key. */
export function parseVerifierKey(text: string): NoteKey | undefined {
  const [name = "", , ...rest] = text.split("+");
  const bytes = base64Bytes(rest.join("+"));
  if (bytes?.[0] !== ed25519) return undefined;
  const key = noteKey(name, bytes.subarray(1));
  return key && verifierKey(key) === text ? key : undefined;
}

/**
 * True for a text that can be signed as a note: complete lines of well-formed Unicode without control characters, and no
 * empty line, which is where the text of a note ends.
 */
export function isNoteText(text: string): boolean {
  if (text.length === 0 || text.length > mostCharacters || !text.endsWith("\n") || !text.isWellFormed()) return false;
  return !hasControl(text) && text.split("\n").indexOf("") === text.split("\n").length - 1;
}

/** Joins a text and its signature to a note; undefined if the text cannot be signed. */
export function frameNote(text: string, key: NoteKey, signature: Uint8Array): string | undefined {
  if (!isNoteText(text) || signature.length !== signatureBytes) return undefined;
  return `${text}\n${dash} ${key.name} ${Buffer.concat([key.id, signature]).toString("base64")}\n`;
}

/** Parses a note; undefined unless it is a note, byte for byte. Checks no signature. */
export function parseNote(note: string): SignedNote | undefined {
  if (note.length > 2 * mostCharacters) return undefined;
  const end = note.indexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) return undefined;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split("\n");
  if (!isNoteText(text) || lines.length > mostSignatures) return undefined;
  const signatures = lines.map(signatureOf);
  return signatures.every((signature) => signature !== undefined) ? { text, signatures } : undefined;
}

/** True if the note has a signature that names this key, and each such signature is valid. */
export function isSignedBy(note: SignedNote, key: NoteKey): boolean {
  const own = note.signatures.filter((s) => s.name === key.name && sameBytes(s.id, key.id));
  if (own.length === 0) return false;
  const publicKey = publicKeyOf(key);
  const text = Buffer.from(note.text, "utf8");
  return publicKey !== undefined && own.every(({ signature }) => verify(null, text, publicKey, signature));
}

function signatureOf(line: string): NoteSignature | undefined {
  const [mark, name = "", encoded = "", ...more] = line.split(" ");
  const bytes = base64Bytes(encoded);
  if (mark !== dash || more.length > 0 || !isName(name) || bytes?.length !== idBytes + signatureBytes) return undefined;
  return { name, id: bytes.subarray(0, idBytes), signature: bytes.subarray(idBytes) };
}

/** Returns an Ed25519 key as Node's key object; undefined if the bytes are no such key. */
function publicKeyOf(key: NoteKey): KeyObject | undefined {
  try {
    const x = Buffer.from(key.publicKey).toString("base64url");
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  } catch {
    return undefined;
  }
}

function isName(name: string): boolean {
  return name.length > 0 && name.length <= 256 && /^[!-*,-~]+$/.test(name);
}

/** Decodes standard base64; undefined for any but the canonical spelling. */
export function base64Bytes(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit < 0x20 && unit !== 10) || unit === 0x7f) return true;
  }
  return false;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
