import type { PiMessage } from "./api.ts";

/** Maximum number of remembered prompts; a session rarely has that many rewritten ones. */
const rememberedPrompts = 256;

/**
 * Prompts that rules rewrote. pi accepts no changed prompt from `before_agent_start`, so the change is made where the
 * prompt would reach the model: in every later context.
 */
export class PromptRevisions {
  readonly #revised = new Map<string, string>();

  remember(prompt: string, revised: string): void {
    if (prompt === "") return;
    const oldest = this.#revised.size >= rememberedPrompts ? this.#revised.keys().next() : undefined;
    if (oldest && !oldest.done) this.#revised.delete(oldest.value);
    this.#revised.set(prompt, revised);
  }

  /** Replaces rewritten prompts in the messages; returns the same list if there are none. */
  apply(messages: PiMessage[]): PiMessage[] {
    if (this.#revised.size === 0) return messages;
    const revised = messages.map((message) => this.#revise(message));
    return revised.some((message, i) => message !== messages[i]) ? revised : messages;
  }

  #revise(message: PiMessage): PiMessage {
    if (message.role !== "user") return message;
    const { content } = message;
    if (typeof content === "string")
      return this.#revised.has(content) ? { ...message, content: this.#text(content) } : message;
    if (!Array.isArray(content) || !content.some((part) => this.#revised.has(textOf(part)))) return message;
    return { ...message, content: content.map((part) => this.#part(part)) };
  }

  #part(part: unknown): unknown {
    const text = textOf(part);
    return this.#revised.has(text) ? { ...(part as object), text: this.#text(text) } : part;
  }

  #text(prompt: string): string {
    return this.#revised.get(prompt) ?? prompt;
  }
}

function textOf(part: unknown): string {
  const text = typeof part === "object" && part !== null && "text" in part ? part.text : undefined;
  return typeof text === "string" ? text : "";
}
