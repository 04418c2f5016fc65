import { appendFileSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyAudit } from "../../store/audit-verify.ts";
import { openSegments, segmentPath, sessionFiles } from "../../store/segments.ts";
import { recoveredLine } from "../../store/torn-lines.ts";
import { body } from "../engine/session/bodies.ts";

let root: string;
let torn: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-torn-"));
  write("a");
  const path = segmentPath(sessionFiles(join(root, "audit"), "s").segments, 1);
  torn = `${path}.torn-1`;
  appendFileSync(path, '{"body":{"v":1');
  write("b");
});
afterEach(() => rmSync(root, { recursive: true }));

/** One process that records an event. */
function write(id: string): void {
  const trail = openSegments(join(root, "audit"), "s", { durability: "relaxed" });
  trail.append(body({}, { id, session: "s" }), 3);
  trail.close();
}

const verify = () => verifyAudit(join(root, "audit"), root, {});
const altered = async () =>
  (await verify()).files.filter(({ status }) => status === "altered").map(({ file, why }) => [file, why]);

describe("unfinished lines that were moved aside", () => {
  it("are what their records say of them", async () => {
    expect(await verify()).toMatchObject({ status: "intact", records: 4 });
  });

  it.each([
    ["of another size", '{"body":{"v":1,'],
    ["of the same size", '{"body":{"v":2'],
  ])("are found changed to text %s", async (_, text) => {
    writeFileSync(torn, text);
    expect(await altered()).toEqual([[torn, "it is not the unfinished line that a record speaks of"]]);
  });

  it("are found missing", async () => {
    unlinkSync(torn);
    expect(await altered()).toEqual([[torn, "it is missing, though a record speaks of it"]]);
  });

  it("are named where no record speaks of them, for nobody can check them", async () => {
    writeFileSync(torn.replace(/torn-1$/, "torn-2"), "{");
    const { status, unseen } = await verify();
    expect(status).toBe("intact");
    expect(unseen.filter((text) => text.includes("torn-2"))).toHaveLength(1);
  });

  it("are not taken from text of a record that only looks like such a note", () => {
    const note = JSON.stringify({ body: { event: "tool_call", reason: '"event":"recovered"' } });
    const inside = JSON.stringify({ body: { event: "tool_call", observations: { x: { event: "recovered" } } } });
    expect([note, inside].map((line) => recoveredLine(Buffer.from(line)))).toEqual([undefined, undefined]);
  });
});
