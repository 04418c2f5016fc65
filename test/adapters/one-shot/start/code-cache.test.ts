import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cachedCode, keepCode } from "../../../../adapters/one-shot/start/code-cache.ts";

let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-code-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const code = Buffer.from("code ".repeat(100));
const folder = () => join(state, "code");
const seal = (tag = "a") => join(folder(), `${tag}.seal`);
const files = () => readdirSync(folder()).filter((name) => name.endsWith(".code"));
const file = () => join(folder(), files()[0] as string);

describe("kept code", () => {
  it("is given back whole, to its program alone", () => {
    expect(cachedCode({ state, tag: "a" })).toBeUndefined();
    keepCode({ state, tag: "a" }, code, 3);
    expect(cachedCode({ state, tag: "a" })).toEqual({ bytes: code, generation: 3 });
    expect(cachedCode({ state, tag: "b" })).toBeUndefined();
    expect([statSync(folder()).mode & 0o777, statSync(file()).mode & 0o777, statSync(seal()).mode & 0o777]).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });

  it("is read into the memory that its reader gives, if it has room", () => {
    keepCode({ state, tag: "a" }, code, 1);
    const [large, small] = [Buffer.alloc(code.length + 8, "x"), Buffer.alloc(code.length - 1, "x")];
    const read = [large, small].map((memory) => cachedCode({ state, tag: "a" }, memory)?.bytes);
    expect(read).toEqual([code, code]);
    expect(read.map((bytes, i) => bytes?.buffer === [large, small][i]?.buffer)).toEqual([true, false]);
    expect([large.toString("latin1", code.length), small.includes("code")]).toEqual(["x".repeat(8), false]);
  });

  it.each<[string, () => void]>([
    [
      "a byte is another, and its times are put back",
      () => {
        const { atime, mtime } = statSync(file());
        const bytes = readFileSync(file());
        bytes[7] = 0;
        writeFileSync(file(), bytes);
        utimesSync(file(), atime, mtime);
      },
    ],
    ["it is longer", () => appendFileSync(file(), "x")],
    ["it is shorter", () => writeFileSync(file(), code.subarray(1))],
    [
      "the same bytes stand in another file",
      () => {
        copyFileSync(file(), join(folder(), "copy"));
        renameSync(join(folder(), "copy"), file());
      },
    ],
    [
      "it is a link",
      () => {
        const path = file();
        renameSync(path, join(folder(), "moved"));
        symlinkSync(join(folder(), "moved"), path);
      },
    ],
    ["others may write it", () => chmodSync(file(), 0o622)],
    ["it is gone", () => rmSync(file())],
    ["the seal is of another key", () => rmSync(join(state, "keys/install.key"))],
    [
      "the seal says another generation",
      () => {
        writeFileSync(seal(), readFileSync(seal(), "utf8").replace('"generation":3', '"generation":1'));
      },
    ],
    [
      "the seal says another program",
      () => {
        writeFileSync(seal("b"), readFileSync(seal(), "utf8").replace('"tag":"a"', '"tag":"b"'));
        rmSync(seal());
      },
    ],
    [
      "the seal names a file elsewhere",
      () => {
        const name = files()[0] as string;
        writeFileSync(seal(), readFileSync(seal(), "utf8").replace(name, `../code/${name}`));
      },
    ],
    ["the seal is no JSON", () => writeFileSync(seal(), "{")],
    ["the seal is cut", () => writeFileSync(seal(), readFileSync(seal()).subarray(0, 40))],
  ])("is not there where %s", (_, change) => {
    keepCode({ state, tag: "a" }, code, 3);
    expect(cachedCode({ state, tag: "a" })).toBeDefined();
    change();
    expect(cachedCode({ state, tag: "a" })).toBeUndefined();
    expect(cachedCode({ state, tag: "b" })).toBeUndefined();
  });

  it("is replaced, and what stood there before is removed", () => {
    keepCode({ state, tag: "a" }, code, 1);
    const before = file();
    keepCode({ state, tag: "a" }, Buffer.from("newer"), 2);
    expect(cachedCode({ state, tag: "a" })).toEqual({ bytes: Buffer.from("newer"), generation: 2 });
    keepCode({ state, tag: "a" }, code, 3);
    expect(existsSync(before)).toBe(false);
    expect(files().length).toBeLessThanOrEqual(2);
  });

  it("is kept of a few programs, those of the last ones", () => {
    for (let i = 0; i < 20; i++) {
      keepCode({ state, tag: `t${i}` }, code, 1);
      utimesSync(seal(`t${i}`), 1_000 + i, 1_000 + i);
    }
    const kept = readdirSync(folder()).filter((name) => name.endsWith(".seal"));
    expect(kept.length).toBeLessThanOrEqual(13);
    expect(cachedCode({ state, tag: "t19" })).toBeDefined();
  });

  it("is not kept where that cannot be, without a fault", () => {
    writeFileSync(folder(), "a file where the folder would be");
    keepCode({ state, tag: "a" }, code, 1);
    expect(cachedCode({ state, tag: "a" })).toBeUndefined();
  });
});
