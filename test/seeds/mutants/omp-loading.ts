import { type Mutant, mutantsOf } from "./mutant.ts";

/** Mutants of what a hook module is, how it is found and loaded, and what is exported, for the rows of the omp seeds. */
export const ompLoadingMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/index.ts", [
    [["omp-api-usable", "omp-export-runner"], 'export { HookRunner } from "./runner.ts"', ""],
    ["omp-export-loading", "export { discoverAndLoadHooks, loadHooks }", "export { loadHooks }"],
    ["omp-export-exec", "export { execCommand }", "export type { execCommand }"],
  ]),
  ...mutantsOf("adapters/hooks/api.ts", [
    [["omp-module-on", "author-handlers"], "list.push(registration)", "list.concat(registration)"],
    ["omp-module-send", 'port("sendMessage")(message, options)', "void message"],
    ["omp-module-append", 'port("appendEntry")(customType, data)', "void data"],
    ["omp-module-command", "commands.set(name, { name, ...options });", ""],
    ["omp-module-renderer", "messageRenderers.set(customType, renderer);", ""],
    [
      "omp-module-exec",
      "execCommand(command, args, options?.cwd ?? cwd, options)",
      'Promise.resolve({ stdout: "", stderr: "", code: 1, killed: false, truncated: false })',
    ],
  ]),
  ...mutantsOf("adapters/hooks/loader.ts", [
    [
      ["omp-module-default", "omp-load-import"],
      'if (typeof factory !== "function") throw',
      'if (typeof factory !== "function") return () => undefined;\n  if (factory === undefined) throw',
    ],
    ["omp-load-discovered-first", "[...found, ...configuredPaths]", "[...configuredPaths, ...found]"],
    [
      ["omp-load-configured", "omp-order-flat"],
      "of uniquePaths(paths, cwd, home)",
      "of paths.map((path) => [resolve(resolveHookPath(path, cwd, home)), path] as const)",
    ],
    ["omp-path-absolute", "isAbsolute(path) ? path :", "isAbsolute(path) ? join(cwd, path) :"],
    ["omp-path-home", "join(home, path.slice(2))", "resolve(cwd, path)"],
    ["omp-path-relative", ": resolve(cwd, path)", ": resolve(path)"],
    [
      "omp-legacy-reported",
      "hook.shadowedBy === undefined",
      "hook.shadowedBy === undefined && /[.][cm]?js$/.test(hook.path)",
    ],
    ["omp-order-shadowed", "discovered.filter((hook) => hook.shadowedBy === undefined)", "discovered"],
    ["omp-error-load", "errors.push({ path,", "void ({ path,"],
    [
      "omp-error-load-goes-on",
      "uniquePaths(paths, cwd, home)) {",
      "uniquePaths(paths, cwd, home)) {\n    if (errors.length > 0) break;",
    ],
    [
      "author-factory-class",
      'throw new Error("the default export is a class; it must be a plain function")',
      "return () => undefined",
    ],
    ["author-factory-api", "factory(registrar.api)", "factory({} as never)"],
  ]),
  ...mutantsOf("adapters/hooks/discovery.ts", [
    ["omp-legacy-providers", '["pre", "post"] as const', '["pre"] as const'],
    ["omp-order-priority", "right.priority - left.priority", "left.priority - right.priority"],
    // The key is then the same in `pre` and in `post`.
    ["omp-order-key", "{file.type}:", "{file.tool}:"],
    ["omp-order-files", "Buffer.compare(Buffer.from(left), Buffer.from(right))", "left.localeCompare(right)"],
  ]),
];
