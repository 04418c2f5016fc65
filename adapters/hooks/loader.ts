import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { userHome } from "../../store/user-home.ts";
import { createRegistrar, type HookFactory, type LoadedHook } from "./api.ts";
import { errorText } from "./chain.ts";
import { type DiscoveredHook, discoverHooks, type HookProvider, hookProviders } from "./discovery.ts";
import { ModuleGraph } from "./module-graph.ts";
import { type Profile, type ProfileName, profileNamed } from "./profiles.ts";

/** How hook modules are found on disk and imported; all have defaults that suit a host. */
export interface LoadHooksOptions {
  /** Whose rules the modules are loaded by; default `omp-hookapi`. */
  readonly profile?: ProfileName;
  /** The folder that `~` means; default the user's. */
  readonly home?: string;
  /**
   * How a module is imported. By default TypeScript and JavaScript are read anew at each load, with all that they import
   * from their own folders, and the hosts' own packages are `hookwarden/hooks`.
   */
  readonly importModule?: (url: string) => Promise<unknown>;
  /** Milliseconds in which each module must be imported and have registered; 60,000 by default. */
  readonly loadTimeout?: number;
}

/** Milliseconds for one module; hosts know no bound, and a module that waits for ever would hold the agent's start. */
const usualLoadTimeout = 60_000;

/** The same for modules that are looked for rather than named. */
export interface DiscoverOptions extends LoadHooksOptions {
  /** Where hook modules are looked for; default those of the profile's host. */
  readonly providers?: readonly HookProvider[];
}

/** A module that gave no hooks: its path as requested, and the reason for people. */
export interface LoadError {
  readonly path: string;
  readonly error: string;
}

/** A module that was loaded and may not do what its author meant: its path as requested, and the reason for people. */
export interface LoadWarning {
  readonly path: string;
  readonly warning: string;
}

/** Modules in load order, and what could not be loaded. */
export interface LoadHooksResult {
  readonly hooks: LoadedHook[];
  readonly errors: LoadError[];
  readonly warnings: LoadWarning[];
}

/** Modules loaded from the folders of the providers, with the search's own findings. */
export interface DiscoverHooksResult extends LoadHooksResult {
  /** All that was found, shadowed ones marked. */
  readonly discovered: readonly DiscoveredHook[];
}

/** Absolute as it is, `~` expanded, relative from `cwd`. Source: seed omp-hooks, "Path resolution". */
export function resolveHookPath(path: string, cwd: string, home: string): string {
  if (path === "~") return home;
  if (path.startsWith("~/") || path.startsWith("~\\")) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/**
 * Imports each path and runs its factory. What fails is collected in `errors` and loading goes on; a path that was
 * loaded already (by its absolute form) is left out. Source: seed omp-hooks, "Discovery and loading".
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

/** Awaits some work for a limited time. When that is over, `late` is aborted and a later result is dropped. */
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

/** Imports of one load, which share what they import and nothing with another load. */
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

/** The default export as a factory. A CommonJS module that was compiled from ESM has it one level deeper. */
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
        // Its outcome is of no interest any more, but a rejection must not end the process.
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
