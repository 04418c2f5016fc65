import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Line, LineSplitter, linesOf, linesOfFile } from "../../store/lines.ts";
import { execFileSync } from "../bounded-process.ts";

const folder = mkdtempSync(join(tmpdir(), "hookwarden-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (lines: readonly Line[]): (string | undefined)[] =>
  lines.map(({ bytes }) => bytes && Buffer.from(bytes).toString());

function split(chunks: readonly Uint8Array[], maxBytes: number): Line[] {
  const splitter = new LineSplitter(maxBytes);
  return [...chunks.flatMap((chunk) => [...splitter.push(chunk)]), ...splitter.end()];
}

describe("LineSplitter", () => {
  it.each([
    ["", []],
    ["a\nb\n", ["a", "b"]],
    ["a\nb", ["a", "b"]],
    ["\n\na", ["", "", "a"]],
    ["a\r\nb\n", ["a\r", "b"]],
  ])("splits %j", (given, wanted) => {
    expect(text(split([Buffer.from(given)], 10))).toEqual(wanted);
  });

  it("says whether the last line was finished, and numbers lines from 1", () => {
    expect(split([Buffer.from("a\nb")], 10).map(({ number, complete }) => [number, complete])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it("gives no bytes for a line over the bound, and goes on behind it", () => {
    const lines = split([Buffer.from("123"), Buffer.from("456"), Buffer.from("789\nnext\n12345\n123456")], 5);
    expect(text(lines)).toEqual([undefined, "next", "12345", undefined]);
    expect(lines.at(-1)?.complete).toBe(false);
  });

  it("does not depend on how the bytes arrive", () => {
    const bytes = fc.array(fc.constantFrom(10, 97, 98), { maxLength: 40 });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(7), { maxLength: 30 }), (given, sizes) => {
        const whole = Uint8Array.from(given);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        chunks.push(whole.subarray(at));
        expect(split(chunks, 4)).toEqual(split([whole], 4));
      }),
      { numRuns: 200 },
    );
  });
});

describe("linesOf and linesOfFile", () => {
  it("read the same lines from a stream and a file larger than one chunk", async () => {
    const path = join(folder, "many.txt");
    const content = Array.from({ length: 30_000 }, (_, i) => `line ${i}\n`).join("");
    writeFileSync(path, content);
    const fromFile = text([...linesOfFile(path, 100)]);
    const fromStream: Line[] = [];
    for await (const line of linesOf(chunked(Buffer.from(content)), 100)) fromStream.push(line);
    expect(fromFile).toEqual(content.split("\n").slice(0, -1));
    expect(text(fromStream)).toEqual(fromFile);
  });

  it("refuse what is no regular file, without waiting on a pipe", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(() => [...linesOfFile(pipe, 10)]).toThrow(/not a regular file/);
    expect(() => [...linesOfFile(folder, 10)]).toThrow();
  });
});

async function* chunked(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7_777) yield bytes.subarray(at, at + 7_777);
}
