import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../engine/canonical.ts";
import { MadeSession, recordBody } from "../audit/trail.ts";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();
const state = () => join(scratch.path, "hookwarden");
const audit = (...args: string[]) =>
  run(["audit", ...args], {
    cwd: scratch.path,
    env: { XDG_STATE_HOME: scratch.path },
    home: scratch.path,
    answer: "yes",
  });
const keyIn = (out: string) => /^hookwarden\/\S+$/m.exec(out)?.[0] ?? "";
const session = (name = "one") => new MadeSession(state(), name, { copyTo: join(scratch.path, "copy.jsonl") });

describe("audit init", () => {
  it("makes a key that only its owner can read, once, and prints the verifier key", async () => {
    const first = await audit("init");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(statSync(join(state(), "keys", "audit-1.key")).mode & 0o777).toBe(0o600);
    const again = await audit("init");
    expect(again.out).toContain("there is already");
    expect(keyIn(again.out)).toBe(keyIn(first.out));
  });

  it("rotates to the next key and erases the old one", async () => {
    expect(await audit("init", "--rotate")).toMatchObject({ code: 2, err: expect.stringContaining("no audit key") });
    await audit("init");
    const rotated = await audit("init", "--rotate");
    expect(keyIn(rotated.out)).toContain("/epoch-2+");
    expect(readdirSync(join(state(), "keys")).filter((name) => name.endsWith(".key"))).toEqual([
      "audit-2.key",
      "install.key",
    ]);
  });

  it("copies checkpoints to a second file, also those of before", async () => {
    await audit("init");
    session().add(1).checkpoint();
    expect(await audit("init", "--copy-to", "kept/copy.jsonl")).toMatchObject({ code: 0 });
    new MadeSession(state(), "two").add(1).checkpoint();
    const log = readFileSync(join(state(), "audit", "checkpoints.jsonl"), "utf8");
    expect(readFileSync(join(scratch.path, "kept", "copy.jsonl"), "utf8")).toBe(log);
  });

  it("says when the second file cannot be written, and goes on without it", async () => {
    scratch.put("file", "x");
    await audit("init");
    expect(await audit("init", "--copy-to", "file/copy.jsonl")).toMatchObject({ code: 2 });
    expect(await audit("verify")).toMatchObject({ code: 0 });
  });
});

describe("audit verify of the user's own trail", () => {
  it("is 0 with key and copy and has nothing unseen; 1 after damage", async () => {
    const key = keyIn((await audit("init", "--copy-to", "copy.jsonl")).out);
    session().add(3).checkpoint();
    const args = ["verify", "--key", key, "--checkpoints", "copy.jsonl"];
    expect(await audit(...args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: intact, 4 records, 3 files, 1 checkpoint, head sha256:[0-9a-f]{64}\n$/),
    });
    const path = `hookwarden/audit/${sha256("one").slice(7)}/000001.jsonl`;
    scratch.put(path, readFileSync(join(scratch.path, path), "utf8").replace("because", "perhaps"));
    const ran = await audit(...args);
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining("altered: line 1 (record 0): its content") });
    const json = JSON.parse((await audit(...args, "--format", "json")).out);
    expect(json).toMatchObject({ files: [{ status: "altered", bad: [{ line: 1, seq: 0 }] }] });
  });

  it("takes keys from a file, and refuses what is no key", async () => {
    const key = keyIn((await audit("init")).out);
    session().add(1).checkpoint();
    scratch.put("keys.txt", `${key}\n`);
    expect(await audit("verify", "--key", "keys.txt")).toMatchObject({ code: 0 });
    expect(await audit("verify", "--key", "nonsense")).toMatchObject({
      code: 3,
      err: expect.stringContaining("HW704"),
    });
  });
});

