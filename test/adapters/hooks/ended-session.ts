import { SessionChanges } from "../../../adapters/hooks/session-changes.ts";
import { on, runnerOf } from "./modules.ts";

// A process with a session whose module keeps its state at the end, some turns of the event loop later.
const keeps = on("session_shutdown", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.stdout.write("saved\n");
});
new SessionChanges(runnerOf("pi", [keeps]).runner).endOn();
setInterval(() => undefined, 60_000);
process.stdout.write("ready\n");
