import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  frameNote,
  isNoteText,
  isSignedBy,
  noteKey,
  parseNote,
  parseVerifierKey,
  verifierKey,
} from "../../../engine/audit/note.ts";

/** Key and note of the documentation of golang.org/x/mod/sumdb/note. */
const published = {
  key: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  note:
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
const key = noteKey("example.org/log", raw);
if (!key) throw new Error("no key");
const signed = (text: string) => frameNote(text, key, sign(null, Buffer.from(text), privateKey));

describe("signed notes", () => {
  it("reads a published note and key, and the signature holds", () => {
    const known = parseVerifierKey(published.key);
    const note = parseNote(published.note);
    if (!known || !note) throw new Error("not read");
    expect(verifierKey(known)).toBe(published.key);
    expect(isSignedBy(note, known)).toBe(true);
    expect(isSignedBy(note, key)).toBe(false);
    expect(isSignedBy({ ...note, text: `${note.text}more\n` }, known)).toBe(false);
  });

  it("writes what it reads", () => {
    const note = signed("one\ntwo é\n");
    const parsed = parseNote(note ?? "");
    expect(parsed?.text).toBe("one\ntwo é\n");
    expect(parsed && isSignedBy(parsed, key)).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["a text without a last line break", "one"],
    ["an empty line, which would end the text", "one\n\ntwo\n"],
    ["a carriage return", "one\r\n"],
    ["a NUL", "a\u0000b\n"],
    ["a delete character", "a\u007fb\n"],
    ["a lone surrogate", "a\ud800\n"],
  ])("does not sign %s", (_name, text) => {
    expect(isNoteText(text)).toBe(false);
    expect(signed(text)).toBeUndefined();
  });

  it.each(["", "a b", "a+b", "a\nb", "é"])("makes no key of the name %j", (name) => {
    expect(noteKey(name, raw)).toBeUndefined();
  });

  it("finds every single-bit flip of a note", () => {
    const bytes = Buffer.from(signed("origin\n3\n") ?? "", "utf8");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const text = flipped.toString("utf8");
      // Bytes that are no UTF-8 never get this far: a note stands in a record, whose line is checked.
      const note = Buffer.from(text, "utf8").equals(flipped) ? parseNote(text) : undefined;
      expect(note !== undefined && isSignedBy(note, key)).toBe(false);
    }
  });

  it.each([
    ["no signature", "text\n\n"],
    ["a hyphen for the dash", (signed("text\n") ?? "").replace("\u2014", "-")],
    ["spaces", (signed("text\n") ?? "").replace("\u2014 ", "\u2014  ")],
    ["no last line break", (signed("text\n") ?? "").slice(0, -1)],
    ["an empty line after it", `${signed("text\n")}\n`],
    ["another spelling of base64", (signed("text\n") ?? "").replace(/==\n$|=\n$/, "\n")],
  ])("refuses a note with %s", (_name, note) => {
    expect(parseNote(note)).toBeUndefined();
  });

  it.each([
    ["another id", (text: string) => text.replace(/\+([0-9a-f]{8})\+/, "+00000000+")],
    ["another name", (text: string) => text.replace("example.org/log", "example.org/other")],
    ["another kind of key", (text: string) => text.replace("+A", "+B")],
  ])("refuses a verifier key with %s", (_name, change) => {
    expect(parseVerifierKey(change(verifierKey(key)))).toBeUndefined();
  });
});
