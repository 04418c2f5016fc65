import { join, resolve } from "node:path";
import type { GastownHookGroup, GastownHooks } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { validateGastownHooks } from "../../schema/validators.generated.js";
import { repeatedKey } from "../install/jsonc.ts";
import { readRegularFile } from "../regular-file.ts";
import { compileMatcher, type Matcher } from "./matcher.ts";

/** Events of a hook configuration that occur in pi. */
export const hookEvents = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "Stop",
] as const;

/** Name of such an event. */
export type HookEvent = (typeof hookEvents)[number];

/** Source of a session's hooks: the option, the variable, Claude Code's settings, or built in. */
export type ConfigSource = "cli" | "env" | "claude" | "default";

/** One command at one event. */
export interface Hook {
  readonly event: HookEvent;
  /** Text for the shell, as the user wrote it. */
  readonly command: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly fits: Matcher;
}

/** The hooks of a session, in the order in which they run. */
export interface HookConfig {
  readonly source: ConfigSource;
  readonly hooks: readonly Hook[];
  /** Notes for its author: events that never happen here. */
  readonly notes: readonly string[];
}

/** A runtime configuration that cannot be used: hooks are off for the session, whatever other configurations exist. */
export interface ConfigFault {
  readonly source: ConfigSource;
  readonly path?: string;
  readonly problem: string;
}

/** Places to look for a configuration. */
export interface ConfigPlaces {
  /** Value of `--hooks-config`. */
  readonly option: boolean | string | undefined;
  /** Value of `PI_HOOKS_JSON`; an empty one is none. */
  readonly variable: string | undefined;
  /** True if Claude Code's settings of the project are requested. */
  readonly claudeSettings: boolean;
  readonly gastownMode: boolean;
  readonly cwd: string;
}

/** Default time limit of a hook, in milliseconds: v1. */
const hookTime = 5_000;

/** The hooks that run in gastown mode when nobody configured any: v1. */
export const builtInHooks: GastownHooks = {
  SessionStart: [{ hooks: [{ type: "command", command: "gt prime" }] }],
  PreCompact: [{ hooks: [{ type: "command", command: "bd sync" }] }],
  PreToolUse: [{ hooks: [{ type: "command", command: "gt tap guard" }] }],
};

/**
 * Loads the hooks of a session: from `--hooks-config`, else `PI_HOOKS_JSON`, else Claude Code's settings if requested, else
 * the built-in ones in gastown mode. Undefined if there are none. Only the first existing source counts, even if it is
 * broken. Never throws. Source: seed gastown-hooks-v1.1, section 1.
 */
export function loadConfig(places: ConfigPlaces): HookConfig | ConfigFault | undefined {
  const { option, variable, cwd } = places;
  if (option !== undefined) return fromOption(option, cwd);
  if (variable !== undefined && variable.trim() !== "") return withSource("env", read(variable));
  const claude = places.claudeSettings ? fromClaude(cwd) : undefined;
  if (claude) return claude;
  return places.gastownMode ? withSource("default", compiled([builtInHooks])) : undefined;
}

type Read = { readonly hooks: readonly Hook[]; readonly notes: readonly string[] } | { readonly problem: string };

function withSource(source: ConfigSource, found: Read, path?: string): HookConfig | ConfigFault {
  return { source, ...found, ...(path === undefined || !("problem" in found) ? {} : { path }) };
}

function fromOption(option: boolean | string, cwd: string): HookConfig | ConfigFault {
  if (typeof option !== "string" || option.trim() === "")
    return { source: "cli", problem: "`--hooks-config` needs the path of a file" };
  const path = resolve(cwd, option);
  const text = textOf(path);
  return withSource(
    "cli",
    typeof text === "string" ? read(text) : (text ?? { problem: "there is no such file" }),
    path,
  );
}

