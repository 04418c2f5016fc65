import { readdirSync, readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { buildSync } from "esbuild";

/**
 * Work that is counted, so that no verdict goes by a clock. Code that spends units is measured by `unitsOf` of the work
 * meter. `Counted` counts the executed blocks of all other code, by the precise coverage of V8.
 *
 * V8 counts blocks only in code that it compiles while it counts, and loses calls of code that it optimises. So the code is
 * bundled, compiled anew and kept from the optimiser. The same work then comes to the same number in every run.
 *
 * Native code is one step however long it takes: regular expressions, methods of texts and arrays, `JSON`. `nativeWork` counts
 * that. `test/patterns/` counts how often a regular expression goes back.
 */

const root = join(import.meta.dirname, "..");

/** The part of an answer of the profiler that is looked at. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

let loaded = 0;

/**
 * Modules of this repository whose executed blocks are counted, everything that they import included. One can be in use at a
 * time; `end` gives the process its optimiser back.
 */
export class Counted<Modules> {
  /** What the modules export, in a copy of their own. */
  readonly modules: Modules;
  readonly #session = new Session();
  readonly #url: string;

  /** Loads modules by their paths from the root of the repository. */
  constructor(...paths: readonly string[]) {
    // V8 keeps what it has compiled for a text, so that each text is another one.
    loaded++;
    this.#url = `counted-${loaded}.cjs`;
    const code = `${bundled(paths)}\n// ${loaded}`;
    setFlagsFromString("--no-opt");
    setFlagsFromString("--no-maglev");
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    const module = { exports: {} };
    const run = new Script(`(function (require, module, exports, url) {${code}\n})`, { filename: this.#url });
    const at = pathToFileURL(join(root, this.#url)).href;
    run.runInThisContext()(createRequire(at), module, module.exports, at);
    this.modules = module.exports as Modules;
  }

  /** Executed blocks of these modules while `work` runs. Callbacks of the test are none of them. */
  blocks(work: () => unknown): number {
    this.#taken();
    work();
    return this.#taken();
  }

  /** The same of work that is waited for. */
  async blocksOf(work: () => Promise<unknown>): Promise<number> {
    this.#taken();
    await work();
    return this.#taken();
  }

  /** Blocks since it was asked before. */
  #taken(): number {
    let found: Coverage = { result: [] };
    this.#session.post("Profiler.takePreciseCoverage", (fault, coverage) => {
      if (fault) throw fault;
      found = coverage as Coverage;
    });
    return blocksIn(found, (url) => url === this.#url);
  }

  /** Counts no longer. */
  end(): void {
    this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
    // Maglev, which only some versions of Node use, stays off: whether it was on cannot be read.
    setFlagsFromString("--opt");
  }
}

/** Executed blocks of the scripts that are meant. */
function blocksIn({ result }: Coverage, isMeant: (url: string) => boolean): number {
  let blocks = 0;
  for (const { url, functions } of result)
    if (isMeant(url)) for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  return blocks;
}

/**
 * Executed blocks of processes of Node that have ended, which were started with `--no-opt` and with this folder in
 * `NODE_V8_COVERAGE`. Of code that a process had from a cache, V8 counts the calls alone.
 */
export function blocksOfProcesses(folder: string): number {
  const files = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Coverage);
  return files.reduce((blocks, file) => blocks + blocksIn(file, (url) => !url.startsWith("node:")), 0);
}

function bundled(paths: readonly string[]): string {
  const { outputFiles } = buildSync({
    stdin: { contents: paths.map((path) => `export * from "./${path}";`).join("\n"), resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    define: { "import.meta.url": "url" },
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * What work comes to for inputs of a length, of twice and four times it, where it grows faster than they do: twice the
 * length takes more than 2.2 times the work. Undefined where it grows at most linearly.
 */
export function fasterThanLinear(work: (length: number) => number, length: number): readonly number[] | undefined {
  const [once, twice, four] = [work(length), work(2 * length), work(4 * length)] as const;
  return twice > 2.2 * once || four > 2.2 * twice ? [once, twice, four] : undefined;
}
