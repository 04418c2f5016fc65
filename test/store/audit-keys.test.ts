import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isSignedBy, parseNote, parseVerifierKey } from "../../engine/audit/note.ts";
import { parseRotation } from "../../engine/audit/rotation.ts";
import {
  loadAuditSettings,
  loadSigner,
  loadVerifiers,
  makeAuditKeys,
  rotateAuditKeys,
  saveAuditSettings,
} from "../../store/audit-keys.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-keys-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const key = (name: string) => join(state, "keys", name);

describe("audit keys", () => {
  it("sign notes that the verifier key checks", () => {
    const { verifier, epoch, made } = makeAuditKeys(state);
    expect([epoch, made]).toEqual([1, true]);
    const note = parseNote(loadSigner(state)?.sign("text\n") ?? "");
    const known = parseVerifierKey(verifier);
    expect(note && known && isSignedBy(note, known)).toBe(true);
    expect(loadSigner(state)?.sign("no line break")).toBeUndefined();
  });

  it("are none before they are made", () => {
    expect(loadSigner(state)).toBeUndefined();
    expect(loadVerifiers(state).keys.size).toBe(0);
  });

  it("hand over by a statement that the old key signed, and the old private key is gone", () => {
    const old = parseVerifierKey(makeAuditKeys(state).verifier);
    const next = rotateAuditKeys(state, 0);
    expect(() => readFileSync(key("audit-1.key"))).toThrow("ENOENT");
    expect(loadSigner(state)).toMatchObject({ epoch: 2 });
    const { keys, rotations } = loadVerifiers(state);
    expect([...keys.keys()]).toEqual([1, 2]);
    const statement = parseNote(rotations.get(2) ?? "");
    expect(statement && old && isSignedBy(statement, old)).toBe(true);
    const named = parseRotation(statement?.text ?? "")?.key;
    expect(named?.name).toBe(parseVerifierKey(next.verifier)?.name);
  });

  it("stay the old ones when a rotation ended before its statement was written", () => {
    makeAuditKeys(state);
    copyFileSync(key("audit-1.key"), key("old"));
    rotateAuditKeys(state, 0);
    rmSync(key("audit-2.rotation"));
    renameSync(key("old"), key("audit-1.key"));
    expect(loadSigner(state)).toMatchObject({ epoch: 1 });
    expect(rotateAuditKeys(state, 0).epoch).toBe(2);
    expect(loadSigner(state)).toMatchObject({ epoch: 2 });
  });

  it("finish the erasing of an old key that was interrupted", () => {
    makeAuditKeys(state);
    copyFileSync(key("audit-1.key"), key("old"));
    rotateAuditKeys(state, 0);
    renameSync(key("old"), key("audit-1.key"));
    expect(makeAuditKeys(state)).toMatchObject({ epoch: 2, made: false });
    expect(() => readFileSync(key("audit-1.key"))).toThrow("ENOENT");
  });

  it.each<[string, () => void, RegExp]>([
    ["others may read", () => chmodSync(key("audit-1.key"), 0o644), /may be read by others/],
    ["is no key", () => writeFileSync(key("audit-1.key"), "x"), /./],
    [
      "is a link",
      () => {
        renameSync(key("audit-1.key"), key("real"));
        symlinkSync(key("real"), key("audit-1.key"));
      },
      /ELOOP/,
    ],
    ["stands without its public key", () => rmSync(key("audit-1.pub")), /missing or altered/],
  ])("refuse a private key that %s", (_name, change, message) => {
    makeAuditKeys(state);
    change();
    expect(() => loadSigner(state)).toThrow(message);
  });

  it("are not made anew where a private key was lost", () => {
    makeAuditKeys(state);
    rmSync(key("audit-1.key"));
    expect(() => makeAuditKeys(state)).toThrow("no private one");
  });
});

describe("audit settings", () => {
  it("are kept, and are empty when they cannot be understood", () => {
    expect(loadAuditSettings(state)).toEqual({});
    saveAuditSettings(state, { copy_to: "/x" });
    expect(loadAuditSettings(state)).toEqual({ copy_to: "/x" });
    for (const text of ["", "[]", "null", '{"copy_to":1}', '{"__proto__":{"copy_to":"/x"}}']) {
      writeFileSync(key("audit.json"), text);
      expect(loadAuditSettings(state)).toEqual({});
    }
  });
});