describe("audit prove", () => {
  async function proved(...args: string[]): Promise<string> {
    const { out } = await audit("prove", ...args);
    scratch.put("proof.json", out);
    return out;
  }

  it("proves a record, and the proof is checked with the key alone", async () => {
    const key = keyIn((await audit("init")).out);
    session().add(5).checkpoint().add(2).checkpoint();
    for (const record of ["0", "3", "7"]) {
      await proved("hookwarden/audit", "--session", "one", "--record", record);
      const checked = await audit("prove", "--check", "proof.json", "--key", key);
      expect(checked).toMatchObject({
        code: 0,
        out: expect.stringContaining(`holds: record ${record} is among the 8`),
      });
    }
  });

  it("proves that a segment only grew, across a rotation of keys", async () => {
    const key = keyIn((await audit("init")).out);
    const trail = session().add(2).checkpoint();
    await audit("init", "--rotate");
    trail.add(3).checkpoint();
    await proved("hookwarden/audit", "--session", "one", "--segment", "1");
    const checked = await audit("prove", "--check", "proof.json", "--key", key);
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringMatching(/the 3 records of .* are the beginning of the 6/),
    });
  });

  it.each<[string, (proof: string) => string]>([
    ["another record", (proof) => proof.replace("because", "perhaps")],
    ["another place", (proof) => proof.replace(/"index":\d+/, '"index":1')],
    ["a hash less", (proof) => proof.replace(/"proof":\["[^"]+",/, '"proof":[')],
    ["another root", (proof) => proof.replace(/\\n6\\n/, "\\n7\\n")],
    ["no form", () => "{}"],
  ])("does not hold with %s", async (_name, change) => {
    const key = keyIn((await audit("init")).out);
    session().add(5).checkpoint();
    const proof = await proved("hookwarden/audit", "--session", "one", "--record", "3");
    expect(change(proof)).not.toBe(proof);
    scratch.put("proof.json", change(proof));
    expect(await audit("prove", "--check", "proof.json", "--key", key)).toMatchObject({ code: 1 });
  });

  it.each<[string, string[]]>([
    ["a record that no checkpoint covers", ["hookwarden/audit", "--session", "one", "--record", "2"]],
    ["a record that is not there", ["hookwarden/audit", "--session", "one", "--record", "99"]],
    ["a session that is not there", ["hookwarden/audit", "--session", "none", "--record", "0"]],
    ["nothing", []],
    ["a proof without its key", ["--check", "proof.json"]],
  ])("is 3 for %s", async (_name, args) => {
    await audit("init");
    session().add(1).checkpoint().add(1);
    scratch.put("proof.json", (await audit("prove", "hookwarden/audit", "--session", "one", "--record", "1")).out);
    const env = args[0] === "--check" ? { XDG_STATE_HOME: join(scratch.path, "elsewhere") } : undefined;
    const options = { cwd: scratch.path, env: env ?? { XDG_STATE_HOME: scratch.path }, home: scratch.path };
    expect(await run(["audit", "prove", ...args], options)).toMatchObject({ code: 3 });
  });
});

describe("audit prune", () => {
  it("retires an old session, whose going is vouched for by a checkpoint", async () => {
    await audit("init");
    session().write(recordBody("one", "e")).checkpoint();
    expect(await audit("prune", "--older-than", "10")).toMatchObject({ code: 2, err: expect.stringContaining("180") });
    const old = join(state(), "audit", sha256("one").slice(7));
    expect((await audit("prune", "--older-than", "10", "--force-short", "--dry-run")).out).toContain(
      "would retire 1 session",
    );
    expect(existsSync(old)).toBe(true);
    expect((await audit("prune", "--older-than", "10", "--force-short")).out).toContain("retired 1 session; 0 kept");
    expect(existsSync(old)).toBe(false);
    expect(await audit("verify")).toMatchObject({ code: 0 });
  });

  it("compresses closed segments, and the trail still holds", async () => {
    await audit("init");
    session().add(2).checkpoint().rotate().add(1).checkpoint();
    expect((await audit("prune", "--compress")).out).toMatch(/^compressed 1 segment: \d+ bytes are \d+\n$/);
    expect(await audit("verify")).toMatchObject({ code: 0 });
  });
});
