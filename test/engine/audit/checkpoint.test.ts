import { describe, expect, it } from "vitest";
import {
  type Checkpoint,
  formatCheckpoint,
  keyName,
  parseCheckpoint,
  parseKeyName,
} from "../../../engine/audit/checkpoint.ts";
import { noteKey } from "../../../engine/audit/note.ts";
import { formatRotation, parseRotation } from "../../../engine/audit/rotation.ts";

const session = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";
const hash = `sha256:${"ab".repeat(32)}`;
const good: Checkpoint = {
  install: "0123456789abcdef",
  session,
  segment: 2,
  size: 20852163,
  root: Buffer.alloc(32, 7),
  seq: 20852200,
  head: hash,
  epoch: 1,
  log: { count: 3, head: hash },
  time: "2026-01-01T00:00:00.000Z",
};
const text = [
  `hookwarden/0123456789abcdef/${session}/000002`,
  "20852163",
  "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
  "seq 20852200",
  `head ${hash}`,
  "epoch 1",
  `log 3 ${hash}`,
  "time 2026-01-01T00:00:00.000Z",
  "",
].join("\n");

describe("checkpoint", () => {
  it("is written byte for byte as a tlog-checkpoint with extension lines", () => {
    expect(formatCheckpoint(good)).toBe(text);
  });

  it("is read back", () => {
    expect(parseCheckpoint(text)).toEqual({ ...good, root: Buffer.from(good.root) });
  });

  it.each<[string, Partial<Checkpoint>]>([
    ["a session that forges a size line", { session: "x\n1" }],
    ["a session that forges an origin", { session: "a/b" }],
    ["a session that climbs", { session: ".." }],
    ["an empty session", { session: "" }],
    ["a carriage return", { session: "a\r" }],
    ["an installation that forges a line", { install: "0123456789abcde\n" }],
    ["a head that forges a line", { head: `${hash}\nepoch 2` }],
    ["a head that is none", { head: "sha256:00" }],
    ["a log that is none", { log: { count: 3, head: "x" } }],
    ["a time that forges a line", { time: "2026-01-01T00:00:00.000Z\nx" }],
    ["a size below 0", { size: -1 }],
    ["a broken size", { size: 1.5 }],
    ["segment 0", { segment: 0 }],
    ["epoch 0", { epoch: 0 }],
    ["a root that is too short", { root: Buffer.alloc(31) }],
  ])("is not written with %s", (_name, change) => {
    expect(formatCheckpoint({ ...good, ...change })).toBeUndefined();
  });

  it.each<[string, (t: string) => string]>([
    ["another product", (t) => t.replace("hookwarden", "hookwardens")],
    ["a number with a leading zero", (t) => t.replace("\n20852163", "\n020852163")],
    ["a number with a sign", (t) => t.replace("\n20852163", "\n+20852163")],
    ["another spelling of the segment", (t) => t.replace("/000002", "/2")],
    ["one more line", (t) => `${t}x\n`],
    ["one line less", (t) => t.replace(/time.*\n/, "")],
    ["lines in another order", (t) => t.replace(/(epoch 1\n)(log.*\n)/, "$2$1")],
    ["a line twice", (t) => t.replace("epoch 1\n", "epoch 1\nepoch 1\n")],
    ["base64 without padding", (t) => t.replace("=\n", "\n")],
    ["base64 with set bits behind its end", (t) => t.replace("wc=\n", "wd=\n")],
    ["no last line break", (t) => t.slice(0, -1)],
  ])("is not read with %s", (_name, change) => {
    expect(change(text)).not.toBe(text);
    expect(parseCheckpoint(change(text))).toBeUndefined();
  });
});

describe("key names", () => {
  it("say the installation and the epoch", () => {
    expect(parseKeyName(keyName("0123456789abcdef", 12))).toEqual({ install: "0123456789abcdef", epoch: 12 });
  });

  it.each([
    "hookwarden/0123456789abcdef/epoch-0",
    "hookwarden/0123456789abcdef/epoch-01",
    "x/0123456789abcdef/epoch-1",
  ])("%s is none", (name) => {
    expect(parseKeyName(name)).toBeUndefined();
  });
});

describe("rotation", () => {
  const key = noteKey(keyName(good.install, 2), Buffer.alloc(32, 9));
  if (!key) throw new Error("no key");
  const rotation = { install: good.install, epoch: 2, key, time: good.time };
  const statement = formatRotation(rotation) ?? "";

  it("is read as it was written", () => {
    expect(statement.split("\n").slice(0, 2)).toEqual([`hookwarden/${good.install}/rotation`, "epoch 2"]);
    expect(parseRotation(statement)).toMatchObject({ install: good.install, epoch: 2, time: good.time });
  });

  it("is not written for a key of another epoch, and none begins the first one", () => {
    expect(formatRotation({ ...rotation, epoch: 3 })).toBeUndefined();
    const first = noteKey(keyName(good.install, 1), Buffer.alloc(32, 9));
    expect(first && formatRotation({ ...rotation, epoch: 1, key: first })).toBeUndefined();
  });

  it.each<[string, (t: string) => string]>([
    ["another epoch", (t) => t.replace("epoch 2", "epoch 3")],
    ["one more line", (t) => `${t}x\n`],
    ["another key", (t) => t.replace("+AQkJ", "+AQkK")],
  ])("is not read with %s", (_name, change) => {
    expect(change(statement)).not.toBe(statement);
    expect(parseRotation(change(statement))).toBeUndefined();
  });
});
