import { canonicalEvent, type EventName } from "../../schema/events.ts";

/** Name of the host whose rules apply. */
export type ProfileName = "pi" | "omp-hookapi" | "omp";

/** Folders in which a provider's modules lie, below the project and below the home, in the order of loading. */
export interface ModuleFolders {
  readonly provider: string;
  /** Higher comes first, and wins a key. */
  readonly priority: number;
  /** `hooks`: files in `pre` and `post`. `extensions`: modules, and folders with an index or a manifest. */
  readonly layout: "hooks" | "extensions";
  readonly project: readonly string[];
  readonly user: readonly string[];
}

/**
 * Differences between the hosts. All other behaviour is the same for every host.
 * The table is executed by `test/spec/profiles.md`. Source: semantics page section 3, "Shared runner".
 */
export interface Profile {
  readonly name: ProfileName;
  /** Does a `tool_result` handler see the changes of earlier ones, or always the original (then the last override wins)? */
  readonly toolResult: "chained" | "original";
  /** Is a returned `isError` applied? */
  readonly isErrorApplied: boolean;
  /** After a failed tool: is the error always rethrown, or does the handlers' result replace it? */
  readonly failedTool: "rethrown" | "replaced";
  /** Do tools have structured results, which new content alone drops? */
  readonly structuredContent: boolean;
  /** May `tool_call` handlers write to `event.input`? A write to a frozen one throws, and so blocks. */
  readonly input: "mutable" | "frozen";
  /** Does an `input` returned by a `tool_call` handler replace the arguments? */
  readonly returnedInput: boolean;
  /** Milliseconds after which a `tool_call` handler that does not settle blocks. */
  readonly toolCallTimeout: number | undefined;
  /** May the factory be async? A class is refused where it may not. */
  readonly factory: "sync" | "sync or async";
  /** May `on()` be called after the factory returned? */
  readonly lateOn: boolean;
  /** Are all messages of `before_agent_start` injected, or the first alone? */
  readonly startMessages: "accumulate" | "first";
  /** Form of the system prompt in `before_agent_start`; `none` means that handlers neither see nor change it. */
  readonly systemPrompt: "text" | "parts" | "none";
  /** Do edits of `event.messages` in place count without a return? */
  readonly contextInPlace: boolean;
  /** Form of the answer to `input`; `none` means that modules cannot handle it. */
  readonly inputAnswer: "action" | "handled" | "none";
  /** Are events accepted, and methods of the API served, that only extensions have? */
  readonly extensionEvents: boolean;
  /** Does `session_start` fire again after a switch or a fork to another session? */
  readonly sessionStartAfterChange: boolean;
  /** Where modules are found. For one provider, the project's modules come before the user's. */
  readonly moduleFolders: readonly ModuleFolders[];
  /** The host's own names for canonical events. */
  readonly names: Readonly<Partial<Record<EventName, string>>>;
}

const ompNames = {
  session_before_fork: "session_before_branch",
  session_fork: "session_branch",
  session_compacting: "session.compacting",
} as const;

/** Source: seed omp-hooks, "Important legacy mismatch" (the folders) and "Discovery-level ordering". */
const ompFolders: readonly ModuleFolders[] = [
  {
    provider: "omp",
    priority: 100,
    layout: "hooks",
    project: [".omp/hooks"],
    user: [".omp/hooks", ".omp/agent/hooks"],
  },
  { provider: "claude", priority: 80, layout: "hooks", project: [".claude/hooks"], user: [".claude/hooks"] },
];

/** Source: hosts page, sections 3 and 5: extensions before hook files. */
const ompExtensions: ModuleFolders = {
  provider: "omp-extensions",
  priority: 110,
  layout: "extensions",
  project: [".omp/extensions"],
  user: [".omp/agent/extensions"],
};

/** Source: seed pi-hook-reference, "Execution Order Across Extensions"; hosts page, section 2. */
const piExtensions: ModuleFolders = {
  provider: "pi",
  priority: 100,
  layout: "extensions",
  project: [".pi/extensions"],
  user: [".pi/agent/extensions"],
};

