import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseVerifierKey } from "../../engine/audit/note.ts";
import { sha256 } from "../../engine/canonical.ts";
import { rotateAuditKeys } from "../../store/audit-keys.ts";
import { type VerifyOptions, verifyAudit } from "../../store/audit-verify.ts";
import { Checkpointer } from "../../store/checkpoints.ts";
import { began, linesIn, MadeSession, makeTrail, recordBody } from "../audit/trail.ts";

let root: string;
let state: string;
let copy: string;
let keys: NonNullable<VerifyOptions["keys"]>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-verify-"));
  state = join(root, "state");
  copy = join(root, "copy.jsonl");
  const key = parseVerifierKey(makeTrail(state, copy));
  keys = new Map(key ? [[1, key]] : []);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folderOf = (session: string) => sha256(session).slice("sha256:".length);
const segment = (session: string, number = 1) => join(state, "audit", folderOf(session), `00000${number}.jsonl`);
const log = () => join(state, "audit", "checkpoints.jsonl");
const verify = (options: VerifyOptions = { keys, copy }) => verifyAudit(join(state, "audit"), root, options);
const put = (path: string, lines: readonly string[]) => writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
const bad = async (options?: VerifyOptions) => {
  const { status, files } = await verify(options);
  return { status, bad: files.filter((f) => f.status !== "intact").map((f) => `${basename(f.file)}: ${f.why}`) };
};

describe("verifyAudit of a whole folder", () => {
  it("finds it intact, and nothing unseen with a key and a copy from elsewhere", async () => {
    expect(await verify()).toMatchObject({ status: "intact", checkpoints: 4, records: 9, unseen: [] });
  });

  it("says what could not be seen without them", async () => {
    expect((await verify({})).unseen).toEqual([
      "forged checkpoints, if the keys beside the trail were replaced (no `--key`)",
      "a rollback of the whole folder (no `--checkpoints` from elsewhere)",
    ]);
  });

  it("says how many records stand after the last checkpoint", async () => {
    new MadeSession(state, "three").add(4);
    expect((await verify()).unseen).toEqual([
      "removal of the last records of sessions (5 stand after the last checkpoint)",
    ]);
  });

  it("reads compressed segments, and names one that cannot be unpacked", async () => {
    const packed = gzipSync(readFileSync(segment("one")));
    writeFileSync(`${segment("one")}.gz`, packed);
    rmSync(segment("one"));
    expect((await verify()).status).toBe("intact");
    writeFileSync(`${segment("one")}.gz`, packed.subarray(0, -12));
    expect(await bad()).toEqual({ status: "altered", bad: ["000001.jsonl.gz: it cannot be unpacked"] });
  });

  it("is incomplete for a last line that was not finished, and altered where segments follow it", async () => {
    const unfinished = (path: string) => writeFileSync(path, `${readFileSync(path, "utf8")}{"body":`);
    unfinished(segment("two"));
    expect((await verify()).status).toBe("incomplete");
    unfinished(segment("one"));
    expect((await verify()).status).toBe("altered");
  });

  it("is altered when the last line was unfinished among records that a checkpoint covers", async () => {
    writeFileSync(segment("two"), readFileSync(segment("two"), "utf8").slice(0, -1));
    expect(await bad()).toMatchObject({ status: "altered" });
  });

  it.each<[string, () => void, RegExp]>([
    ["a segment that was removed", () => rmSync(segment("one")), /^000001\.jsonl: the segment is missing/],
    ["the last segment", () => rmSync(segment("one", 2)), /^000002\.jsonl: the segment is missing/],
    [
      "a whole session that was removed",
      () => rmSync(join(state, "audit", folderOf("two")), { recursive: true }),
      /^000001\.jsonl: the segment is missing, though checkpoints cover it/,
    ],
    [
      "records that were cut off at the end",
      () => put(segment("two"), linesIn(segment("two")).slice(0, 1)),
      /^000001\.jsonl: it ends after 1 of the 3 records/,
    ],
    [
      "a session in the place of another",
      () => cpSync(segment("one"), segment("two")),
      /^000001\.jsonl: it is a record of another session/,
    ],
    ["the log of checkpoints", () => rmSync(log()), /^checkpoints\.jsonl: it is missing, though there are keys/],
    [
      "newest checkpoints that were removed",
      () => put(log(), linesIn(log()).slice(0, -1)),
      /^copy\.jsonl: record 4 is missing/,
    ],
    ["an empty copy", () => put(copy, []), /^copy\.jsonl: it holds no checkpoint/],
  ])("sees %s", async (_name, damage, message) => {
    damage();
    const found = await bad();
    expect(found.status).not.toBe("intact");
    expect(found.bad).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
  });

  it("sees a trail that was rolled back as a whole, keys and log with it, only with the copy", async () => {
    const older = join(root, "older");
    cpSync(state, older, { recursive: true });
    new MadeSession(state, "three", { copyTo: copy }).add(1).checkpoint();
    rmSync(state, { recursive: true });
    cpSync(older, state, { recursive: true });
    expect((await verify({ keys })).status).toBe("intact");
    expect(await bad()).toMatchObject({
      status: "altered",
      bad: expect.arrayContaining([expect.stringMatching(/^copy\.jsonl: record 5 is missing/)]),
    });
  });

  it("sees a trail that was written anew with other keys, with the key or with the copy", async () => {
    rmSync(state, { recursive: true });
    makeTrail(state, join(root, "other-copy.jsonl"));
    expect((await verify({})).status).toBe("intact");
    expect((await verify({ keys })).status).toBe("altered");
    expect((await verify({ copy })).status).toBe("altered");
  });

  it("checks one session by its folder, and a file by itself", async () => {
    const session = await verifyAudit(join(state, "audit", folderOf("one")), root, { keys });
    expect(session).toMatchObject({ status: "intact", checkpoints: 4 });
    const file = await verifyAudit(segment("one", 2), root, {});
    expect(file).toMatchObject({ status: "intact", records: 2 });
    expect(file.unseen).toContain("the segments before it");
  });

  it("compares the head of the log of checkpoints with `--head`", async () => {
    const { head } = await verify();
    expect((await verify({ keys, head: head ?? "" })).status).toBe("intact");
    expect((await verify({ keys, head: sha256("other") })).status).toBe("altered");
  });

  it("cannot check what is not there, or is empty", async () => {
    expect(await verifyAudit("nowhere", root, {})).toMatchObject({
      status: "unchecked",
      files: [{ why: "it does not exist" }],
    });
    expect(await verifyAudit(root, root, {})).toMatchObject({ status: "unchecked" });
  });
});

