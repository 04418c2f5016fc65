import { existsSync, writeSync } from "node:fs";
import type { Plan } from "../../engine/plan.ts";
import type { AuditBody } from "../../schema/generated.ts";
import type { Durability } from "../../store/durability.ts";
import { openLiveSession } from "../../store/live-session.ts";
import { openSegments } from "../../store/segments.ts";
import { withSession } from "../../store/session-store.ts";
import { body } from "../engine/session/bodies.ts";

/**
 * One process of the tests of shared trails: records events and says each once it is acknowledged, `<id> <seq>`. It waits
 * for the file `go` first, so that all start at once. Arguments: folder, session, name, number of records, how (as a
 * `hook`, one process for each event would; as a `live` session; as a bare `trail`), durability, path of `go`.
 */
const [folder = "", session = "", name = "", count = "", how = "", durability = "", go = ""] = process.argv.slice(2);
const options = {
  plan: { digest: "sha256:plan", policies: [], rules: [] } as unknown as Plan,
  key: "key of a test",
  patience: 60_000,
  durability: durability as Durability,
  segmentBytes: 200_000,
};

function writer(): (one: AuditBody) => number {
  if (how === "trail") {
    const trail = openSegments(folder, session, options);
    return (one) => trail.append(one, 0).seq;
  }
  if (how === "live") {
    const made = openLiveSession(folder, session, options);
    if (!made.ok) throw new Error(made.error.message);
    const { state, store } = made.value;
    return (one) => {
      const { seq } = store.append(one, 0);
      state.fold(one);
      return seq;
    };
  }
  return (one) => {
    const result = withSession(
      folder,
      session,
      ({ state, store }) => {
        const { seq } = store.append(one, 0);
        state.fold(one);
        return seq;
      },
      options,
    );
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  };
}

const pause = new Int32Array(new SharedArrayBuffer(4));
writeSync(1, "ready\n");
while (!existsSync(go)) Atomics.wait(pause, 0, 0, 2);
const write = writer();
for (let i = 0; i < Number(count); i++) {
  const id = `${name}-${i}`;
  // Lines of many lengths, so that a kill meets them at many places.
  const seq = write(body({ labels: [`l${i % 7}`] }, { id, session, reason: "x".repeat((i * 37) % 3_000) }));
  writeSync(1, `${id} ${seq}\n`);
}
