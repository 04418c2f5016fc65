import { closedEngine } from "../../runtime.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { undeliveredText } from "../../store/undelivered.ts";
import { type Setup, variablesOf } from "../judge-process/messages.ts";
import { type RemoteOptions, RemoteSessions } from "../judge-process/remote-judge.ts";
import { sessionsOf } from "../pi/audit.ts";
import { type Fault, faultText, noPolicy, oneLine } from "../pi/denial.ts";
import { thisMachine } from "../pi/environment.ts";
import type { CarriedPlan, Plans } from "../pi/plan-file.ts";
import type { Hooks, Plugin, PluginInput } from "./api.ts";
import { guardHooks } from "./guard.ts";

/** Tells the human something. */
export type Tell = NonNullable<Parameters<typeof guardHooks>[1]["tell"]>;

/** The plan of a plugin, or a fault that every refusal reports. */
export type Found = (CarriedPlan & { readonly plans?: Plans }) | Fault;

/**
 * Creates a plugin that guards with the plan that `find` returns when the host loads it. It never fails to load, since the
 * host would silently go on without it: every fault refuses every call instead.
 */
export function pluginOf(find: (input: PluginInput) => Promise<Found>, remote: RemoteOptions = {}): Plugin {
  return async (input) => {
    const tell = teller(input);
    try {
      const found = await find(input);
      return "code" in found ? refusingAll(found, input, tell) : guardedBy(found, input, tell, remote);
    } catch (error) {
      const message = `the guard could not start: ${error instanceof Error ? error.message : String(error)}`;
      return refusingAll({ code: "HW508", message, fix: "ask the human to run `hookwarden doctor`" }, input, tell);
    }
  };
}

function guardedBy(found: Exclude<Found, Fault>, input: PluginInput, tell: Tell, remote: RemoteOptions): Hooks {
  if (found.plan.policies.length === 0) return refusingAll(noPolicy, input, tell);
  const sessions = new RemoteSessions(setupOf(found.audit, input), remote);
  return guardHooks(sessions.judge(found.plan), {
    directory: input.directory,
    machine: thisMachine({ further: sessions.places }),
    tell,
    takeApproval: (key) => takeApproval(stateFolder(process.env), key),
    undelivered: (session) => undeliveredText(stateFolder(process.env), "opencode", session),
    versionSeen: (version) => sessions.versionSeen(version),
    ...(found.plans && { plans: { ...found.plans, engine: (plan, before) => sessions.judge(plan, before) } }),
  });
}

/** Returns the setup of sessions kept on disk; without a record they belong to this process alone. Throws if that needs a missing key. */
function setupOf(audit: CarriedPlan["audit"], { directory }: PluginInput): Setup {
  const state = stateFolder(process.env);
  const around = { state, workspace: directory, variables: variablesOf(process.env), caller: { adapter: "opencode" } };
  if (audit !== false) return { ...around, ...sessionsOf(audit) };
  return { ...around, sessions: undefined, sessionKey: installKey(state).toString("hex") };
}

function refusingAll(fault: Fault, { directory }: PluginInput, tell: Tell): Hooks {
  tell(faultText(fault), "error");
  return guardHooks(closedEngine(undefined, oneLine(fault)), { directory, tell });
}

/** Returns a function that tells the human on the host's screen, or on standard error if there is no screen. */
function teller({ client }: PluginInput): Tell {
  return (message, variant) => {
    try {
      if (process.stdout.isTTY !== true) process.stderr.write(`${message}\n`);
      void Promise.resolve(client?.tui?.showToast?.({ body: { message, variant } })).catch(() => undefined);
    } catch {
      // Every refused call gives the same message.
    }
  };
}
