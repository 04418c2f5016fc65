import type { ContentPart, Decision } from "../../schema/generated.ts";
import { hostVersion } from "../host-version.ts";
import { injectedText, wordsUnasked } from "../one-shot/dialect.ts";
import { joinedText, resultText } from "../one-shot/result-text.ts";
import { faultText, internalFault, withheldText } from "../pi/denial.ts";
import { replaceArguments } from "../pi/judged-calls.ts";
import type { Hooks, Part, SessionMessage, ToolCall, ToolOutput } from "./api.ts";
import { toWire, withheldMessages, withInjected } from "./messages.ts";
import { type GuardOptions, type SessionEngine, Sessions } from "./session.ts";

export type { GuardOptions, SessionEngine } from "./session.ts";

/**
 * Returns the hooks that put an engine in front of OpenCode. A throw refuses, and so does an internal fault: the call does
 * not run, the prompt is not sent. A result or a conversation that cannot be judged is withheld in place. The host cannot
 * ask anybody for a plugin, so an `ask` is a refusal that says how a human can still allow it.
 */
export function guardHooks(engine: SessionEngine, options: GuardOptions): Hooks {
  const guard = new Guard(new Sessions(engine, options));
  return {
    "tool.execute.before": (call, output) => refusing(() => guard.before(call, output)),
    "tool.execute.after": (call, output) =>
      otherwise(
        () => guard.after(call, output),
        (why) => withhold(output, why),
      ),
    "chat.message": ({ sessionID }, { parts }) => refusing(() => guard.prompt(sessionID, parts)),
    "command.execute.before": ({ command, sessionID, arguments: args }) =>
      refusing(() => guard.command(sessionID, `/${command} ${args}`.trim())),
    "experimental.chat.messages.transform": (_, output) =>
      otherwise(
        () => guard.context(output),
        (why) => put(output.messages, withheldMessages(output.messages, why)),
      ),
    "experimental.chat.system.transform": ({ sessionID }, { system }) =>
      refusing(async () => guard.system(sessionID ?? "", system)),
    "experimental.session.compacting": ({ sessionID }, { context }) =>
      refusing(() => guard.compacting(sessionID, context)),
    config: async ({ mcp }) => guard.servers(Object.keys(mcp ?? {})),
    event: ({ event }) => guard.seen(event).catch(() => undefined),
  };
}

/** Runs a hook whose error must stop the call or prompt, in words for the model. */
async function refusing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(faultText(internalFault(error)));
  }
}

/** Runs a hook whose error withholds its data; if even that fails, the error stops it. */
async function otherwise(work: () => Promise<void>, closed: (why: string) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = faultText(internalFault(error));
    try {
      closed(why);
    } catch {
      throw new Refused(why);
    }
  }
}

/** The host's description of a session that it made: its own version, and the parent of a sub-agent. */
interface SessionInfo {
  readonly id?: string;
  readonly parentID?: string;
  readonly version?: unknown;
}

/** Error by which a hook stops a call or a prompt; the model gets its message. */
class Refused extends Error {}

/** Maximum number of calls whose injected text waits for their result; far more than an agent runs at once. */
const maxPending = 1_000;

class Guard {
  readonly #sessions: Sessions;
  /** Texts for the model by call, to be added to its result. */
  readonly #pending = new Map<string, string>();
  /** Texts of the running turn for the system prompt, by session. */
  readonly #system = new Map<string, string>();
  #servers: readonly string[] = [];

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Sets the names of MCP servers, the longest first, as the host writes them before their tools' names. */
  servers(names: readonly string[]): void {
    this.#servers = names.toSorted((a, b) => b.length - a.length);
  }

  async before({ tool, sessionID, callID }: ToolCall, output: { args: Record<string, unknown> }): Promise<void> {
    await this.#sessions.refresh(sessionID);
    const call = { tool: this.#name(tool), args: output.args, call_id: callID };
    const decision = await this.#sessions.judge("tool_call", sessionID, call);
    if (decision.outcome !== "allow") throw new Refused(wordsUnasked(decision));
    const { args } = decision.changes;
    if (args !== undefined) replaceArguments(output.args, args);
    const text = injectedText(decision);
    if (text === undefined) return;
    if (this.#pending.size >= maxPending) this.#pending.delete(this.#pending.keys().next().value as string);
    this.#pending.set(callID, text);
  }

  async after(call: ToolCall & { args?: unknown }, output: ToolOutput): Promise<void> {
    const { content, main } = contentOf(output);
    const details = { title: output.title ?? "", metadata: output.metadata ?? {} };
    const args = typeof call.args === "object" && call.args !== null ? call.args : {};
    const decision = await this.#sessions.judge("tool_result", call.sessionID, {
      tool: this.#name(call.tool),
      call_id: call.callID,
      args,
      result: { content, details, is_error: false },
    });
    if (decision.outcome !== "allow") withhold(output, wordsUnasked(decision));
    else change(output, main, decision);
    const beside = [this.#pending.get(call.callID), decision.changes.message?.content].filter((t) => t !== undefined);
    this.#pending.delete(call.callID);
    if (beside.length > 0) append(output, beside.join("\n\n"));
  }

  async prompt(session: string, parts: Part[]): Promise<void> {
    this.#sessions.nextTurn(session);
    await this.#sessions.refresh(session);
    const texts = parts.filter((part) => part.type === "text" && part["synthetic"] !== true);
    const typed = await this.#sessions.judge("input", session, { text: textOf(texts) });
    if (typed.outcome !== "allow") throw this.#refusedPrompt(typed);
    if (typed.changes.text !== undefined) setText(texts, typed.changes.text);
    const begun = await this.#sessions.judge("before_agent_start", session, { prompt: textOf(texts) });
    if (begun.outcome !== "allow") throw this.#refusedPrompt(begun);
    const { prompt, system_prompt, message } = begun.changes;
    if (prompt !== undefined) setText(texts, prompt);
    this.#system.delete(session);
    if (system_prompt !== undefined) this.#system.set(session, [system_prompt].flat().join("\n\n"));
    const injected = [injectedText(typed), message?.content].filter((text) => text !== undefined);
    if (injected.length > 0) setText(texts, [textOf(texts), ...injected].join("\n\n"));
  }

  async command(session: string, text: string): Promise<void> {
    await this.#sessions.refresh(session);
    const decision = await this.#sessions.judge("input", session, { text });
    if (decision.outcome !== "allow") throw this.#refusedPrompt(decision);
  }

  /** Returns the error for a refused prompt and tells the human, since the host does not show the reason. */
  #refusedPrompt(decision: Decision): Refused {
    const why = wordsUnasked(decision);
    this.#sessions.tell(why, "error");
    return new Refused(why);
  }