describe("verifyAudit over rotated keys", () => {
  beforeEach(() => {
    rotateAuditKeys(state, began);
    new MadeSession(state, "three", { copyTo: copy }).add(1).checkpoint();
    rotateAuditKeys(state, began);
    new Checkpointer(join(state, "audit"), state, { copyTo: copy }).begin(began);
    new MadeSession(state, "four", { copyTo: copy }).add(1).checkpoint();
  });

  it("follows the keys from the first one", async () => {
    expect(await verify()).toMatchObject({ status: "intact", checkpoints: 6, unseen: [] });
  });

  it("knows later keys from the rotations, without the files beside the trail", async () => {
    rmSync(join(state, "keys"), { recursive: true });
    expect(await verify()).toMatchObject({ status: "intact", unseen: [] });
  });

  it("says which checkpoints it could not check when it knows only a later key", async () => {
    const newest = parseVerifierKey(readFileSync(join(state, "keys", "audit-3.pub"), "utf8").trim());
    rmSync(join(state, "keys"), { recursive: true });
    const { status, unseen } = await verify({ keys: new Map(newest ? [[3, newest]] : []), copy });
    expect([status, unseen]).toEqual(["intact", ["forgery of 7 checkpoints of an unknown key"]]);
  });

  it("has erased the older private keys", () => {
    const names = readdirSync(join(state, "keys")).filter((name) => name.endsWith(".key"));
    expect(names.sort()).toEqual(["audit-3.key", "install.key"]);
  });

  it("sees a rotation that was taken out", async () => {
    put(
      log(),
      linesIn(log()).filter((line) => !line.includes('"event":"rotation"')),
    );
    expect(await verify({ keys })).toMatchObject({ status: "altered" });
  });
});

describe("verifyAudit and records", () => {
  it("names the first bad record with file, line and number", async () => {
    const lines = linesIn(segment("one"));
    lines[2] = (lines[2] ?? "").replace("because", "perhaps");
    put(segment("one"), lines);
    const { files } = await verify();
    expect(files.find((f) => f.status === "altered")).toMatchObject({
      file: segment("one"),
      line: 3,
      seq: 2,
      records: 2,
      why: "its content does not match its hash",
    });
  });

  it("sees a record of another session that was chained in properly", async () => {
    new MadeSession(state, "three").write(recordBody("two", "x"));
    expect(await bad()).toEqual({ status: "altered", bad: ["000001.jsonl: it is a record of another session"] });
  });

  it("sees a history that was written anew under the same keys' checkpoints", async () => {
    rmSync(join(state, "audit", folderOf("two")), { recursive: true });
    new MadeSession(state, "two").write(recordBody("two", "e1", { outcome: "allow" })).add(1);
    expect(await bad()).toEqual({
      status: "altered",
      bad: [expect.stringMatching(/^000001\.jsonl: the segment up to here is not what the checkpoint of/)],
    });
  });
});
