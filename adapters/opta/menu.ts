import { visible } from "../pi/approval.ts";
import { defaultTimeout } from "./config.ts";
import type { HookManager, HookState } from "./manager.ts";

/** The part of a host's UI that the menu needs (`ctx.ui` of pi, omp and the hook runtime). */
export interface MenuUi {
  select(title: string, options: string[]): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
}

/** The part of a host's API that registers the command. */
export interface CommandApi {
  registerCommand(
    name: string,
    options: { description: string; handler(args: string, context: { ui: MenuUi }): Promise<void> },
  ): void;
}

const done = "Done";
const back = "Back";

/**
 * Runs the menu of `/hooks`: lists the hooks, shows one in full, and turns it on or off for this session. Ends when the
 * human is done or leaves a dialog. Source: seed opta-hook-system, section 9, item 6.
 */
export async function hooksMenu(manager: HookManager, ui: MenuUi): Promise<void> {
  if (manager.list().length === 0) {
    ui.notify("no hooks are configured; put them into .opta/config.json or ~/.config/opta/config.json", "info");
    return;
  }
  for (;;) {
    const hooks = manager.list();
    const lines = hooks.map((hook, i) => `${i + 1}. ${lineOf(hook)}`);
    const chosen = await ui.select("Hooks", [...lines, done]);
    const hook = chosen === undefined ? undefined : hooks[lines.indexOf(chosen)];
    if (!hook || !(await one(manager, hook, ui))) return;
  }
}

/** Registers `/hooks` with a host. */
export function registerHooksCommand(api: CommandApi, manager: HookManager): void {
  api.registerCommand("hooks", {
    description: "Show hooks, and turn them on or off for this session",
    handler: (_args, { ui }) => hooksMenu(manager, ui),
  });
}

/** Shows one hook; false if the human left. */
async function one(manager: HookManager, hook: HookState, ui: MenuUi): Promise<boolean> {
  const change = hook.enabled ? "Turn off for this session" : "Turn on";
  const chosen = await ui.select(detailsOf(hook), [change, back]);
  if (chosen === change) manager.setEnabled(hook.key, !hook.enabled);
  return chosen !== undefined;
}

function lineOf({ definition, scope, enabled }: HookState): string {
  const matcher = definition.matcher === undefined ? "" : ` [${visible(definition.matcher)}]`;
  const what = visible(definition.command ?? definition.prompt ?? "").replaceAll("\n", " ");
  const shown = what.length > 60 ? `${what.slice(0, 59)}…` : what;
  return `${definition.event}${matcher}: ${shown} (${scope}${enabled ? "" : ", off"})`;
}

function detailsOf({ definition, scope, enabled }: HookState): string {
  const { event, matcher, command, prompt, timeout = defaultTimeout, background } = definition;
  return [
    `${event}, from the ${scope}${enabled ? "" : ", off"}`,
    ...(matcher === undefined ? [] : [`matcher: ${visible(matcher)}`]),
    command === undefined ? `prompt: ${visible(prompt ?? "")}` : `command: ${visible(command)}`,
    `time-out: ${timeout} ms${background ? ", in the background" : ""}`,
  ].join("\n");
}