/** Reads the project's shared settings, then this user's for it; undefined if neither has hooks. */
function fromClaude(cwd: string): HookConfig | ConfigFault | undefined {
  const found: GastownHooks[] = [];
  for (const name of ["settings.json", "settings.local.json"]) {
    const path = join(cwd, ".claude", name);
    const text = textOf(path);
    if (text === undefined) continue;
    const parsed = typeof text === "string" ? parse(text) : text;
    if ("problem" in parsed) return { source: "claude", path, problem: parsed.problem };
    if (!Object.hasOwn(parsed.value, "hooks")) continue;
    const hooks = validated(parsed.value["hooks"]);
    if ("problem" in hooks) return { source: "claude", path, problem: hooks.problem };
    found.push(hooks.value);
  }
  return found.length === 0 ? undefined : withSource("claude", compiled(found));
}

/** Returns the text of a file; undefined if it is missing, a problem if it cannot be read. */
function textOf(path: string): string | { problem: string } | undefined {
  const file = readRegularFile(path, limits.policyBytes);
  if (file === "absent") return undefined;
  if (file === "no file") return { problem: "it is no regular file" };
  if (file === "too large") return { problem: `it is larger than ${limits.policyBytes} bytes` };
  if ("system" in file) return { problem: `it cannot be read (${file.system})` };
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes);
}

/** Reads the `hooks` object itself, or an object that has it under `hooks`, like a settings file. */
function read(text: string): Read {
  const parsed = parse(text);
  if ("problem" in parsed) return parsed;
  const beside = hookEvents.find((event) => Object.hasOwn(parsed.value, event));
  if (beside !== undefined && Object.hasOwn(parsed.value, "hooks"))
    return { problem: `\`${beside}\` stands beside \`hooks\`, where nobody reads it: put it into \`hooks\`` };
  const hooks = validated(Object.hasOwn(parsed.value, "hooks") ? parsed.value["hooks"] : parsed.value);
  return "problem" in hooks ? hooks : compiled([hooks.value]);
}

/** Parses JSON text as an object. The parser's message quotes the text, which may hold secrets, so only the place is reported. */
function parse(text: string): { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  if (text.length > limits.policyBytes) return { problem: `it is longer than ${limits.policyBytes} characters` };
  try {
    const json = text.replace(/^\ufeff/, "");
    const value: unknown = JSON.parse(json);
    const repeated = repeatedKey(json);
    if (repeated !== undefined) return { problem: `\`${repeated}\` stands twice, and one of them would be left out` };
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { value: value as Record<string, unknown> };
    return { problem: "it is not a JSON object" };
  } catch (error) {
    const place = /at position \d+/.exec(error instanceof Error ? error.message : "");
    return { problem: `it is not valid JSON${place ? ` (${place[0]})` : ""}` };
  }
}

function validated(value: unknown): { readonly value: GastownHooks } | { readonly problem: string } {
  if (validateGastownHooks(value)) return { value };
  const [error] = validateGastownHooks.errors ?? [];
  const extra = error?.params["additionalProperty"];
  const what =
    typeof extra === "string" ? `\`${extra}\` is not known` : (error?.message ?? "it does not fit the schema");
  return { problem: `${error?.instancePath || "hooks"}: ${what}` };
}

/** Compiles the hooks of several configurations, in the order of the configurations. */
function compiled(configs: readonly GastownHooks[]): Read {
  const hooks: Hook[] = [];
  for (const config of configs) {
    for (const event of hookEvents) {
      for (const group of config[event] ?? []) {
        const fits = compileMatcher(group.matcher);
        if ("problem" in fits) return { problem: `${event}: ${fits.problem}` };
        hooks.push(...hooksOf(event, group, fits));
      }
    }
  }
  const silent = configs.flatMap((config) => Object.keys(config).filter((name) => !hookEvents.some((e) => e === name)));
  const notes = [...new Set(silent)].map((name) => `hooks of \`${name}\` never run: pi has no such event`);
  return { hooks, notes };
}

function hooksOf(event: HookEvent, group: GastownHookGroup, fits: Matcher): Hook[] {
  return group.hooks.map(({ command, timeout }) => ({
    event,
    command,
    timeout: timeout === undefined ? hookTime : Math.ceil(timeout * 1_000),
    fits,
  }));
}
