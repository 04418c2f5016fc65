import { type Mutant, mutantsOf } from "./mutant.ts";

const session = "adapters/hooks/emit/session.ts";

/** Events that only tell are told to nobody: one that has this name, or all that match. */
const untold = (rows: readonly string[], names: string): Mutant[] =>
  mutantsOf(session, [[rows, "chain.handlers(key))", `chain.handlers(/^(${names})$/.test(key) ? "" : key))`]]);

/** An event of `session_before_*` is told, and what handlers answer is not heard. */
const unheard = (rows: readonly string[], name: string): Mutant[] =>
  mutantsOf(session, [
    [rows, 'if (key.startsWith("session_before_"))', `if (key.startsWith("session_before_") && key !== "${name}")`],
  ]);

/** Mutants of session, agent and context events, for the rows of the omp seeds. */
export const ompEventMutants: readonly Mutant[] = [
  ...untold(["omp-session-start"], "session_start"),
  ...untold(["omp-switch", "author-switch"], "session_switch"),
  ...untold(["omp-branch"], "session_fork"),
  ...untold(["omp-compact", "author-compact"], "session_compact"),
  ...untold(["omp-tree", "author-tree"], "session_tree"),
  ...untold(["omp-shutdown", "author-shutdown"], "session_shutdown"),
  ...untold(["omp-agent-events", "author-agent"], "agent_start|agent_end"),
  ...untold(["omp-turn-events", "author-turn"], "turn_start|turn_end"),
  ...unheard(["omp-before-switch"], "session_before_switch"),
  ...unheard(["omp-before-branch", "author-branch"], "session_before_fork"),
  ...unheard(["omp-before-compact"], "session_before_compact"),
  ...unheard(["omp-before-tree", "omp-can-session"], "session_before_tree"),
  ...mutantsOf(session, [
    [
      ["omp-compacting", "author-compacting"],
      "await lastAnswer(chain, event)",
      "void (await lastAnswer(chain, event))",
    ],
    ["omp-conflict-compacting", "last = read ?? last", "last ??= read"],
    ["omp-conflict-before", "kept = read;", "kept ??= read;"],
  ]),
  ...mutantsOf("adapters/hooks/chain.ts", [
    ["omp-order-hooks", "return hooks.flatMap(", "return [...hooks].reverse().flatMap("],
  ]),
  ...mutantsOf("adapters/hooks/emit/context.ts", [
    [
      ["omp-example-context", "author-example-filter"],
      "if (fields?.messages !== undefined) current = fields.messages as AgentMessage[];",
      "",
    ],
    [["omp-context", "omp-can-context"], "current = fields.messages as AgentMessage[]", "void fields.messages"],
    // Each handler gets what the first one got.
    [
      ["omp-conflict-context", "author-context-chain", "author-context-current"],
      "copyOf(chain, current)",
      "copyOf(chain, original)",
    ],
    [
      "author-context-nothing",
      "if (fields?.messages !== undefined)",
      "if (fields?.messages === undefined) current = [];\n    else",
    ],
  ]),
  ...mutantsOf("adapters/hooks/emit/before-agent-start.ts", [
    [
      "omp-before-agent-start",
      "messages.push(message as HookMessage)",
      "messages.push({ ...(message as HookMessage), details: undefined })",
    ],
    [
      "author-start",
      "messages.push(message as HookMessage)",
      "messages.push({ ...(message as HookMessage), attribution: undefined as never })",
    ],
    ["omp-can-start", "messages.push(message as HookMessage)", "void message"],
  ]),
  ...mutantsOf("adapters/hooks/runner.ts", [
    // The context of the first call alone.
    [
      "author-context",
      "return emitContext(this.#chain, messages)",
      "return messages.length > 1 ? Promise.resolve(undefined) : emitContext(this.#chain, messages)",
    ],
  ]),
];
