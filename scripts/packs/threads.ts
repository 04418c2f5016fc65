import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { packFile } from "../../store/packs.ts";
import type { PackQuality } from "./measure.ts";

/**
 * Measures packs on so many threads, and tells each one when it is done. What comes out is in the order of the names and
 * the same for any number of threads. A thread that fails fails the run.
 */
export async function measurePacks(
  packs: readonly string[],
  jobs: number,
  done: (quality: PackQuality) => void = () => {},
): Promise<PackQuality[]> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-packs-"));
  try {
    const module = await bundledWorker(folder);
    // The longest first, so that no thread is left with one at the end.
    const waiting = [...packs].sort((a, b) => sizeOf(b) - sizeOf(a));
    const found: PackQuality[] = [];
    const tell = (quality: PackQuality): void => {
      found.push(quality);
      done(quality);
    };
    await Promise.all(Array.from({ length: Math.min(jobs, packs.length) }, () => work(module, waiting, tell)));
    return packs.flatMap((pack) => found.filter((one) => one.pack === pack));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A thread can load no TypeScript, and a bundle judges several times faster than sources that are loaded directly. */
async function bundledWorker(folder: string): Promise<string> {
  const entry = join(import.meta.dirname, "worker.ts");
  const outfile = join(folder, "worker.mjs");
  // The bundle acts as the source file: packs and packages are found from its path.
  const here = JSON.stringify(pathToFileURL(entry).href);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["re2"],
    define: { "import.meta.url": here },
    banner: { js: `import { createRequire as requireOf } from "node:module";\nconst require = requireOf(${here});` },
    logLevel: "warning",
  });
  return outfile;
}

function sizeOf(pack: string): number {
  return statSync(packFile(pack) ?? "", { throwIfNoEntry: false })?.size ?? 0;
}

/** One thread, until nothing waits. */
function work(module: string, waiting: string[], tell: (quality: PackQuality) => void): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(module);
    const next = (): void => {
      const pack = waiting.shift();
      if (pack !== undefined) return worker.postMessage(pack);
      done();
      void worker.terminate();
    };
    worker.on("message", (quality: PackQuality) => {
      tell(quality);
      next();
    });
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`a thread ended with code ${code} before it was done`)));
    next();
  });
}