/** pi. Source: seed pi-hook-reference; in-place edits from the hosts page, section 2. */
const pi: Profile = {
  name: "pi",
  toolResult: "chained",
  isErrorApplied: true,
  failedTool: "replaced",
  structuredContent: true,
  input: "mutable",
  returnedInput: false,
  toolCallTimeout: undefined,
  factory: "sync or async",
  lateOn: true,
  startMessages: "accumulate",
  systemPrompt: "text",
  contextInPlace: true,
  inputAnswer: "action",
  extensionEvents: true,
  sessionStartAfterChange: true,
  moduleFolders: [piExtensions],
  names: { session_compacting: "session.compacting" },
};

/** The HookAPI of omp. Source: seeds omp-hooks and omp-authoring-hooks. */
const ompHookApi: Profile = {
  name: "omp-hookapi",
  toolResult: "original",
  isErrorApplied: false,
  failedTool: "rethrown",
  structuredContent: false,
  input: "frozen",
  returnedInput: false,
  toolCallTimeout: undefined,
  factory: "sync",
  lateOn: false,
  startMessages: "first",
  systemPrompt: "none",
  contextInPlace: false,
  inputAnswer: "none",
  extensionEvents: false,
  sessionStartAfterChange: false,
  moduleFolders: ompFolders,
  names: ompNames,
};

/** Today's omp, whose extension runner serves hook modules too. Source: hosts page, sections 3 and 6. */
const omp: Profile = {
  name: "omp",
  toolResult: "chained",
  isErrorApplied: true,
  failedTool: "replaced",
  structuredContent: false,
  input: "mutable",
  returnedInput: true,
  toolCallTimeout: 30_000,
  factory: "sync or async",
  lateOn: true,
  startMessages: "accumulate",
  systemPrompt: "parts",
  contextInPlace: false,
  inputAnswer: "handled",
  extensionEvents: true,
  sessionStartAfterChange: false,
  moduleFolders: [ompExtensions, ...ompFolders],
  names: ompNames,
};

/** The differences between the hosts, as data. */
export const profiles: Readonly<Record<ProfileName, Profile>> = { pi, "omp-hookapi": ompHookApi, omp };

/** Events of HookAPI. Source: seed omp-authoring-hooks, "Event catalog". */
const hookApiEvents: ReadonlySet<string> = new Set([
  "tool_call",
  "tool_result",
  "session_start",
  "session_before_switch",
  "session_switch",
  "session_before_fork",
  "session_fork",
  "session_before_compact",
  "session_compacting",
  "session_compact",
  "session_before_tree",
  "session_tree",
  "session_shutdown",
  "before_agent_start",
  "agent_start",
  "agent_end",
  "turn_start",
  "turn_end",
  "context",
  "auto_compaction_start",
  "auto_compaction_end",
  "auto_retry_start",
  "auto_retry_end",
  "ttsr_triggered",
  "todo_reminder",
]);

/** Returns a profile by name, `omp-hookapi` by default. Throws a TypeError for an unknown name. */
export function profileNamed(name: ProfileName = "omp-hookapi"): Profile {
  if (Object.hasOwn(profiles, name)) return profiles[name];
  throw new TypeError(`there is no profile \`${String(name)}\`; there are ${Object.keys(profiles).join(", ")}`);
}

/** Returns the canonical name of an event, which all of the hosts' names for it share; an unknown name stays as it is. */
export function handlerKey(event: string): string {
  return canonicalEvent(event) ?? event;
}

/** True if a module of this profile may register for the event. */
export function acceptsEvent(profile: Profile, event: string): boolean {
  return profile.extensionEvents || hookApiEvents.has(handlerKey(event));
}

/** Returns the host's own name of an event. */
export function hostName(profile: Profile, event: string): string {
  const key = handlerKey(event);
  return Object.hasOwn(profile.names, key) ? (profile.names[key as EventName] ?? key) : key;
}
