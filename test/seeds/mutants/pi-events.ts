import { type Mutant, mutantsOf } from "./mutant.ts";

const given = "chain.profile.contextInPlace ? current : copyOf(chain, current)";
const kept = "if (fields?.messages !== undefined) current = fields.messages as AgentMessage[];";
const read = "answer === undefined ? undefined : { ...answer }";
const uncancelled = (event: string): string =>
  `answer === undefined ? undefined : { ...answer, ...(handlerKey(event.type) === "${event}" ? { cancel: undefined } : {}) }`;
const key = "const key = handlerKey(event.type);";
const unfired = (reasons: string): string =>
  `${key} if (key === "session_start" && ${reasons}.includes(String((event as { reason?: unknown }).reason))) return undefined;`;

/** Mutants of the emitters of the context, of sessions and of commands of the human, for the rows of the pi seed. */
export const piEventMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/emit/context.ts", [
    [["pi-context-chain", "pi-order-chain"], given, "copyOf(chain, original)"],
    ["pi-context-copy", "let current = copyOf(chain, original) ?? [];", "let current = messages as AgentMessage[];"],
    ["pi-context-mutable", given, "copyOf(chain, current)"],
    [
      "pi-context-filter",
      "if (fields?.messages !== undefined) current",
      "if (fields?.messages !== undefined && (fields.messages as unknown[]).length >= current.length) current",
    ],
    [
      "pi-context-inject",
      "if (fields?.messages !== undefined) current",
      "if (fields?.messages !== undefined && (fields.messages as unknown[]).length <= current.length) current",
    ],
    ["pi-context-nothing", kept, "current = (fields?.messages ?? []) as AgentMessage[];"],
  ]),
  ...mutantsOf("adapters/hooks/emit/session.ts", [
    ["pi-session-start-load", key, unfired('["startup"]')],
    ["pi-session-start-reload", key, unfired('["reload"]')],
    ["pi-session-start-change", key, unfired('["new", "resume", "fork"]')],
    ["pi-switch-cancel", read, uncancelled("session_before_switch")],
    ["pi-fork-cancel", read, uncancelled("session_before_fork")],
    ["pi-compact-cancel", read, uncancelled("session_before_compact")],
    ["pi-tree-cancel", read, uncancelled("session_before_tree")],
    ["pi-order-short-circuit", 'if (read["cancel"]) return { ...read, cancel: true };', ""],
    [
      "pi-resources-answer",
      '["skillPaths", "promptPaths", "themePaths"] as const',
      '["skillPaths", "themePaths"] as const',
    ],
    [
      "pi-agent-start-answer",
      "chain.handlers(key)) await attempt(chain, registration, event);",
      'chain.handlers(key)) { const answer = answerOf(await attempt(chain, registration, event)); if (key === "agent_start" && answer !== undefined) return answer; }',
    ],
    [
      "pi-execution-answer",
      "chain.handlers(key)) await attempt(chain, registration, event);",
      'chain.handlers(key)) { const answer = answerOf(await attempt(chain, registration, event)); if (key.startsWith("tool_execution_") && answer !== undefined) return answer; }',
    ],
  ]),
  ...mutantsOf("adapters/hooks/session-changes.ts", [
    ["pi-model-when", 'await this.#runner.emit({ type: "model_select", model, ...before, source });', ""],
    ["pi-model-payload", "previousModel === undefined ? {} : { previousModel };", "{};"],
    [
      "pi-model-source",
      'type: "model_select", model, ...before, source }',
      'type: "model_select", model, ...before, source: "set" }',
    ],
    ["pi-switch-when", 'await this.#runner.emit({ type: "session_switch", reason, ...left });', ""],
    ["pi-switch-payload", 'reason === "resume" && targetSessionFile !== undefined', "targetSessionFile !== undefined"],
    [
      "pi-fork-when",
      'await this.#runner.emit({ type: hostName(profile, "session_fork") as "session_fork", ...left });',
      "",
    ],
    ["pi-fork-payload", "{ type, entryId }", '{ type, entryId: "" }'],
    ["pi-fork-skip", "answer?.skipConversationRestore === true", "false"],
    ["pi-compact-when", 'await this.#runner.emit({ type: "session_compact",', 'void ({ type: "session_compact",'],
    [
      "pi-compact-payload",
      '{ type: "session_before_compact", ...before }',
      '{ type: "session_before_compact", preparation: before.preparation, branchEntries: [], signal: before.signal }',
    ],
    ["pi-compact-own", "const compaction = answer?.compaction;", "const compaction = undefined;"],
    ["pi-tree-when", 'await this.#runner.emit({ type: "session_tree", newLeafId, oldLeafId });', ""],
    [
      "pi-tree-payload",
      '{ type: "session_before_tree", preparation, signal }',
      '{ type: "session_before_tree", preparation, signal: new AbortController().signal }',
    ],
    [
      "pi-tree-summary",
      "const { summary, label } = answer ?? {};",
      "const { summary, label } = {} as Record<string, never>;",
    ],
    [
      "pi-resources-when",
      '{ type: "resources_discover", cwd, reason }',
      '{ type: "resources_discover", cwd, reason: "startup" }',
    ],
    [
      "pi-resources-payload",
      '{ type: "resources_discover", cwd, reason }',
      '{ type: "resources_discover", cwd: "", reason }',
    ],
    ["pi-shutdown-when", ".then(() => this.shutdown());", ".then(() => undefined);"],
    ["pi-resources-loaded", "if (found !== undefined) await load?.(found);", ""],
  ]),
  ...mutantsOf("adapters/hooks/discovery.ts", [
    [
      "pi-order-load",
      '[...under(cwd, project, "project"), ...under(home, user, "user")]',
      '[...under(home, user, "user"), ...under(cwd, project, "project")]',
    ],
  ]),
  ...mutantsOf("adapters/hooks/context.ts", [
    ["pi-shutdown-by-handler", "shutdown: () => ports.shutdown?.(),", "shutdown: () => undefined,"],
  ]),
  ...mutantsOf("adapters/hooks/emit/user-command.ts", [
    [
      "pi-bash-payload",
      'firstAnswer(chain, "user_bash", event, event.command)',
      'firstAnswer(chain, "user_bash", { ...event, excludeFromContext: false }, event.command)',
    ],
    [
      "pi-bash-result",
      "result: result as unknown as UserBashResult",
      'result: { output: result["output"] } as UserBashResult',
    ],
  ]),
  ...mutantsOf("adapters/hooks/session-changes.ts", [
    ["pi-model-when", 'await this.#runner.emit({ type: "model_select", model, ...before, source });', ""],
    ["pi-model-payload", "previousModel === undefined ? {} : { previousModel };", "{};"],
    [
      "pi-model-source",
      'type: "model_select", model, ...before, source }',
      'type: "model_select", model, ...before, source: "set" }',
    ],
    ["author-session-start", "if (this.#runner.profile.sessionStartAfterChange) await", "await"],
  ]),
];
