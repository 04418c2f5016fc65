import { resultText } from "../../adapters/one-shot/result-text.ts";
import { type Fields, fieldsOf, textOf } from "./record-lines.ts";
import type { Place, Step } from "./step.ts";
import {
  environmentOf,
  OpenCalls,
  type TranscriptOptions,
  type TranscriptReader,
  textOfContent,
  timeOf,
} from "./transcript.ts";

/** Entries that concern no rule. */
const passed: ReadonlySet<string> = new Set(
  (
    "system summary file-history-snapshot progress queue-operation permission-mode attachment last-prompt ai-title " +
    "custom-title agent-name agent-color agent-setting tag mode pr-link worktree-state content-replacement " +
    "task-summary speculation-accept attribution-snapshot marble-origami-commit marble-origami-snapshot"
  ).split(" "),
);

/** True for an entry of a Claude Code transcript. */
export function isClaudeEntry(entry: Fields): boolean {
  const type = textOf(entry, "type") ?? "";
  if (type === "user" || type === "assistant") {
    return textOf(entry, "sessionId") !== undefined && fieldsOf(entry["message"]) !== undefined;
  }
  if (type === "summary") return textOf(entry, "leafUuid") !== undefined;
  if (type === "file-history-snapshot") return textOf(entry, "messageId") !== undefined;
  return passed.has(type) && textOf(entry, "sessionId") !== undefined;
}

/**
 * Reads a transcript of Claude Code (`projects/<project>/<session>.jsonl`, and those of its sub-agents): entries of one or
 * more sessions, in order. Results are those that its hooks get (`toolUseResult`).
 */
export class ClaudeTranscript implements TranscriptReader {
  readonly #options: TranscriptOptions;
  readonly #calls = new OpenCalls();
  readonly #turns = new Map<string, number>();

  constructor(options: TranscriptOptions = {}) {
    this.#options = options;
  }

  read(entry: Fields, place: Place): readonly Step[] {
    const type = textOf(entry, "type") ?? "";
    if (passed.has(type)) return [{ kind: "passed", place }];
    const message = fieldsOf(entry["message"]);
    if (!message || (type !== "user" && type !== "assistant"))
      return [{ kind: "unknown", why: "the entry is of no known type", place }];
    const parts = partsOf(message["content"]);
    const steps =
      type === "assistant"
        ? parts.flatMap((part, i) => this.#call(entry, part, i, place))
        : [...this.#results(entry, parts, place), ...this.#prompt(entry, message, place)];
    return steps.length > 0 ? steps : [{ kind: "passed", place }];
  }

  #call(entry: Fields, part: Fields, i: number, place: Place): Step[] {
    if (part["type"] !== "tool_use") return [];
    const tool = textOf(part, "name");
    const args = fieldsOf(part["input"]);
    if (tool === undefined || !args) return [{ kind: "unknown", why: "the call has no name or no arguments", place }];
    const id = textOf(part, "id") ?? "";
    this.#calls.put(id, tool, args);
    return [this.#event(entry, place, `.${i}`, { event: "tool_call", tool, args, call_id: id })];
  }

  #results(entry: Fields, parts: readonly Fields[], place: Place): Step[] {
    const results = parts.filter((part) => part["type"] === "tool_result");
    return results.map((part, i) => {
      const id = textOf(part, "tool_use_id") ?? "";
      const failed = part["is_error"] === true;
      // The tool's own result belongs to the whole entry, so it is used only if the entry has one result.
      const own = failed || results.length > 1 ? undefined : entry["toolUseResult"];
      const call = this.#calls.take(id);
      const content = contentOf(own ?? part["content"]);
      if (!call || !content)
        return {
          kind: "unknown",
          why: call ? "the result is nested too deeply" : "the result is of no known call",
          place,
        };
      return this.#event(entry, place, `.${i}`, {
        event: "tool_result",
        tool: call.tool,
        args: call.args,
        call_id: id,
        result: { content, is_error: failed },
      });
    });
  }

  /** Returns the prompt that a human typed. The first message of a sub-agent is the model's, and a summary is nobody's. */
  #prompt(entry: Fields, message: Fields, place: Place): Step[] {
    const typed = [entry["isSidechain"], entry["isMeta"], entry["isCompactSummary"]].every((one) => one !== true);
    const text = textOfContent(message["content"]);
    if (!typed || text === "") return [];
    const session = textOf(entry, "sessionId") ?? "";
    this.#turns.set(session, (this.#turns.get(session) ?? 0) + 1);
    return [this.#event(entry, place, "", { event: "input", text })];
  }

  #event(entry: Fields, place: Place, part: string, payload: Fields): Step {
    const id = textOf(entry, "sessionId") ?? "";
    const agent = entry["isSidechain"] === true ? { agent: { id: textOf(entry, "agentId") ?? "sidechain" } } : {};
    const wire = {
      ...payload,
      id: `${textOf(entry, "uuid") ?? place.line}${part}`,
      host: "claude-code",
      ...timeOf(textOf(entry, "timestamp")),
      environment: environmentOf(textOf(entry, "cwd"), textOf(entry, "gitBranch"), this.#options),
      session: { id, turn: this.#turns.get(id) ?? 0, ...agent },
    };
    return { kind: "event", wire, session: id, place };
  }
}

function partsOf(content: unknown): readonly Fields[] {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => {
    const fields = fieldsOf(part);
    return fields ? [fields] : [];
  });
}

function contentOf(result: unknown): readonly unknown[] | undefined {
  try {
    return resultText(result).content;
  } catch {
    return undefined;
  }
}
