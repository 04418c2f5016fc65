import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { cachePlan, claimPlan } from "../../store/plan-cache.ts";

/**
 * Another process of the test of plans on disk, as a thread: claims the plan of a key, and after a while keeps one under it
 * and ends the claim.
 */
const { state, key, plan } = workerData as { state: string; key: string; plan: string };
const end = claimPlan(state, key, 0);
parentPort?.postMessage("claimed");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
cachePlan(state, key, { plan: JSON.parse(readFileSync(plan, "utf8")) }, []);
end();
