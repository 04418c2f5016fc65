import { randomBytes } from "node:crypto";
import { closedEngine, createEngine, createRegexEngine, type Engine } from "../../runtime.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { liveFiles } from "../live-files.ts";
import { auditStore } from "../pi/audit.ts";
import { type Fault, faultText, oneLine } from "../pi/denial.ts";
import { type ExtensionOptions, load, plansOf } from "../pi/entry.ts";
import { noPolicy } from "../pi/plan-file.ts";
import { createPrograms } from "../programs.ts";
import type { Hooks, Plugin, PluginInput } from "./api.ts";
import { guardHooks } from "./guard.ts";

export type { Hooks, Plugin, PluginInput } from "./api.ts";

/** How a plugin made by `createPlugin` finds its policies and where it keeps its audit trail. */
export type PluginOptions = ExtensionOptions;

/**
 * An OpenCode plugin that compiles policies when the host loads it and guards every session with them. Without any policy,
 * or with one that does not compile, every call is refused and each answer says what to do. It never fails to load: the
 * host would go on without it and say nothing.
 */
export function createPlugin(options: PluginOptions = {}): Plugin {
  return async (input) => {
    const tell = teller(input);
    try {
      return await guarded(options, input, tell);
    } catch (error) {
      const message = `the guard could not start: ${error instanceof Error ? error.message : String(error)}`;
      return refusingAll({ code: "HW508", message, fix: "run `hookwarden doctor`" }, input, tell);
    }
  };
}

/** The plugin that the package `hookwarden` gives OpenCode: policies from the managed, user and project locations. */
export const Hookwarden: Plugin = createPlugin();

type Tell = NonNullable<Parameters<typeof guardHooks>[1]["tell"]>;

async function guarded(given: PluginOptions, input: PluginInput, tell: Tell): Promise<Hooks> {
  const options = { cwd: input.directory, ...given };
  const loaded = await load(options);
  if ("code" in loaded) return refusingAll(loaded, input, tell);
  if (loaded.plan.policies.length === 0) return refusingAll(noPolicy, input, tell);
  const store = loaded.audit === false ? undefined : auditStore(loaded.audit);
  const sessionKey = randomBytes(32).toString("hex");
  const engine = (plan: typeof loaded.plan, before?: Engine): Engine =>
    createEngine(plan, {
      files: liveFiles,
      clock: { now: () => performance.now() },
      // The host runs on Bun, and the addon is made for Node.
      regex: createRegexEngine({ prefer: "re2js" }),
      sessionKey,
      programs: createPrograms({ workspace: input.directory }),
      ...(store && { store }),
      ...(before && { continues: before }),
    });
  return guardHooks(engine(loaded.plan), {
    directory: input.directory,
    tell,
    takeApproval: (key) => takeApproval(stateFolder(process.env), key),
    plans: { ...(await plansOf(options)), engine: (plan, before) => engine(plan, before as Engine) },
    ...(store && { store }),
  });
}

function refusingAll(fault: Fault, { directory }: PluginInput, tell: Tell): Hooks {
  tell(faultText(fault), "error");
  return guardHooks(closedEngine(undefined, oneLine(fault)), { directory, tell });
}

/** Tells the human on the host's screen, and on standard error where there is no screen. */
function teller({ client }: PluginInput): Tell {
  return (message, variant) => {
    try {
      if (process.stdout.isTTY !== true) process.stderr.write(`${message}\n`);
      void Promise.resolve(client?.tui?.showToast?.({ body: { message, variant } })).catch(() => undefined);
    } catch {
      // Every refused call says the same.
    }
  };
}
