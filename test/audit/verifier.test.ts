import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseVerifierKey } from "../../engine/audit/note.ts";
import { verifyAudit } from "../../store/audit-verify.ts";
import { spawnSync } from "../bounded-process.ts";
import { damages } from "./damages.ts";
import { independentVerdict } from "./independent.ts";
import { type Place, Places } from "./places.ts";

const verifier = join(import.meta.dirname, "..", "..", "docs", "audit-verifier", "verify.mjs");
const places = new Places();

/** What both verifiers say of a place. */
async function verdicts({ audit, copy, key }: Place) {
  const known = parseVerifierKey(key);
  const { status } = await verifyAudit(audit, "/", { keys: new Map(known ? [[1, known]] : []), copy });
  return [status, await independentVerdict(audit, [key], copy)];
}

describe("the independent verifier", () => {
  it("has at most 210 lines and none of our code", () => {
    const text = readFileSync(verifier, "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(210);
    expect([...text.matchAll(/from "([^"]+)"/g)].map((m) => m[1]?.slice(0, 5))).toEqual(Array(5).fill("node:"));
  });

  it("agrees on an intact folder, before and after a rotation of keys", async () => {
    expect(await verdicts(places.make())).toEqual(["intact", "intact"]);
    expect(await verdicts(places.make({ rotated: true }))).toEqual(["intact", "intact"]);
  });

  it.each(damages.map((d) => [d.name, d] as const))("agrees on %s", async (_name, damage) => {
    const place = places.make();
    damage.apply(place);
    const [ours, theirs] = await verdicts(place);
    expect(ours).toBe(damage.status);
    expect(theirs).toBe(ours);
  });

  it.each([
    ["no folder", () => [], "cannot check: node verify.mjs <folder>"],
    ["a file in place of a folder", () => [verifier], "there is no record"],
    ["a folder that is not there", () => [join(places.make().audit, "none")], "there is no record"],
    [
      "a key that is none",
      () => [places.make().audit, "--key", "mine"],
      "cannot check: a given key is not a verifier key",
    ],
    ["checkpoints that are not there", () => [places.make().audit, "--checkpoints", "none"], "the log holds others"],
  ])("says of %s that it cannot check, and exits with 3", (_name, args, said) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, ...args()], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 3, stderr: "" });
    expect(stdout).toContain(said);
  });
});
