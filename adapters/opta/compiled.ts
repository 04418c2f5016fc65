import { createRegexEngine, digest } from "../../runtime.ts";
import type { Regex } from "../../schema/ports.ts";
import { type HookDefinition, type HookEvent, OptaConfigError, OptaConfigSchema, type OptaIssue } from "./config.ts";
import { isToolEvent } from "./context.ts";

/** Origin of a hook, strongest first. */
export type HookScope = "user" | "project" | "plugin";

/** A hook that is ready to run. */
export interface CompiledHook {
  readonly definition: HookDefinition;
  /** Identifies what it does: hooks with the same key are one hook. */
  readonly key: string;
  readonly scope: HookScope;
  /** Folder of the hook's plugin. */
  readonly root?: string;
  /** True if it runs at this event and for this tool. */
  fits(event: HookEvent, tool: string | undefined): boolean;
}

/** A definition and its origin. */
export interface ScopedHook {
  readonly definition: HookDefinition;
  readonly scope: HookScope;
  readonly root?: string;
}

/**
 * Returns the identity of a hook: what it does, without its time limit and `on_timeout`. Two hooks with one key in two files
 * are one hook.
 */
export function hookKey({ event, matcher, command, prompt, protocol, background }: HookDefinition, root = ""): string {
  const named = { event, matcher: matcher ?? "", command: command ?? "", prompt: prompt ?? "", root };
  return digest({ ...named, protocol: protocol ?? "env", background: background === true });
}

/**
 * Compiles the matchers of hooks once (RE2, found anywhere in the name). Throws an `OptaConfigError` for definitions that do
 * not fit the schema, and for a matcher that is no RE2 pattern, because it would guard nothing.
 */
export function compileHooks(hooks: readonly ScopedHook[]): CompiledHook[] {
  const { hooks: checked } = OptaConfigSchema.parse({ hooks: hooks.map(({ definition }) => definition) });
  const issues: OptaIssue[] = [];
  const compiled = checked.map((definition, i) => {
    const { scope, root } = hooks[i] as ScopedHook;
    const matcher = matcherOf(definition);
    if (typeof matcher === "string") issues.push({ path: `/hooks/${i}/matcher`, message: matcher });
    const regex = typeof matcher === "object" ? matcher : undefined;
    const fits = (event: HookEvent, tool: string | undefined): boolean =>
      definition.event === event && (!regex || fitsTool(regex, event, tool));
    return { definition, key: hookKey(definition, root), scope, ...(root !== undefined && { root }), fits };
  });
  if (issues.length > 0) throw new OptaConfigError(issues);
  return compiled;
}

/** True if a hook's matcher fits a tool. A call of an unknown tool may be any tool, so all hooks before it run. */
function fitsTool(regex: Regex, event: HookEvent, tool: string | undefined): boolean {
  return tool === undefined ? event === "tool.pre" : regex.test(tool);
}

/** Returns the compiled matcher, or the reason why it does not compile; undefined if it restricts nothing. */
function matcherOf({ event, matcher }: HookDefinition): Regex | string | undefined {
  if (matcher === undefined || !isToolEvent(event)) return undefined;
  engine ??= createRegexEngine();
  const regex = engine.compile(matcher);
  return "kind" in regex ? `is no RE2 pattern: ${regex.message}` : regex;
}

let engine: ReturnType<typeof createRegexEngine> | undefined;

/** Merges the hooks of several files, the strongest file first. A hook that two files share runs once, in the stronger file's form. */
export function mergeHooks(...scopes: readonly (readonly ScopedHook[])[]): ScopedHook[] {
  const known = new Set<string>();
  return scopes.flatMap((hooks) => {
    const keyed = hooks.map((hook) => ({ hook, key: hookKey(hook.definition, hook.root) }));
    const added = keyed.filter(({ key }) => !known.has(key));
    for (const { key } of added) known.add(key);
    // A hook that one file lists twice runs twice, as in Opta.
    return added.map(({ hook }) => hook);
  });
}
