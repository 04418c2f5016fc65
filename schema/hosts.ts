import { type EventName, eventTable } from "./event-kinds.ts";
import { claudeAgentSdk, claudeCode, codex, geminiCli, goose, vscode } from "./hosts/claude-like.ts";
import { cline, copilot, cursor, opencode, windsurf } from "./hosts/editors.ts";
import { aiSdk, langchain, mastra, mcp, openaiAgents } from "./hosts/embedded.ts";
import { omp, ompHookApi } from "./hosts/omp.ts";
import { pi } from "./hosts/pi.ts";
import { type HostAction, type HostEvent, type HostRow, type WeakerForm, weakerForms } from "./hosts/row.ts";
import { gastown, opta } from "./hosts/shell-hooks.ts";

/** Every host with the events it delivers and the actions it honours, by the name that events and `--host` give it. */
export const hosts = {
  pi,
  omp,
  "omp-hookapi": ompHookApi,
  opta,
  gastown,
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  opencode,
  copilot,
  vscode,
  cursor,
  windsurf,
  cline,
  goose,
  mcp,
  "claude-agent-sdk": claudeAgentSdk,
  "ai-sdk": aiSdk,
  "openai-agents": openaiAgents,
  langchain,
  mastra,
} as const satisfies Record<string, HostRow>;

/** Name of a host. */
export type HostName = keyof typeof hosts;

/** Every host, in the order of the table. */
export const hostNames = Object.keys(hosts) as HostName[];

/** Other names for a host: those that `hook` and `install` take, and short ones. */
const hostAliases: Readonly<Record<string, HostName>> = {
  gemini: "gemini-cli",
  claude: "claude-code",
  "copilot-cli": "copilot",
  "github-copilot": "copilot",
  "codex-cli": "codex",
  "vs-code": "vscode",
  "opencode-ai": "opencode",
};

const hostsByAlias: ReadonlyMap<string, HostName> = new Map([
  ...hostNames.map((name) => [hosts[name].title.toLowerCase(), name] as const),
  ...Object.entries(hostAliases),
  ...hostNames.map((name) => [name, name] as const),
]);

/** Every other name of a host, for suggestions. */
export const otherHostNames: readonly string[] = Object.keys(hostAliases);

/** Returns a host's name as events have it, by any of its names or titles; any other text is returned unchanged. */
export function canonicalHost(name: string): string {
  return hostsByAlias.get(name) ?? hostsByAlias.get(name.toLowerCase()) ?? name;
}

/** The host of a name, or undefined; names of a host's packages and releases are not known here. */
export function hostRow(name: string): HostRow | undefined {
  return Object.hasOwn(hosts, name) ? hosts[name as HostName] : undefined;
}

/** The event as a host delivers it, or undefined when it does not. */
export function hostEvent(host: HostName, event: EventName): HostEvent | undefined {
  const rows: HostRow["events"] = hosts[host].events;
  return Object.hasOwn(rows, event) ? rows[event] : undefined;
}

/** Actions that the engine performs without the host, on any event that reaches it. */
export const ownActions = ["label", "run", "notify", "record"] as const;

/** Actions that `enforceable` can be asked about. */
export type AskedAction = HostAction | (typeof ownActions)[number];

/** Support of a host for an action on an event, with the reason if it is not full. */
export type Enforcement =
  | { readonly level: "full"; readonly reason: string }
  | { readonly level: "weaker"; readonly form: WeakerForm; readonly reason: string }
  | { readonly level: "none"; readonly reason: string };

/**
 * Tells whether a host enforces a rule with this action on this event: in full, in a weaker form, or not at all, with the reason
 * in words. Source: semantics section 1, "nothing is dropped in silence".
 */
export function enforceable(host: HostName, event: EventName, action: AskedAction): Enforcement {
  const { title } = hosts[host];
  const delivered = hostEvent(host, event);
  if (!delivered) return { level: "none", reason: `${title} does not deliver \`${event}\`` };
  const note = delivered.note === undefined ? "" : ` (${delivered.note})`;
  if ((ownActions as readonly string[]).includes(action))
    return { level: "full", reason: `the engine does it on every event that ${title} delivers` };
  const how = delivered.can[action as HostAction];
  if (how === "full") return { level: "full", reason: `${title} honours it${note}` };
  if (how !== undefined) return { level: "weaker", form: how, reason: `on ${title} ${weakerForms[how]}${note}` };
  const instead = eventTable[event].kind === "observe" ? "; the event is only seen" : "";
  return { level: "none", reason: `${title} has no way to do it on \`${event}\`${instead}${note}` };
}

/**
 * Every host's own names of an event, each once, in the order of the table. A proxy or wrapped library has functions and methods
 * instead of event names.
 */
export function hostNamesOf(event: EventName): readonly string[] {
  const named = hostNames.filter((host) => hosts[host].kind === "in process" || hosts[host].kind === "command");
  const names = named.flatMap((host) => hostEvent(host, event)?.names ?? []);
  return [...new Set(names)].filter((name) => name !== event);
}
