import { validateOptaConfig } from "../../schema/validators.generated.js";

/** Points of the agent loop at which hooks run. `prompt.pre` and `stop` are of V4. Source: seed opta-hook-system, sections 2 and 9. */
export const hookEvents = [
  "session.start",
  "session.end",
  "tool.pre",
  "tool.post",
  "compact",
  "error",
  "prompt.pre",
  "stop",
] as const;

/** Opta's name of an event. */
export type HookEvent = (typeof hookEvents)[number];

/** One hook of a configuration: a command, or a prompt for the judge of the host. */
export interface HookDefinition {
  event: HookEvent;
  /** Run by `sh -c`. */
  command?: string;
  /** Question for the host's judge, in place of a command (V4). */
  prompt?: string;
  /** RE2 pattern, found anywhere in the tool's name; `tool.pre` and `tool.post` only. */
  matcher?: string;
  /** Milliseconds, 100 to 60,000; `defaultTimeout` when not given. */
  timeout?: number;
  /** Effect of a time-out where a hook decides: `continue` by default, `cancel` as a non-zero exit code. */
  on_timeout?: "continue" | "cancel";
  /** True if nobody waits for it; it then cancels nothing. */
  background?: boolean;
  /** `json`: the context on standard input, an answer on standard output (V4). `env` by default: variables alone. */
  protocol?: "env" | "json";
  /** Shown while it runs (V4). */
  statusMessage?: string;
}

/** A parsed configuration. Settings that are not about hooks stay as they are. */
export interface OptaConfig {
  hooks: HookDefinition[];
  /** Further variables for hooks: names, or prefixes that end with `*`. Only the user's own configuration may set it. */
  passEnv?: string[];
  [setting: string]: unknown;
}

/** Default time limit of a hook, in milliseconds. Source: seed opta-hook-system, section 2. */
export const defaultTimeout = 10_000;

/** One error in a configuration. */
export interface OptaIssue {
  /** JSON Pointer into the configuration. */
  readonly path: string;
  readonly message: string;
}

/** A configuration that cannot be used. */
export class OptaConfigError extends Error {
  override readonly name = "OptaConfigError";
  readonly issues: readonly OptaIssue[];

  constructor(issues: readonly OptaIssue[]) {
    super(issues.map(({ path, message }) => `${path === "" ? "the configuration" : path} ${message}`).join("; "));
    this.issues = issues;
  }
}

/** Result of `safeParse`. */
export type OptaParse =
  | { readonly success: true; readonly data: OptaConfig }
  | { readonly success: false; readonly error: OptaConfigError };

/**
 * The schema of a configuration, with the interface of the seed's own (section 3). `parse` returns the configuration, always
 * with `hooks`, or throws an `OptaConfigError`. `schema/opta-config.schema.json` checks it, compiled ahead of time.
 */
export const OptaConfigSchema = {
  parse(value: unknown): OptaConfig {
    const parsed = this.safeParse(value);
    if (parsed.success) return parsed.data;
    throw parsed.error;
  },
  safeParse(value: unknown): OptaParse {
    if (!validateOptaConfig(value)) return { success: false, error: new OptaConfigError(issues()) };
    const hooks = (value.hooks ?? []).map((hook) => definition(hook as HookDefinition & Record<string, unknown>));
    return { success: true, data: { ...value, hooks } };
  },
};

/** Returns only the first error: later ones often merely follow from it. */
function issues(): OptaIssue[] {
  const found = validateOptaConfig.errors ?? [];
  const told = found.find(({ keyword }) => keyword === "oneOf") ?? found.at(-1);
  if (!told) return [{ path: "", message: "does not fit" }];
  const allowed = told.params["allowedValues"];
  const message =
    told.keyword === "oneOf"
      ? "must have either a `command` or a `prompt`"
      : `${told.message ?? "does not fit"}${Array.isArray(allowed) ? ` (${allowed.join(", ")})` : ""}`;
  return [{ path: told.instancePath, message }];
}

const fields = [
  "event",
  "command",
  "prompt",
  "matcher",
  "timeout",
  "on_timeout",
  "background",
  "protocol",
  "statusMessage",
] as const;

/** Lists the fields of a definition that nobody reads. */
export function unknownFields(hook: object): string[] {
  return Object.keys(hook).filter((name) => !(fields as readonly string[]).includes(name));
}

/** Returns a definition with its known fields only, as the seed's schema does. */
function definition(hook: HookDefinition & Record<string, unknown>): HookDefinition {
  const known = fields.filter((name) => Object.hasOwn(hook, name) && hook[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, hook[name]])) as unknown as HookDefinition;
}
