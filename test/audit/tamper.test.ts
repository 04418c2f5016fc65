import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseVerifierKey } from "../../engine/audit/note.ts";
import { verifyAudit } from "../../store/audit-verify.ts";
import { damages } from "./damages.ts";
import { type Place, Places, segmentOf } from "./places.ts";
import { linesIn, MadeSession, recordBody } from "./trail.ts";

const places = new Places();

function verify({ audit, copy, key }: Place) {
  const known = parseVerifierKey(key);
  return verifyAudit(audit, "/", { keys: new Map(known ? [[1, known]] : []), copy });
}

describe("a checkpointed trail, checked with its key and the copy from elsewhere", () => {
  it("is intact as it was written", async () => {
    expect(await verify(places.make())).toMatchObject({ status: "intact", unseen: [] });
  });

  it.each(damages.map((d) => [d.name, d] as const))("%s", async (_name, damage) => {
    const place = places.make();
    damage.apply(place);
    expect((await verify(place)).status).toBe(damage.status);
  });
});

/** What an attacker would like to put into a record through its texts: the end of this line, and a line of his own. */
const forged = [
  '\n{"body":{},"seal":{}}\n',
  '\r\n{"body":{}}',
  '"},"seal":{"hash":"sha256:00","seq":0}}\n',
  "\u2028{}\u2029{}\u0085{}",
  "\u0000\u0001\u001f\u007f\ud800\udc00\ud800",
  "\\n\\u000a",
];

/** The fields of a record that hold text, with where they are set. */
const textFields = [
  "event",
  "id",
  "time",
  "host",
  "agent",
  "tool",
  "call_id",
  "event_digest",
  "rule",
  "reason",
] as const;
const furtherFields = ["policy_digest", "engine", "note"] as const;

describe("a forged line break", () => {
  it.each([...textFields, ...furtherFields])("in `%s` stays inside its line", async (field) => {
    const place = places.make();
    const session = new MadeSession(place.state, "three", { copyTo: place.copy });
    for (const text of forged) session.write(recordBody("three", "e", { [field]: text }));
    session.checkpoint();
    expect(linesIn(segmentOf(place, "three"))).toHaveLength(forged.length + 1);
    expect((await verify(place)).status).toBe("intact");
  });

  it("in keys and values of what was observed, in labels and rules", async () => {
    const place = places.make();
    const session = new MadeSession(place.state, "three", { copyTo: place.copy });
    for (const text of forged)
      session.write(
        recordBody("three", "e", {
          observations: { [text]: { [text]: [text] } },
          state: { at: 1, labels: [text] },
          tables: { [text]: text },
          view: { [text]: text },
        }),
      );
    session.checkpoint();
    expect(readFileSync(segmentOf(place, "three"), "utf8").split("\n")).toHaveLength(forged.length + 2);
    expect((await verify(place)).status).toBe("intact");
  });

  it("in the id of a session reaches no checkpoint", async () => {
    const place = places.make();
    new MadeSession(place.state, `x\n9\n${"A".repeat(43)}=`, { copyTo: place.copy }).add(1).checkpoint();
    expect((await verify(place)).status).toBe("intact");
  });

  it("in the name of a folder makes no checkpoint at all", () => {
    const place = places.make();
    const session = new MadeSession(place.state, "three");
    Object.defineProperty(session, "folder", { value: "x\n9" });
    expect(() => session.checkpoint()).toThrow("no checkpoint can state");
  });
});
