import { parentPort } from "node:worker_threads";
import { measurePack } from "./measure.ts";

/** A thread that measures the packs that it receives, one after another. */
parentPort?.on("message", (pack: string) => parentPort?.postMessage(measurePack(pack)));
