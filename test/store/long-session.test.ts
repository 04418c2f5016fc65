import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionData } from "../../engine/session/session.ts";
import { sessionFiles } from "../../store/segments.ts";
import { snapshotAfter, worthSaving } from "../../store/session-memory.ts";
import { withSession } from "../../store/session-store.ts";
import { body } from "../engine/session/bodies.ts";
import { usual } from "./session-options.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-session-")), "state");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** One event of one process. */
function call(n: number) {
  const one = body({ at: n }, { session: "s", id: `call-${n}`, event_digest: `sha256:${"0".repeat(64)}` });
  const work = ({ state, store }: Parameters<Parameters<typeof withSession<number>>[2]>[0]): number => {
    const { seq } = store.append(one, 0);
    state.fold(one);
    return seq;
  };
  return withSession(folder, "s", work, usual);
}

function data(): SessionData | undefined {
  const found = withSession(folder, "s", ({ state }) => state.data("s"), usual);
  return found.ok ? found.value : undefined;
}

describe("the snapshot of a long session", () => {
  it("is replaced now and then by processes of one event, each of which reads what came since", () => {
    for (let n = 1; n <= 300; n++) expect(call(n)).toEqual({ ok: true, value: n });
    const { snapshot } = sessionFiles(folder, "s");
    const replaced: number[] = [];
    for (let n = 301, before = statSync(snapshot).ino; n <= 340; n++) {
      call(n);
      const { ino } = statSync(snapshot);
      if (ino !== before) replaced.push(n);
      before = ino;
      const { calls } = data() as SessionData;
      expect([calls.length, calls.at(-1)?.time]).toEqual([n, n]);
    }
    expect(replaced.length).toBeGreaterThan(5);
    expect(replaced.length).toBeLessThan(20);
    const kept = data();
    rmSync(snapshot);
    expect(data()).toEqual(kept);
  });

  it("is replaced the less often the longer it takes", () => {
    const sizes = [0, 1, 4_096, 16_384, 102_400, 1_048_576, 1e9];
    expect(sizes.map(worthSaving)).toEqual([1, 1, 1, 2, 5, 16, snapshotAfter]);
  });
});
