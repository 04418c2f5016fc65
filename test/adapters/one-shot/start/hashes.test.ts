import * as crypto from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHashes } from "../../../../adapters/one-shot/start/hashes.ts";
import { firstState, sha256Module } from "../../../../scripts/build/sha256-wasm.ts";

const hashes = createHashes(sha256Module(), () => crypto);
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 131 + (i >> 8)) & 255));

describe("the launcher's hashes", () => {
  it.each([
    ...[0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1_000],
    ...[64_447, 64_448, 64_455, 64_456, 64_503, 64_504, 64_511, 64_512, 64_513, 129_024, 200_001],
  ])("are the platform's for %i bytes", (length) => {
    const data = bytes(length);
    const expected = crypto.createHash("sha256").update(data).digest("hex");
    expect(hashes.createHash("sha256").update(data).digest("hex")).toBe(expected);
  });

  it("are the platform's for any text in any parts, with and without a key", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), fc.uint8Array({ maxLength: 100 }), (parts, key) => {
        const texts = parts.map((part) => part.toWellFormed());
        const own = hashes.createHmac("sha256", key);
        const platform = crypto.createHmac("sha256", key);
        const plain = hashes.createHash("sha256");
        const expected = crypto.createHash("sha256");
        for (const text of texts) {
          own.update(text);
          platform.update(text);
          plain.update(text, "utf8");
          expected.update(text, "utf8");
        }
        expect(own.digest("hex")).toBe(platform.digest("hex"));
        expect(plain.digest()).toEqual(expected.digest());
        const derive = (of: typeof crypto) => Buffer.from(of.hkdfSync("sha256", key, texts[0] ?? "", "info", 32));
        expect(derive(hashes)).toEqual(derive(crypto));
      }),
    );
  });

  it("are the platform's under a key as an object, the platform's own objects among them", () => {
    for (const length of [0, 1, 32, 64, 65, 200]) {
      const expected = crypto.createHmac("sha256", bytes(length)).update("text").digest("hex");
      for (const of of [hashes, crypto])
        expect(
          hashes
            .createHmac("sha256", of.createSecretKey(bytes(length)))
            .update("text")
            .digest("hex"),
        ).toBe(expected);
    }
    const other = hashes
      .createHmac("sha512", hashes.createSecretKey(bytes(32)))
      .update("text")
      .digest("hex");
    expect(other).toBe(crypto.createHmac("sha512", bytes(32)).update("text").digest("hex"));
  });

  it("make a key as an object without the platform, and keep it whatever becomes of its bytes", () => {
    const alone = createHashes(sha256Module(), () => {
      throw new Error("the platform was asked");
    });
    const given = bytes(32);
    const key = alone.createSecretKey(given);
    given.fill(0);
    const digest = alone.createHmac("sha256", key).update("text").digest("hex");
    expect(digest).toBe(crypto.createHmac("sha256", bytes(32)).update("text").digest("hex"));
  });

  it("refuse what is no data, rather than to take it for nothing", () => {
    const odd = { length: 0, export: () => ({}) } as unknown as Uint8Array;
    expect(() => hashes.createHmac("sha256", odd)).toThrow(TypeError);
    expect(() => hashes.createHash("sha256").update(odd)).toThrow(TypeError);
    expect(() => hashes.hkdfSync("sha256", odd, "", "", 32)).toThrow(TypeError);
  });

  it("are the platform's in one call", () => {
    expect(hashes.hash("sha256", "text")).toBe(crypto.createHash("sha256").update("text").digest("hex"));
    expect(hashes.hash("sha256", bytes(70), "buffer")).toEqual(crypto.createHash("sha256").update(bytes(70)).digest());
    expect(hashes.hash("sha1", bytes(5), "base64")).toBe(crypto.createHash("sha1").update(bytes(5)).digest("base64"));
  });

  it("keep what they were given, whatever becomes of the buffer", () => {
    const buffer = bytes(70);
    const hash = hashes.createHash("sha256").update(buffer);
    const expected = crypto.createHash("sha256").update(buffer).digest("hex");
    buffer.fill(0);
    expect(hash.digest("hex")).toBe(expected);
  });

  it("compare bytes as the platform does", () => {
    expect(hashes.timingSafeEqual(bytes(9), bytes(9))).toBe(true);
    expect(hashes.timingSafeEqual(bytes(9), Buffer.alloc(9))).toBe(false);
    expect(() => hashes.timingSafeEqual(bytes(9), bytes(8))).toThrow(RangeError);
  });

  it("leave everything else to the platform", () => {
    expect(hashes.createHash("sha512").update("a").digest("hex")).toBe(
      crypto.createHash("sha512").update("a").digest("hex"),
    );
    expect(hashes.randomBytes(8)).toHaveLength(8);
    expect(hashes.randomBytes(8)).not.toEqual(hashes.randomBytes(8));
    expect(hashes.randomUUID()).toHaveLength(36);
    expect(Buffer.from(hashes.hkdfSync("sha256", "k", "", "i", 64))).toEqual(
      Buffer.from(crypto.hkdfSync("sha256", "k", "", "i", 64)),
    );
  });

  it("begin with the numbers of the standard", () => {
    expect(firstState()[0]).toBe(0x6a09e667);
    expect(firstState()[7]).toBe(0x5be0cd19);
  });
});
