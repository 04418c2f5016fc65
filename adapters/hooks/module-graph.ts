import { realpathSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, extname, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants, runInThisContext } from "node:vm";
import { errorText } from "./chain.ts";
import { standsFor } from "./host-packages.ts";
import { type ImportedNames, type ModuleCompiler, moduleCompiler, sourceOf } from "./module-code.ts";

type Namespace = Readonly<Record<string, unknown>>;

/** A file whose loading has begun. */
interface Loaded {
  readonly path: string;
  readonly module: { exports: unknown };
  imports: readonly ImportedNames[];
  /** Settles when the file has run; rejects with the file's error. */
  done: Promise<void>;
  running: boolean;
  /** Files that this file waits for while it runs. */
  waitsFor: Set<Loaded>;
  namespace?: Namespace;
}

/** A check of imported names that had to wait, because the file that exports them was still running. */
type Later = () => void;

/**
 * Hook modules and everything that they import from their own folders. Each load has a new graph, so that a reload gets
 * the current files and nothing stays cached. TypeScript and JavaScript load the same way on every runtime.
 * Installed packages and Node's own modules come from the runtime. The hosts' own packages map to `hookwarden/hooks`.
 */
export class ModuleGraph {
  readonly #compiler: ModuleCompiler;
  readonly #hooks: Namespace;
  readonly #files = new Map<string, Loaded>();
  readonly #later: Later[] = [];

  private constructor(compiler: ModuleCompiler, hooks: Namespace) {
    this.#compiler = compiler;
    this.#hooks = hooks;
  }

  /** Creates an empty graph. */
  static async create(): Promise<ModuleGraph> {
    return new ModuleGraph(await moduleCompiler(), await import("./index.ts"));
  }

  /** Returns the exports of a file. Rejects with the error of the file or of one it imports, or with why it cannot be loaded. */
  async import(file: string): Promise<Namespace> {
    const loaded = this.#loaded(realPath(file));
    try {
      await loaded.done;
      for (const check of this.#later) check();
    } finally {
      this.#later.length = 0;
    }
    return namespaceOf(loaded);
  }

  /** Returns a file of the graph and starts loading it if needed. `by` then waits for it at once, since it may import `by` in turn. */
  #loaded(path: string, by?: Loaded): Loaded {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const loaded = this.#add(path);
    by?.waitsFor.add(loaded);
    loaded.done = this.#run(loaded).finally(() => {
      loaded.running = false;
    });
    // Importers get the error; this only prevents an unhandled rejection until then.
    loaded.done.catch(() => undefined);
    return loaded;
  }

  #add(path: string): Loaded {
    const loaded: Loaded = {
      path,
      module: { exports: {} },
      imports: [],
      done: Promise.resolve(),
      running: true,
      waitsFor: new Set(),
    };
    this.#files.set(path, loaded);
    return loaded;
  }

  async #run(loaded: Loaded): Promise<void> {
    if (isData(loaded.path) || isPlainCommonJs(loaded.path)) return this.#runNow(loaded);
    const { code, imports } = this.#compiler.compile(loaded.path, sourceOf(loaded.path), true);
    loaded.imports = imports;
    await this.#call(loaded, code, true);
  }

  /** Like `#run`, but synchronous, for `require`. */
  #runNow(loaded: Loaded): void {
    const source = sourceOf(loaded.path);
    if (isData(loaded.path)) {
      loaded.module.exports = readData(loaded.path, source);
      return;
    }
    if (isPlainCommonJs(loaded.path)) {
      this.#call(loaded, source.startsWith("#!") ? `//${source}` : source, false);
      return;
    }
    const { code, imports } = this.#compiler.compile(loaded.path, source, false);
    loaded.imports = imports;
    this.#call(loaded, code, false);
  }

  /** Runs code as the function that Node makes of a CommonJS module, with import functions besides `require`. */
  #call(loaded: Loaded, code: string, waits: boolean): unknown {
    const { path, module } = loaded;
    const head = `(${waits ? "async " : ""}function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) {`;
    // In plain CommonJS, dynamic imports go to the runtime itself.
    const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const body = runInThisContext(`${head}${code}\n})`, { filename: path, importModuleDynamically });
    const load = (specifier: string): Promise<Namespace> => this.#importFrom(loaded, specifier);
    const resolve = (specifier: string): string => this.#address(loaded, specifier);
    return body.call(
      module.exports,
      module.exports,
      this.#requireOf(loaded),
      module,
      path,
      dirname(path),
      load,
      resolve,
    );
  }

  async #importFrom(from: Loaded, specifier: string): Promise<Namespace> {
    if (standsFor(specifier)) return this.#checked(from, specifier, this.#hooks);
    const path = this.#find(from, specifier, "import");
    if (!this.#isOwn(specifier, path)) {
      const address = isBuiltin(path) || isText(path) ? path : pathToFileURL(path).href;
      const found = import(address).catch((error: unknown) => Promise.reject(notLoaded(from, specifier, error)));
      return this.#checked(from, specifier, await found);
    }
    const target = this.#loaded(realPath(path), from);
    // In an import cycle the target waits for us, so we cannot wait for it: we use its exports so far.
    if (target.running && from.running && waitsFor(target, from)) return this.#checkLater(from, specifier, target);
    from.waitsFor.add(target);
    try {
      await target.done;
    } finally {
      from.waitsFor.delete(target);
    }
    return this.#checked(from, specifier, namespaceOf(target));
  }

  #requireOf(from: Loaded): NodeJS.Require {
    const native = createRequire(from.path);
    const own = (specifier: string): unknown => {
      if (standsFor(specifier)) return this.#checked(from, specifier, this.#hooks);
      const path = this.#find(from, specifier, "require");
      if (!this.#isOwn(specifier, path)) {
        try {
          return native(specifier);
        } catch (error) {
          throw notLoaded(from, specifier, error);
        }
      }
      const known = this.#files.get(realPath(path));
      if (known !== undefined) return known.module.exports;
      const loaded = this.#add(realPath(path));
      try {
        this.#runNow(loaded);
      } catch (error) {
        fail(loaded, error);
        throw error;
      } finally {
        loaded.running = false;
      }
      const { exports } = loaded.module;
      if (from.imports.length > 0) this.#checked(from, specifier, namespaceOf(loaded));
      return exports;
    };
    return Object.assign(own, native, { resolve: native.resolve });
  }

  /** True for a file that this graph loads: one imported by its path, or a package's TypeScript file. */
  #isOwn(specifier: string, path: string): boolean {
    if (isBuiltin(path) || isText(path) || !(modules.has(extname(path)) || extname(path) === ".json")) return false;
    return /^(?:\.{0,2}\/|\.{1,2}$|file:|#)/.test(specifier) || isAbsolute(specifier) || /\.[cm]?ts$/.test(path);
  }

  #find(from: Loaded, specifier: string, condition: "import" | "require"): string {
    if (isBuiltin(specifier) || isText(specifier)) return specifier;
    const named = specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier;
    const found = isAddress(named) ? undefined : this.#compiler.resolve(named, from.path, condition);
    if (found !== undefined) return found;
    // Modules check this code to detect an optional dependency that is missing.
    const code = condition === "import" ? "ERR_MODULE_NOT_FOUND" : "MODULE_NOT_FOUND";
    throw Object.assign(new Error(`\`${from.path}\` imports \`${specifier}\`, which is not there`), { code });
  }

  #address(from: Loaded, specifier: string): string {
    const path = this.#find(from, specifier, "import");
    return isBuiltin(path) || isText(path) ? path : pathToFileURL(path).href;
  }

  #checkLater(from: Loaded, specifier: string, target: Loaded): Namespace {
    this.#later.push(() => {
      try {
        this.#checked(from, specifier, namespaceOf(target));
      } catch (error) {
        fail(from, error);
        throw error;
      }
    });
    return target.module.exports as Namespace;
  }

  /** Returns the imported namespace; throws if it lacks a name that the file imports. */
  #checked(from: Loaded, specifier: string, found: Namespace): Namespace {
    const wanted = from.imports.filter((one) => one.specifier === specifier).flatMap(({ names }) => names);
    const missing = wanted.find((name) => !(name in found));
    if (missing === undefined) return found;
    const where = found === this.#hooks ? ", in whose place hookwarden/hooks stands here," : "";
    throw new Error(`\`${from.path}\` imports \`${missing}\`, which \`${specifier}\`${where} does not have`);
  }
}

