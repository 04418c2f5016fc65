import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

async function trail(): Promise<string> {
  scratch.put("p.yaml", demoPolicy);
  await run(["eval", "--policy", "p.yaml", "--audit", "a.jsonl"], {
    cwd: scratch.path,
    stdin: call("a") + call("touch FORBIDDEN") + call("c"),
  });
  return `${scratch.path}/a.jsonl`;
}

const verify = (...args: string[]) => run(["audit", "verify", ...args], { cwd: scratch.path });

describe("audit verify", () => {
  it("is 0 for an intact trail", async () => {
    await trail();
    expect(await verify("a.jsonl")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(
        /^a\.jsonl: intact, 3 records, head sha256:[0-9a-f]{64}\n {2}not seen: records cut off.*\n$/,
      ),
    });
  });

  it("is 1 for an altered record, which it names", async () => {
    const text = readFileSync(await trail(), "utf8");
    scratch.put("a.jsonl", text.replace("the file is forbidden", "the file is permitted"));
    const ran = await verify("a.jsonl");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("altered: line 2 (record 1): its content does not match its hash");
  });

  it("is 2 for an unfinished last line", async () => {
    appendFileSync(await trail(), '{"body":');
    expect(await verify("a.jsonl")).toMatchObject({ code: 2, out: expect.stringContaining("incomplete tail: line 4") });
  });

  it.each(["nowhere.jsonl", "empty.jsonl", "empty"])("is 3 for %s", async (file) => {
    scratch.put("empty.jsonl", "");
    scratch.put("empty/other.txt", "x");
    expect(await verify(file)).toMatchObject({ code: 3, out: expect.stringContaining("error[HW704]: ") });
  });

  it("is 1 for a text that is no audit trail", async () => {
    scratch.put("text.txt", "hello\n");
    expect(await verify("text.txt")).toMatchObject({ code: 1 });
  });

  it("compares the head with one known from elsewhere, so that a cut-off end shows", async () => {
    const path = await trail();
    const head = /sha256:[0-9a-f]{64}/.exec((await verify("a.jsonl")).out)?.[0] as string;
    expect((await verify("a.jsonl", "--head", head)).code).toBe(0);
    scratch.put("a.jsonl", `${readFileSync(path, "utf8").split("\n").slice(0, 2).join("\n")}\n`);
    expect((await verify("a.jsonl")).code).toBe(0);
    expect(await verify("a.jsonl", "--head", head)).toMatchObject({ code: 1, out: expect.stringContaining("removed") });
  });

  it("reports several files; the worst counts; JSON is one object", async () => {
    await trail();
    const ran = await verify("a.jsonl", "nowhere.jsonl", "--format", "json");
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.out)).toMatchObject({
      files: [
        { file: "a.jsonl", status: "intact", records: 3 },
        { file: "nowhere.jsonl", status: "unchecked" },
      ],
    });
  });
});
