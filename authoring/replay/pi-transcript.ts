import { ompFamily } from "../../adapters/omp/family.ts";
import type { PiPart } from "../../adapters/pi/api.ts";
import { type Family, piFamily } from "../../adapters/pi/family.ts";
import { toWireContent } from "../../adapters/pi/messages.ts";
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

/** Entries of session files that concern no rule: their data about events is also in the messages. */
const passed: ReadonlySet<string> = new Set(
  (
    "title title_change model_change thinking_level_change service_tier_change usage model_usage compaction context_edit " +
    "branch_summary custom custom_message label session_info archive ttsr_injection credential_pin session_init mode_change " +
    "reset_boundary mcp_tool_selection"
  ).split(" "),
);

/** Roles of messages that concern no rule. */
const passedRoles: ReadonlySet<string> = new Set(
  "system developer custom hookMessage branchSummary compactionSummary fileMention".split(" "),
);

/** Entries that only omp writes, by which its session files differ from pi's. */
const ompEntries: ReadonlySet<string> = new Set(
  (
    "title title_change service_tier_change model_usage archive ttsr_injection credential_pin session_init mode_change " +
    "reset_boundary"
  ).split(" "),
);

/** True for an entry that pi never writes. */
export function isOmpEntry(entry: Fields): boolean {
  const type = textOf(entry, "type") ?? "";
  if (ompEntries.has(type)) return true;
  if (type === "model_change") return textOf(entry, "model") !== undefined;
  const only = ["title", "titleSource", "additionalDirectories", "previousSessionFiles"];
  return type === "session" && only.some((name) => Object.hasOwn(entry, name));
}

/**
 * Reads a session file of pi (version 1 to 3) or omp: entries of one session in order, including abandoned branches. Calls
 * inside code (`codemode`, `eval`) are not in these files.
 */
export class PiTranscript implements TranscriptReader {
  readonly #family: Family;
  readonly #options: TranscriptOptions;
  readonly #calls = new OpenCalls();
  #session: { readonly id: string; readonly parent?: string } = { id: "" };
  #cwd: string | undefined;
  #turn = 0;

  constructor(host: "pi" | "omp", options: TranscriptOptions = {}) {
    this.#family = host === "omp" ? ompFamily : piFamily;
    this.#options = options;
  }

  read(entry: Fields, place: Place): readonly Step[] {
    const type = textOf(entry, "type") ?? "";
    if (type === "session") return this.#begin(entry, place);
    if (passed.has(type)) return [{ kind: "passed", place }];
    const message = type === "message" ? fieldsOf(entry["message"]) : undefined;
    if (!message) return [{ kind: "unknown", why: "the entry is of no known type", place }];
    return this.#message(entry, message, place);
  }

  #begin(entry: Fields, place: Place): readonly Step[] {
    const parent = /_([^_/\\]+)\.jsonl$/.exec(textOf(entry, "parentSession") ?? "")?.[1];
    this.#session = { id: textOf(entry, "id") ?? "", ...(parent !== undefined && { parent }) };
    this.#cwd = textOf(entry, "cwd");
    return [{ kind: "passed", place }];
  }

  #message(entry: Fields, message: Fields, place: Place): readonly Step[] {
    const role = textOf(message, "role") ?? "";
    switch (role) {
      case "user":
        this.#turn++;
        return [this.#event(entry, place, "", { event: "input", text: textOfContent(message["content"]) })];
      case "assistant":
        return this.#assistant(entry, message, place);
      case "toolResult":
        return [this.#result(entry, message, place)];
      case "bashExecution":
        return [
          this.#event(entry, place, "", {
            event: "user_bash",
            command: textOf(message, "command") ?? "",
            ...excluded(message),
          }),
        ];
      case "pythonExecution":
        return [
          this.#event(entry, place, "", {
            event: "user_python",
            code: textOf(message, "code") ?? "",
            ...excluded(message),
          }),
        ];
      default:
        if (passedRoles.has(role)) return [{ kind: "passed", place }];
        return [{ kind: "unknown", why: "the message is of no known role", place }];
    }
  }

  #assistant(entry: Fields, message: Fields, place: Place): readonly Step[] {
    const parts: unknown[] = Array.isArray(message["content"]) ? message["content"] : [];
    const steps = parts.flatMap((part, i): Step[] => {
      const call = fieldsOf(part);
      if (call?.["type"] !== "toolCall") return [];
      const name = textOf(call, "name");
      const given = fieldsOf(call["arguments"]);
      if (name === undefined || !given)
        return [{ kind: "unknown", why: "the call has no name or no arguments", place }];
      const id = textOf(call, "id") ?? "";
      const { tool, args } = this.#family.judged(name, given);
      this.#calls.put(id, tool, args);
      return [this.#event(entry, place, `.${i}`, { event: "tool_call", tool, args, call_id: id })];
    });
    return steps.length > 0 ? steps : [{ kind: "passed", place }];
  }

  #result(entry: Fields, message: Fields, place: Place): Step {
    const id = textOf(message, "toolCallId") ?? "";
    const call = this.#calls.take(id);
    const content = Array.isArray(message["content"]) ? toWireContent(message["content"] as PiPart[]) : [];
    return this.#event(entry, place, "", {
      event: "tool_result",
      tool: call?.tool ?? textOf(message, "toolName") ?? "",
      args: call?.args ?? {},
      call_id: id,
      result: {
        content,
        ...(message["details"] !== undefined && { details: message["details"] }),
        ...(message["structuredContent"] !== undefined && { structured: message["structuredContent"] }),
        is_error: message["isError"] === true,
      },
    });
  }

  #event(entry: Fields, place: Place, part: string, payload: Fields): Step {
    const wire = {
      ...payload,
      id: `${textOf(entry, "id") ?? place.line}${part}`,
      host: this.#family.host,
      ...timeOf(textOf(entry, "timestamp")),
      environment: environmentOf(this.#cwd, undefined, this.#options),
      session: { ...this.#session, turn: this.#turn },
    };
    return { kind: "event", wire, session: this.#session.id, place };
  }
}

function excluded(message: Fields): Fields {
  return { exclude_from_context: message["excludeFromContext"] === true };
}
