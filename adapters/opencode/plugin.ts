import { type ExtensionOptions, load, plansOf } from "../pi/entry.ts";
import type { Plugin } from "./api.ts";
import { pluginOf } from "./with-plan.ts";

export type { Hooks, Plugin, PluginInput } from "./api.ts";

/** How a plugin made by `createPlugin` finds its policies and where it keeps its audit trail. */
export type PluginOptions = ExtensionOptions;

/**
 * An OpenCode plugin that compiles policies when the host loads it and guards every session with them. Without any policy,
 * or with one that does not compile, every call is refused and each answer says what to do. It never fails to load: the
 * host would go on without it and say nothing.
 */
export function createPlugin(given: PluginOptions = {}): Plugin {
  return pluginOf(async ({ directory }) => {
    const options = { cwd: directory, ...given };
    const loaded = await load(options);
    return "code" in loaded ? loaded : { ...loaded, plans: await plansOf(options) };
  });
}

/** The plugin that the package `hookwarden` gives OpenCode: policies from the managed, user and project locations. */
export const Hookwarden: Plugin = createPlugin();