/** True for a `data:` URL, whose address holds the module's text. */
function isText(specifier: string): boolean {
  return specifier.startsWith("data:");
}

/** True for an address with a scheme, which is neither file nor package. A single letter is a drive. */
function isAddress(specifier: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(specifier);
}

/** Wraps an error that an import of the runtime or a package threw, and names the importing file. */
function notLoaded(from: Loaded, specifier: string, cause: unknown): Error {
  const told = `\`${from.path}\` imports \`${specifier}\`, which cannot be loaded: ${errorText(cause)}`;
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return Object.assign(new Error(told, { cause }), code === undefined ? {} : { code });
}

/** Marks a file as failed, so that later imports of it reject with the error. */
function fail(file: Loaded, error: unknown): void {
  file.done = Promise.reject(error);
  file.done.catch(() => undefined);
}

/** True if a file waits for another, directly or through other files. */
function waitsFor(file: Loaded, other: Loaded): boolean {
  const seen = new Set<Loaded>();
  const pending = [file];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at === other) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    pending.push(...at.waitsFor);
  }
  return false;
}

/** Resolves links, so that each file has one name; returns the path as it is if that fails. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const modules: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

function isData(path: string): boolean {
  return !modules.has(extname(path));
}

function isPlainCommonJs(path: string): boolean {
  return extname(path) === ".cjs";
}

function readData(path: string, source: string): unknown {
  if (extname(path) !== ".json")
    throw new Error(`\`${extname(path)}\` is no kind of file that can be a module: ${path}`);
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new SyntaxError(`${error instanceof Error ? error.message : String(error)} (${path})`);
  }
}

/** Returns the exports of an ES module. Other exports become `default`, with their fields beside it, as in Node. */
function namespaceOf(loaded: Loaded): Namespace {
  const { exports } = loaded.module;
  if (isEsModule(exports)) return exports;
  if (loaded.running) return { ...fieldsOf(exports), default: exports };
  loaded.namespace ??= { ...fieldsOf(exports), default: exports };
  return loaded.namespace;
}

function isEsModule(exports: unknown): exports is Namespace {
  return typeof exports === "object" && exports !== null && (exports as Namespace)["__esModule"] === true;
}

function fieldsOf(exports: unknown): object {
  return (typeof exports === "object" || typeof exports === "function") && exports !== null ? { ...exports } : {};
}
