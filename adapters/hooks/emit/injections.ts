import { createHash } from "node:crypto";
import type { AgentMessage, HookMessage } from "../messages.ts";

/**
 * The messages that the policy injected in this session, by digest, so that a `context` handler cannot remove one:
 * a message delivered in one event is put back if it is missing in a later one.
 */
export class Injections {
  #digests = new Set<string>();
  #pending: HookMessage[] = [];

  /** Keeps a message for the next prompt, because its own event cannot carry one. */
  later(message: HookMessage): void {
    this.#pending.push(message);
  }

  /** Returns the messages kept for this prompt and clears them. */
  due(): readonly HookMessage[] {
    const due = this.#pending;
    this.#pending = [];
    return due;
  }

  /** Remembers a message the policy delivered. */
  remember(message: HookMessage): void {
    this.#digests.add(digest(message.customType, message.content));
  }

  /** Puts every injected message of `original` that `current` lacks back, at its old index as far as possible. */
  restored(original: readonly AgentMessage[], current: readonly AgentMessage[]): readonly AgentMessage[] {
    if (this.#digests.size === 0) return current;
    const left = new Map<string, number>();
    for (const message of current) {
      const key = this.#known(message);
      if (key !== undefined) left.set(key, (left.get(key) ?? 0) + 1);
    }
    const missing: { at: number; message: AgentMessage }[] = [];
    original.forEach((message, at) => {
      const key = this.#known(message);
      if (key === undefined) return;
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      else missing.push({ at, message });
    });
    return missing.length === 0 ? current : merged(current, missing);
  }

  #known(message: unknown): string | undefined {
    if (typeof message !== "object" || message === null) return undefined;
    const { role, customType, content } = message as { role?: unknown; customType?: unknown; content?: unknown };
    if (role !== "custom") return undefined;
    const key = digest(customType, content);
    return this.#digests.has(key) ? key : undefined;
  }
}

function merged(
  current: readonly AgentMessage[],
  missing: readonly { at: number; message: AgentMessage }[],
): AgentMessage[] {
  const result: AgentMessage[] = [];
  let next = 0;
  for (const message of current) {
    for (let due = missing[next]; due !== undefined && due.at <= result.length; due = missing[next]) {
      result.push(due.message);
      next += 1;
    }
    result.push(message);
  }
  return [...result, ...missing.slice(next).map((entry) => entry.message)];
}

function digest(customType: unknown, content: unknown): string {
  const text = typeof content === "string" ? content : textOf(content);
  return createHash("sha256")
    .update(JSON.stringify([String(customType), text]))
    .digest("hex");
}

/** Returns the text of any content. A list with one text gives that text; a cycle or a broken getter gives "". */
function textOf(content: unknown): string {
  try {
    const only =
      Array.isArray(content) && content.length === 1 ? (content[0] as { type?: unknown; text?: unknown }) : undefined;
    if (only?.type === "text" && typeof only.text === "string") return only.text;
    return JSON.stringify(content) ?? "";
  } catch {
    return "";
  }
}
