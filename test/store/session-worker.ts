import { existsSync, readFileSync, writeSync } from "node:fs";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { withSession } from "../../store/session-store.ts";

/**
 * One process of the tests of shared sessions: judges calls of one session, each as a one-shot hook would, and says each
 * answer once it is acknowledged: `<event> <outcome or code> <seq>`. It waits for the file `go` first, so that all start
 * at once. Arguments: folder, file of the plan, session, name, number of calls, tool.
 */
const [folder = "", planFile = "", session = "", name = "", calls = "", tool = "read"] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(planFile, "utf8")) as Plan;
const pause = new Int32Array(new SharedArrayBuffer(4));

writeSync(1, "ready\n");
while (!existsSync(`${planFile}.go`)) Atomics.wait(pause, 0, 0, 2);
for (let i = 0; i < Number(calls); i++) {
  const event = { event: "tool_call", id: `${name}-${i}`, tool, args: { path: "a" }, session: { id: session } };
  const result = withSession(
    folder,
    session,
    ({ state, store }) => createEngine(plan, { state, store }).decide({ ...event, time: "2026-11-21T20:00:00Z" }),
    { plan, key: "key of a test", patience: 30_000, durability: "relaxed" },
  );
  const said = result.ok ? `${result.value.decision.outcome} ${result.value.seal?.seq}` : result.error.message;
  writeSync(1, `${event.id} ${said}\n`);
}
