import { closedEngine, createEngine, createRegexEngine, type Engine } from "../../runtime.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { liveFiles } from "../live-files.ts";
import { auditStore, sessionFolder } from "../pi/audit.ts";
import { type Fault, faultText, oneLine } from "../pi/denial.ts";
import { type EngineOf, LiveSessions } from "../pi/live-sessions.ts";
import { type CarriedPlan, noPolicy, type Plans } from "../pi/plan-file.ts";
import { createPrograms } from "../programs.ts";
import { liveSecretValues } from "../secret-values.ts";
import type { Hooks, Plugin, PluginInput } from "./api.ts";
import { guardHooks, type SessionEngine } from "./guard.ts";

/** Tells the human something. */
export type Tell = NonNullable<Parameters<typeof guardHooks>[1]["tell"]>;

/** What a plugin guards with; a fault is told with every refusal. */
export type Found = (CarriedPlan & { readonly plans?: Plans }) | Fault;

/**
 * A plugin that guards with the plan that `find` gives when the host loads it. It never fails to load: the host would go on
 * without it and say nothing, so every fault refuses every call instead.
 */
export function pluginOf(find: (input: PluginInput) => Promise<Found>): Plugin {
  return async (input) => {
    const tell = teller(input);
    try {
      const found = await find(input);
      return "code" in found ? refusingAll(found, input, tell) : guardedBy(found, input, tell);
    } catch (error) {
      const message = `the guard could not start: ${error instanceof Error ? error.message : String(error)}`;
      return refusingAll({ code: "HW508", message, fix: "run `hookwarden doctor`" }, input, tell);
    }
  };
}

/** What judges by a plan; `before` is what judged the session until now. */
type EngineFor = (plan: CarriedPlan["plan"], before?: Engine) => SessionEngine;

function guardedBy(found: Exclude<Found, Fault>, input: PluginInput, tell: Tell): Hooks {
  if (found.plan.policies.length === 0) return refusingAll(noPolicy, input, tell);
  const caller: { adapter: string; host_version?: string } = { adapter: "opencode" };
  const ports = { ...portsOf(input), caller };
  const engine = found.audit === false ? unrecorded(ports) : recorded(found.audit, ports);
  return guardHooks(engine(found.plan), {
    directory: input.directory,
    tell,
    takeApproval: (key) => takeApproval(stateFolder(process.env), key),
    versionSeen(version) {
      caller.host_version = version;
    },
    ...(found.plans && { plans: { ...found.plans, engine: (plan, before) => engine(plan, before as Engine) } }),
  });
}

function portsOf({ directory }: PluginInput) {
  return {
    files: liveFiles,
    clock: { now: () => performance.now() },
    // The host runs on Bun, and the addon is made for Node.
    regex: createRegexEngine({ prefer: "re2js" }),
    secretValues: liveSecretValues(process.env),
    programs: createPrograms({ workspace: directory }),
  };
}

/** The key of the installation: what a session redacted has the same tokens when the host runs again. Throws what it throws. */
function sessionKey(): string {
  return installKey(stateFolder(process.env)).toString("hex");
}

/** Sessions that are kept on disk. Where they cannot be, their events are closed. */
function recorded(audit: (CarriedPlan["audit"] & object) | undefined, ports: ReturnType<typeof portsOf>): EngineFor {
  const engineOf: EngineOf = (plan, held) => createEngine(plan, { ...ports, sessionKey: sessionKey(), ...held });
  const sessions = new LiveSessions(
    {
      folder: sessionFolder(audit),
      state: stateFolder(process.env),
      ...(audit?.durability && { durability: audit.durability }),
      ...(audit?.file !== undefined && { copy: auditStore({ ...audit, file: audit.file }) }),
    },
    engineOf,
  );
  return (plan) => sessions.judge(plan);
}

/** Sessions of this process alone, without a record. */
function unrecorded(ports: ReturnType<typeof portsOf>): EngineFor {
  const given = { ...ports, sessionKey: sessionKey() };
  return (plan, before) => createEngine(plan, { ...given, ...(before && { continues: before }) });
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
