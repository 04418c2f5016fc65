import { describe, expect, it } from "vitest";
import { type Frame, FrameReader, frameBytes } from "../../../adapters/daemon/frames.ts";
import { largestRequest, likelySession } from "../../../adapters/daemon/request.ts";
import { type Heard, RequestReader } from "../../../adapters/daemon/request-reader.ts";

const mark = "hookwarden-11-22";

const requestOf = (payload: string): Buffer =>
  Buffer.from(`${mark}\n/\n1\nclaude-code\nexport A='b'\n${mark}\n${payload}\n${mark}\n`);

/** Takes bytes in pieces of a size; gives what became of the last one. */
function taken(reader: RequestReader, bytes: Buffer, size: number): Heard {
  let heard: Heard = "more";
  for (let at = 0; at < bytes.length && heard === "more"; at += size)
    heard = reader.take(Buffer.from(bytes.subarray(at, at + size)));
  return heard;
}

describe("reading a request", () => {
  it.each([1, 2, 3, 7, 16, 17, 18, 19, 33, 40, 1_000])("takes it in pieces of %i bytes", (size) => {
    for (const payload of ["", "{}", `{"a":"${mark}"}`, "\n\n\n", `x\n${mark}x`]) {
      const bytes = requestOf(payload);
      const reader = new RequestReader();
      expect(taken(reader, bytes, size)).toBe("whole");
      expect(reader.bytes().equals(bytes)).toBe(true);
      expect(bytes.toString("utf8", reader.payloadAt)).toBe(`${payload}\n${mark}\n`);
    }
  });

  it("is linear, whatever stands in the request and however it comes: bytes looked at, by size and by pieces", () => {
    const shapes: readonly ((n: number) => string)[] = [
      (n) => "x".repeat(n),
      (n) => "\n".repeat(n),
      (n) => `${mark}\n`.repeat(n / 17),
      (n) => `\n${mark}`.repeat(n / 17),
      (n) => "hookwarden-1".repeat(n / 12),
    ];
    for (const shape of shapes)
      for (const size of [4_096, 65_536]) {
        const looks = [1, 2, 4, 8].map((n) => {
          const reader = new RequestReader();
          const bytes = requestOf(shape(n * 500_000));
          // Pieces that end in a line break were the dear ones.
          taken(reader, bytes, size);
          return reader.looked / bytes.length;
        });
        expect(Math.max(...looks)).toBeLessThan(1.1);
      }
  });

  it("charges reads, so that a request in single bytes ends early", () => {
    const reader = new RequestReader();
    const bytes = requestOf("x".repeat(600_000));
    expect(taken(reader, bytes, 1)).toBe("too much");
    expect(reader.looked).toBeLessThan(40 * reader.length);
    expect(taken(new RequestReader(), bytes, 512)).toBe("whole");
  });

  it("hears neither more than one may have nor what begins with no mark", () => {
    expect(taken(new RequestReader(), requestOf("x".repeat(largestRequest)), 65_536)).toBe("too much");
    for (const text of ["hello\n", "x".repeat(40), "hookwarden-x-1\n", "\n"])
      expect(taken(new RequestReader(), Buffer.from(text), 5)).toBe("none");
    expect(taken(new RequestReader(), Buffer.from(mark), 5)).toBe("more");
  });

  it("guesses the session by a look at the beginning of the payload", () => {
    const at = (payload: string) => likelySession(Buffer.from(payload), 0);
    expect(at('{"session_id":"s1"}')).toBe("s1");
    expect(at('{"x":1, "sessionId" : "s2"}')).toBe("s2");
    expect(at('{"trajectory_id":"t"}')).toBe("t");
    expect(at(`{"x":"${"y".repeat(100_000)}","session_id":"s1"}`)).toBe("");
  });
});

describe("frames", () => {
  const all = Buffer.concat([
    ...frameBytes("begun", 1),
    ...frameBytes("answer", 2, Buffer.from("x".repeat(70_000))),
    ...frameBytes("free", 3),
    ...frameBytes("answer", 4_294_967_295, Buffer.from("é")),
  ]);

  it.each([1, 8, 9, 10, 1_000, 100_000])("come whole out of pieces of %i bytes", (size) => {
    const reader = new FrameReader();
    const frames: Frame[] = [];
    for (let at = 0; at < all.length; at += size) frames.push(...reader.take(Buffer.from(all.subarray(at, at + size))));
    expect(frames.map(({ kind, call, body }) => [kind, call, body.length])).toEqual([
      ["begun", 1, 0],
      ["answer", 2, 70_000],
      ["free", 3, 0],
      ["answer", 4_294_967_295, 2],
    ]);
  });

  it("are refused where they are none", () => {
    expect(() => new FrameReader().take(Buffer.from("what is this?"))).toThrow("no frame");
    expect(() => new FrameReader().take(Buffer.from([0, 0, 0, 0, 99, 0, 0, 0, 0]))).toThrow("no frame");
  });
});