  async context(output: { messages: SessionMessage[] }): Promise<void> {
    const session = output.messages.find(({ info }) => info.sessionID !== undefined)?.info.sessionID ?? "";
    const wire = toWire(output.messages);
    const decision = await this.#sessions.judge("context", session, { messages: wire.messages });
    if (decision.outcome !== "allow") {
      put(output.messages, withheldMessages(output.messages, wordsUnasked(decision)));
      return;
    }
    const { messages } = decision.changes;
    if (messages !== undefined) put(output.messages, wire.restored(messages));
    const text = injectedText(decision);
    if (text !== undefined) put(output.messages, withInjected(output.messages, text, this.#sessions.newId()));
  }

  /** Adds the texts to every request of the turn, even those for a title: nobody knows which is the main one. */
  system(session: string, system: string[]): void {
    const text = this.#system.get(session);
    if (text !== undefined) system.push(text);
  }

  async compacting(session: string, context: string[]): Promise<void> {
    const decision = await this.#sessions.judge("session_compacting", session, { messages: [], session_id: session });
    const text = injectedText(decision);
    if (text !== undefined) context.push(text);
  }

  async seen({ type, properties }: { type: string; properties?: unknown }): Promise<void> {
    const given = (properties ?? {}) as { sessionID?: string; info?: SessionInfo };
    const session = given.sessionID ?? given.info?.id;
    if (session === undefined) return;
    if (type === "session.created") {
      const version = hostVersion(given.info?.version);
      if (version !== undefined) this.#sessions.versionSeen(version);
      this.#sessions.begun(session, given.info?.parentID);
      await this.#sessions.judge("session_start", session, { reason: "new" });
    }
    if (type === "session.deleted") {
      await this.#sessions.judge("session_shutdown", session, { reason: "deleted" });
      this.#sessions.ended(session);
    }
    if (type === "session.idle") await this.#sessions.judge("agent_end", session, {});
  }

  /** Converts `<server>_<tool>` to the form of policies. */
  #name(tool: string): string {
    const server = this.#servers.find((name) => tool.startsWith(`${prefixOf(name)}_`));
    return server === undefined ? tool : `mcp__${server}__${tool.slice(prefixOf(server).length + 1)}`;
  }
}

function prefixOf(server: string): string {
  return server.replace(/[^a-zA-Z0-9_-]/g, "_");
}

/** Returns the texts of a result that the model reads, and their field. */
function contentOf(output: ToolOutput): { content: readonly ContentPart[]; main: "output" | "content" } {
  const main = Array.isArray(output.content) && output.output === undefined ? "content" : "output";
  return { content: resultText(output[main] ?? "").content, main };
}

/** Writes a decision's changes into the host's own object, and into the copies that it keeps for the screen. */
function change(output: ToolOutput, main: "output" | "content", { changes }: Decision): void {
  if (changes.content !== undefined) {
    const made = resultText(output[main] ?? "").replaced(changes.content);
    output[main] = made ? made.value : joinedText(changes.content);
  }
  if (!Object.hasOwn(changes, "details")) return;
  const { title, metadata } = (changes.details ?? {}) as { title?: string; metadata?: unknown };
  output.title = title ?? "";
  output.metadata = metadata ?? {};
}

/** Replaces the whole result by a notice. */
function withhold(output: ToolOutput, why: string): void {
  const text = withheldText(why);
  if (Array.isArray(output.content)) output.content = [{ type: "text", text }];
  else output.output = text;
  output.title = "withheld";
  output.metadata = {};
}

function append(output: ToolOutput, text: string): void {
  if (Array.isArray(output.content)) output.content = [...output.content, { type: "text", text }];
  else output.output = `${String(output.output ?? "")}\n\n${text}`;
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => String(part["text"] ?? "")).join("\n");
}

/** Puts the whole text into the first part and empties the others. */
function setText(parts: readonly Part[], text: string): void {
  for (const [i, part] of parts.entries()) part["text"] = i === 0 ? text : "";
}

/** Replaces the messages in place, since the host reads the same list object. */
function put(list: SessionMessage[], messages: readonly SessionMessage[]): void {
  list.splice(0, list.length, ...messages);
}
