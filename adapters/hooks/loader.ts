import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { userHome } from "../../store/user-home.ts";
import { createRegistrar, type HookFactory, type LoadedHook } from "./api.ts";
import { errorText } from "./chain.ts";
import { type DiscoveredHook, discoverHooks, type HookProvider, hookProviders } from "./discovery.ts";
import { ModuleGraph } from "./module-graph.ts";
import { type Profile, type ProfileName, profileNamed } from "./profiles.ts";

/** Options for loading hook modules; the defaults suit a host. */
export interface LoadHooksOptions {
  /** Host whose rules apply to loading; default `omp-hookapi`. */
  readonly profile?: ProfileName;
  /** The folder that `~` means; default the user's home. */
  readonly home?: string;
  /**
   * Imports a module. By default each load reads TypeScript and JavaScript from disk again, with everything that they import
   * from their own folders, and the hosts' own packages map to `hookwarden/hooks`.
   */
  readonly importModule?: (url: string) => Promise<unknown>;
  /** Milliseconds within which each module must be imported and registered; 60,000 by default. */
  readonly loadTimeout?: number;
}

/** Milliseconds for one module. Hosts have no limit, but a module that waits for ever would block the agent's start. */
const usualLoadTimeout = 60_000;

/** Options for loading hook modules that are discovered rather than named. */
export interface DiscoverOptions extends LoadHooksOptions {
  /** Where hook modules are looked for; default those of the profile's host. */
  readonly providers?: readonly HookProvider[];
}

/** A module that could not be loaded: its path as requested, and the reason for humans. */
export interface LoadError {
  readonly path: string;
  readonly error: string;
}

/** A loaded module that may not do what its author meant: its path as requested, and the reason for humans. */
export interface LoadWarning {
  readonly path: string;
  readonly warning: string;
}

/** Modules in load order, with the errors and warnings of loading. */
export interface LoadHooksResult {
  readonly hooks: LoadedHook[];
  readonly errors: LoadError[];
  readonly warnings: LoadWarning[];
}

/** Modules loaded by discovery, with all files that it found. */
export interface DiscoverHooksResult extends LoadHooksResult {
  /** All files found, shadowed ones marked. */
  readonly discovered: readonly DiscoveredHook[];
}

