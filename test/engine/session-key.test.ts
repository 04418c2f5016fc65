import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { boundaryOf, pseudonymOf, valueDigestOf } from "../../engine/session-key.ts";
import { boundaryDigits, isSealed, sealId } from "../../schema/pseudonym.ts";

describe("names of a session for values", () => {
  const name = pseudonymOf("key", "session");
  it("are 64 hex, the same for the same input", () => {
    expect(name("a")).toMatch(/^[0-9a-f]{64}$/);
    expect(pseudonymOf("key", "session")("a")).toBe(name("a"));
  });
  it.each([
    ["another value", name("b")],
    ["another session", pseudonymOf("key", "other")("a")],
    ["another install key", pseudonymOf("yek", "session")("a")],
    ["key and session that join to the same text", pseudonymOf("keys", "ession")("a")],
    ["a very long session id", pseudonymOf("key", "s".repeat(100_000))("a")],
    ["no session id", pseudonymOf("key", "")("a")],
  ])("are others for %s", (_, other) => {
    expect(other).toMatch(/^[0-9a-f]{64}$/);
    expect(other).not.toBe(name("a"));
  });
  it("are none without an install key", () => expect(pseudonymOf("", "session")("a")).toBeUndefined());
});

describe("names of an installation for values", () => {
  it("are those of HMAC-SHA-256 under a key of their own, whoever asked before", () => {
    for (const key of ["one", "other", "one", "one", "other"]) {
      const own = Buffer.from(hkdfSync("sha256", key, "", "hookwarden audit values", 32));
      expect(valueDigestOf(key)("a value")).toBe(createHmac("sha256", own).update("a value").digest("hex"));
    }
    expect(valueDigestOf("")("a value")).toBeUndefined();
  });
});

describe("ids that prove themselves", () => {
  const name = pseudonymOf("key", "session");
  const sealed = sealId("kind", "0123456", 3, name) as string;
  it.each([
    ["ours", "kind", sealed, true],
    ["another kind", "other", sealed, false],
    ["another id", "kind", `1${sealed.slice(1)}`, false],
    ["another proof", "kind", `${sealed.slice(0, -1)}${sealed.endsWith("0") ? "1" : "0"}`, false],
    ["nothing", "kind", "", false],
    ["too little", "kind", "ab", false],
  ])("%s", (_, kind, id, expected) => expect(isSealed(kind, id, 3, name)).toBe(expected));
  it("are never ours without a key", () => {
    expect(sealId("kind", "0123456", 3, () => undefined)).toBeUndefined();
    expect(isSealed("kind", sealed, 3, () => undefined)).toBe(false);
  });
});

describe("boundaries of injected text", () => {
  it("prove themselves with a key, and are the same for the same event", () => {
    const name = pseudonymOf("key", "session");
    const boundary = boundaryOf("e1", name);
    expect(boundary).toHaveLength(boundaryDigits.all);
    expect(isSealed("boundary", boundary, boundaryDigits.proof, name)).toBe(true);
    expect(boundaryOf("e1", name)).toBe(boundary);
    expect(boundaryOf("e2", name)).not.toBe(boundary);
  });
  it("are there without a key, too", () => expect(boundaryOf("e1", () => undefined)).toMatch(/^[0-9a-f]{16}$/));
});
