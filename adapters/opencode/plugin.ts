import { type ExtensionOptions, load, plansOf } from "../pi/entry.ts";
import type { Plugin } from "./api.ts";
import { pluginOf } from "./with-plan.ts";

export type { Hooks, Plugin, PluginInput } from "./api.ts";

/** Options of `createPlugin`: the source of its policies and the place of its audit trail. */
export type PluginOptions = ExtensionOptions;

/**
 * Creates an OpenCode plugin that compiles policies when the host loads it and guards every session with them. Without any
 * policy, or with one that does not compile, it refuses every call, and each answer names the remedy. It never fails to
 * load: the host would silently go on without it.
 */
export function createPlugin(given: PluginOptions = {}): Plugin {
  return pluginOf(async ({ directory }) => {
    const options = { cwd: directory, ...given };
    const loaded = await load(options);
    return "code" in loaded ? loaded : { ...loaded, plans: await plansOf(options) };
  });
}

/** The plugin of the package `hookwarden` for OpenCode: policies from the managed, user and project locations. */
export const Hookwarden: Plugin = createPlugin();
