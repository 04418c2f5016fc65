import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { onEnding } from "./endings.ts";
import type { Io } from "./io.ts";
import { count } from "./report/pretty.ts";

/** Time without changes before a run, in milliseconds: editors write a file in several steps. */
const settles = 150;

/** Result of one run, and the files that another run depends on. */
export interface WatchedRun {
  readonly code: number;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/**
 * Runs once, and again whenever one of the files changes, until the process is told to end (interrupt, termination, or its
 * terminal goes away). Returns the code of the last run. It watches folders, since editors replace a file by a new one.
 */
export async function watchFiles(io: Pick<Io, "err">, run: () => Promise<WatchedRun>): Promise<number> {
  const changes = new FolderChanges();
  const stop = new AbortController();
  const unheard = onEnding(() => stop.abort());
  try {
    for (;;) {
      const { code, files } = await run();
      changes.follow(files);
      if (stop.signal.aborted) return code;
      io.err(`watching ${count(files.length, "file")}; interrupt to end\n`);
      await changes.next(stop.signal);
      if (stop.signal.aborted) return code;
      io.err("\n");
    }
  } finally {
    changes.close();
    unheard();
  }
}

/** Changes of YAML files in the folders of some files. */
class FolderChanges {
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = false;
  #wake: () => void = () => {};

  /** Watches the folders of these files, and no others. */
  follow(files: readonly string[]): void {
    const folders = new Set(files.map(dirname));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#add(folder);
  }

  /** Settles when something has changed since the last call and is quiet again, or when `signal` is aborted. */
  async next(signal: AbortSignal): Promise<void> {
    await this.#waited(signal);
    while (this.#changed && !signal.aborted) {
      this.#changed = false;
      await new Promise<void>((done) => setTimeout(done, settles));
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #waited(signal: AbortSignal): Promise<void> {
    if (this.#changed) return Promise.resolve();
    return new Promise((done) => {
      this.#wake = done;
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name !== null && !isPolicyText(name)) return;
        this.#changed = true;
        this.#wake();
      });
      // A watched folder may go away: the next run reports it as missing.
      watcher.on("error", () => {
        this.#watchers.delete(folder);
        this.#changed = true;
        this.#wake();
      });
      this.#watchers.set(folder, watcher);
    } catch {
      // A folder that cannot be watched is read again with every other change.
    }
  }
}

function isPolicyText(name: string): boolean {
  return /\.ya?ml$/.test(name) && !basename(name).startsWith(".");
}