/** Resolves a path: absolute as it is, `~` expanded, relative from `cwd`. Source: seed omp-hooks, "Path resolution". */
export function resolveHookPath(path: string, cwd: string, home: string): string {
  if (path === "~") return home;
  if (path.startsWith("~/") || path.startsWith("~\\")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/**
 * Imports each path and runs its factory. Failures are collected in `errors` and loading goes on. A path that occurs twice
 * (by its absolute form) is loaded once. Source: seed omp-hooks, "Discovery and loading".
 */
export async function loadHooks(
  paths: readonly string[],
  cwd: string,
  options: LoadHooksOptions = {},
): Promise<LoadHooksResult> {
  if (!Array.isArray(paths)) throw new TypeError("the paths of hook modules must be a list");
  const profile = profileNamed(options.profile);
  const home = options.home ?? userHome();
  const importModule = options.importModule ?? freshImports();
  const { loadTimeout = usualLoadTimeout } = options;
  const hooks: LoadedHook[] = [];
  const errors: LoadError[] = [];
  const warnings: LoadWarning[] = [];
  for (const [resolved, path] of uniquePaths(paths, cwd, home)) {
    try {
      const hook = await inTime(loadTimeout, async (late) => {
        const factory = factoryOf(await importModule(pathToFileURL(resolved).href), profile);
        return register(factory, createRegistrar(path, resolved, cwd, profile), profile, late);
      });
      hooks.push(hook);
      if (isIdle(hook)) warnings.push({ path, warning: idle });
    } catch (error) {
      errors.push({ path, error: `failed to load the hook module: ${errorText(error)}` });
    }
  }
  return { hooks, errors, warnings };
}

/** Awaits work for a limited time. After that it rejects, `late` is aborted, and a later result is dropped. */
async function inTime<T>(milliseconds: number, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new Error(`the module took longer than ${milliseconds} ms to load`));
    }, milliseconds);
  });
  try {
    return await Promise.race([work(late.signal), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes the import function of one load: its modules share their imports, but nothing is shared with another load. */
function freshImports(): (url: string) => Promise<unknown> {
  let graph: Promise<ModuleGraph> | undefined;
  return async (url) => {
    graph ??= ModuleGraph.create();
    return (await graph).import(fileURLToPath(url));
  };
}

const idle =
  "the module registered nothing while it was loaded: no handler, no command, no renderer; its factory must call `on` before it returns";

function isIdle({ handlers, commands, messageRenderers }: LoadedHook): boolean {
  return handlers.size + commands.size + messageRenderers.size === 0;
}

/**
 * Finds hook modules in the providers' folders, appends the configured paths (deduped by absolute path) and loads all.
 * Source: seed omp-hooks, "Discovery and loading" and "Load order".
 */
export async function discoverAndLoadHooks(
  configuredPaths: readonly string[],
  cwd: string,
  options: DiscoverOptions = {},
): Promise<DiscoverHooksResult> {
  const home = options.home ?? userHome();
  const providers = options.providers ?? hookProviders[profileNamed(options.profile).name];
  const discovered = discoverHooks(cwd, home, providers);
  const found = discovered.filter((hook) => hook.shadowedBy === undefined).map((hook) => hook.path);
  const loaded = await loadHooks([...found, ...configuredPaths], cwd, { ...options, home });
  return { ...loaded, discovered };
}

function uniquePaths(paths: readonly string[], cwd: string, home: string): Map<string, string> {
  const unique = new Map<string, string>();
  for (const path of paths) {
    const resolved = resolve(resolveHookPath(path, cwd, home));
    if (!unique.has(resolved)) unique.set(resolved, path);
  }
  return unique;
}

/** Returns the default export as a factory. In a CommonJS module compiled from ESM it is one level deeper. */
function factoryOf(module: unknown, profile: Profile): HookFactory {
  const outer = (module as { default?: unknown } | undefined)?.default;
  const nested = typeof outer === "object" && outer !== null ? (outer as { default?: unknown }).default : undefined;
  const factory = typeof outer === "function" ? outer : nested;
  if (typeof factory !== "function") throw new Error("the module has no default export that is a function");
  if (/^class\b/.test(Function.prototype.toString.call(factory).slice(0, 8))) {
    throw new Error("the default export is a class; it must be a plain function");
  }
  const kind = Object.prototype.toString.call(factory);
  if (kind === "[object GeneratorFunction]" || kind === "[object AsyncGeneratorFunction]") {
    throw new Error("the default export is a generator, whose body would never run; it must be a plain function");
  }
  if (kind === "[object AsyncFunction]" && profile.factory === "sync") throw asyncRefused(profile);
  return factory as HookFactory;
}

function asyncRefused(profile: Profile): Error {
  return new Error(`the factory is async; \`${profile.name}\` takes a plain function that registers synchronously`);
}

async function register(
  factory: HookFactory,
  registrar: ReturnType<typeof createRegistrar>,
  profile: Profile,
  late: AbortSignal,
): Promise<LoadedHook> {
  late.throwIfAborted();
  late.addEventListener("abort", () => registrar.close());
  try {
    const returned: unknown = factory(registrar.api);
    if (isGenerator(returned)) {
      throw new Error("the factory gave back a generator, whose body would never run; it must register by itself");
    }
    if (isThenable(returned)) {
      if (profile.factory === "sync") {
        // The outcome no longer matters, but an unhandled rejection would end the process.
        returned.then(undefined, () => {});
        throw asyncRefused(profile);
      }
      await returned;
    }
  } finally {
    registrar.close();
  }
  return registrar.hook;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

function isGenerator(value: unknown): boolean {
  return /^\[object (?:Async)?Generator\]$/.test(Object.prototype.toString.call(value));
}
