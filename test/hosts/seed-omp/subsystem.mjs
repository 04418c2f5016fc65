import { calls } from "./subsystem-calls.mjs";
import { loading } from "./subsystem-loading.mjs";
import { screen } from "./subsystem-screen.mjs";

/*
 * Runs on bun, with the folder of the real omp package as its argument and a scratch folder as its working folder. It asks
 * the package's own hook subsystem (loader, runner, wrapper, exports), and prints what it saw as one line of JSON.
 */

const seen = {};
for (const [name, run] of Object.entries({ ...loading, ...calls, ...screen })) {
  try {
    seen[name] = await run();
  } catch (fault) {
    seen[name] = { broke: fault?.stack ?? String(fault) };
  }
}
console.log(`SEEN ${JSON.stringify(seen)}`);
process.exit(0);
