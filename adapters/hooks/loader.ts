import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRegistrar, type HookFactory, type LoadedHook } from "./api.ts";
import { errorText } from "./chain.ts";
import { type DiscoveredHook, discoverHooks, type HookProvider } from "./discovery.ts";
import { type Profile, type ProfileName, profiles } from "./profiles.ts";

/** How hook modules are found on disk and imported; all have defaults that suit a host. */
export interface LoadHooksOptions {
  /** Whose rules the modules are loaded by; default `omp-hookapi`. */
  readonly profile?: ProfileName;
  /** The folder that `~` means; default the user's. */
  readonly home?: string;
  /** How a module is imported; default the import of the running program. */
  readonly importModule?: (url: string) => Promise<unknown>;
}

/** The same for modules that are looked for rather than named. */
export interface DiscoverOptions extends LoadHooksOptions {
  /** Where hook modules are looked for; default the folders of omp and Claude Code. */
  readonly providers?: readonly HookProvider[];
}

/** A module that gave no hooks: its path as requested, and the reason for people. */
export interface LoadError {
  readonly path: string;
  readonly error: string;
}

/** Modules in load order, and what could not be loaded. */
export interface LoadHooksResult {
  readonly hooks: LoadedHook[];
  readonly errors: LoadError[];
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
  const profile = profiles[options.profile ?? "omp-hookapi"];
  const home = options.home ?? homedir();
  const importModule = options.importModule ?? ((url: string): Promise<unknown> => import(/* @vite-ignore */ url));
  const hooks: LoadedHook[] = [];
  const errors: LoadError[] = [];
  for (const [resolved, path] of uniquePaths(paths, cwd, home)) {
    try {
      const factory = factoryOf(await importModule(pathToFileURL(resolved).href), profile);
      hooks.push(await register(factory, path, resolved, cwd, profile));
    } catch (error) {
      errors.push({ path, error: `failed to load the hook module: ${explain(resolved, error)}` });
    }
  }
  return { hooks, errors };
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
  const home = options.home ?? homedir();
  const discovered = discoverHooks(cwd, home, options.providers);
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
  const isAsync = Object.prototype.toString.call(factory) === "[object AsyncFunction]";
  if (isAsync && profile.factory === "sync") throw asyncRefused(profile);
  return factory as HookFactory;
}

function asyncRefused(profile: Profile): Error {
  return new Error(`the factory is async; \`${profile.name}\` takes a plain function that registers synchronously`);
}

async function register(
  factory: HookFactory,
  path: string,
  resolved: string,
  cwd: string,
  profile: Profile,
): Promise<LoadedHook> {
  const registrar = createRegistrar(path, resolved, cwd, profile);
  try {
    const returned: unknown = factory(registrar.api);
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

function explain(path: string, error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" && /\.[mc]?tsx?$/.test(path)) {
    return `this runtime (${process.version}) does not strip types, so it cannot import \`${path}\`; compile it to JavaScript, or run Node 22.18 or later`;
  }
  return errorText(error);
}
