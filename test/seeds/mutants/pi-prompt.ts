import { type Mutant, mutantsOf } from "./mutant.ts";

const turnStart = 'await runner.emit({ type: "turn_start",';
const turns = "return this.#agent(first, start.systemPrompt ?? systemPrompt, run);";
const pushed = "messages.push(message as HookMessage)";

/** Mutants of the input, and of the start and the end of a run, for the rows of the pi seed. */
export const piPromptMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/agent-loop.ts", [
    [
      "pi-resources-prompt",
      "const systemPrompt = this.#ports.systemPrompt();",
      "const kept = this.#ports as { base?: string | string[] }; kept.base ??= this.#ports.systemPrompt(); const systemPrompt = kept.base;",
    ],
    [
      "pi-input-send-user-message",
      '{ type: "input", text, source: "extension", ...given }',
      '{ type: "input", text, source: "rpc", ...given }',
    ],
    [
      "pi-input-before-expansion",
      '{ type: "input", text, source, ...given }',
      '{ type: "input", text: this.#ports.expand?.(text) ?? text, source, ...given }',
    ],
    [
      ["pi-input-built-ins", "pi-input-into-command", "pi-input-out-of-command"],
      "this.#ports.builtIn?.(input.text)",
      "this.#ports.builtIn?.(text)",
    ],
    ["pi-input-handled", 'if (input.action === "handled") {', "if (input.command !== undefined) {"],
    [
      "pi-input-when",
      'this.#runner.emitInput({ type: "input", text, source: "extension", ...given })',
      'Promise.resolve({ action: "continue", text, ...given } as InputOutcome)',
    ],
    [
      ["pi-start-when", "pi-start-payload"],
      "{ ...input, text: this.#ports.expand?.(input.text) ?? input.text }",
      "input",
    ],
    [
      "pi-start-prompt-resets",
      turns,
      `if (start.systemPrompt !== undefined) this.#ports.systemPrompt = () => start.systemPrompt as string; ${turns}`,
    ],
    ["pi-start-system-prompt", turns, "return this.#agent(first, systemPrompt, run);"],
    [
      "pi-start-messages-place",
      "[userMessage(input), ...this.#nextTurn.splice(0), ...custom]",
      "[...custom, userMessage(input), ...this.#nextTurn.splice(0)]",
    ],
    ["pi-start-display", "const custom = own.map(", "const custom = own.filter(({ display }) => display).map("],
    ["pi-agent-start-when", 'await runner.emit({ type: "agent_start" });', ""],
    ["pi-agent-start-once", '{ type: "agent_start" }', '{ type: "agent_start", systemPrompt } as never'],
    [
      "pi-agent-end-once",
      'await runner.emit({ type: "agent_end",',
      'if ((this.history.at(-1) as AssistantMessage | undefined)?.stopReason !== "error") await runner.emit({ type: "agent_end",',
    ],
    ["pi-agent-end-messages", "messages: made() }", "messages: [] }"],
    ["pi-agent-end-new-only", "messages: made() }", "messages: [...this.history] }"],
  ]),
  ...mutantsOf("adapters/hooks/agent-run.ts", [
    [
      "pi-start-once",
      turnStart,
      `if (turnIndex > 0) await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "", systemPrompt: this.#parts.systemPrompt }); ${turnStart}`,
    ],
    ["pi-agent-start-once", turnStart, `if (turnIndex > 0) await runner.emit({ type: "agent_start" }); ${turnStart}`],
    [
      "pi-agent-end-once",
      turnStart,
      `if (turnIndex > 0) await runner.emit({ type: "agent_end", messages: [] }); ${turnStart}`,
    ],
    [
      "pi-agent-end-when",
      "if (callsOf(message).length > 0 || steering.length > 0) continue;",
      "if (callsOf(message).length > 0) continue; if (steering.length > 0) return this.#parts.ended();",
    ],
  ]),
  ...mutantsOf("adapters/hooks/runner.ts", [
    [
      "pi-input-extension-commands",
      "await this.runCommand(name, blank < 0",
      "await this.emitInput(event); await this.runCommand(name, blank < 0",
    ],
  ]),
  ...mutantsOf("adapters/hooks/context.ts", [
    [
      ["pi-agent-end-history", "pi-session-start-restore"],
      "sessionManager: ports.sessionManager ?? emptySession",
      "sessionManager: emptySession",
    ],
  ]),
  ...mutantsOf("adapters/hooks/emit/input.ts", [
    [
      "pi-input-chain",
      "text: current.text, ...imagesOf(privateImages(",
      "text: event.text, ...imagesOf(privateImages(",
    ],
    [
      "pi-input-handled-stops",
      'if (read.handled) return outcome(event, current, "handled");',
      'if (read.handled) { const all = chain.handlers("input"); for (const later of all.slice(all.indexOf(registration) + 1)) await attempt(chain, later, given); return outcome(event, current, "handled"); }',
    ],
    ["pi-input-payload", "const given = { ...event, text", "const given = { type: event.type, text"],
    ["pi-input-continue", 'case "continue":', 'return undefined; case "continue": return { handled: true };'],
    ["pi-input-transform", "text: read.text ?? current.text", "text: current.text"],
    ["pi-input-transform", "images: read.images ?? current.images", "images: current.images"],
    ["pi-input-images", "images: read.images ?? current.images", "images: read.images"],
  ]),
  ...mutantsOf("adapters/hooks/emit/before-agent-start.ts", [
    ["pi-start-prompt-chains", "promptedEvent(event, prompt))", "promptedEvent(event, base))"],
    [
      "pi-start-messages-accumulate",
      'chain.profile.startMessages === "accumulate" || messages.length === 0',
      "messages.length === 0",
    ],
    ["pi-start-message-type", pushed, 'messages.push({ ...(message as HookMessage), customType: "custom" })'],
    [
      "pi-start-message-content",
      pushed,
      'messages.push({ ...(message as HookMessage), content: (Array.isArray(message["content"]) ? message["content"].filter(({ type }) => type === "text") : message["content"]) as string })',
    ],
    ["pi-start-message-details", pushed, "messages.push({ ...(message as HookMessage), details: undefined })"],
    ["pi-start-throw-goes-on", "if (answer === fault) continue;", "if (answer === fault) break;"],
  ]),
  ...mutantsOf("adapters/hooks/chain.ts", [
    [
      "pi-start-throw-reported",
      "await registration.handler({ ...event, type: registration.event }, chain.context())",
      "await (async () => registration.handler({ ...event, type: registration.event }, chain.context()))().catch(() => fault)",
    ],
  ]),
];
