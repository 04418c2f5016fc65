import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { HumanAnswer } from "../engine/approval.ts";
import { limits } from "../schema/limits.ts";
import { linesOf } from "../store/lines.ts";
import { fileDiagnostic, unreadable } from "../store/policy-file.ts";
import { readEventLine } from "./event-line.ts";
import type { Io } from "./io.ts";

/** One step of the session before the explained event. */
export type Step = { readonly event: unknown } | { readonly answer: HumanAnswer };

/** An event to explain, the steps of its session before it, and its origin for messages. */
export interface GivenEvent {
  readonly name: string;
  readonly before: readonly Step[];
  readonly event: unknown;
}

/** Reads a file with one event: one JSON object, on one line or several. */
export async function eventFromFile(file: string, io: Io): Promise<GivenEvent | Diagnostic> {
  const name = nameOf(file);
  const lines: string[] = [];
  let held = 0;
  try {
    for await (const line of linesOf(streamOf(file, io), limits.eventBytes)) {
      held += line.bytes?.length ?? limits.eventBytes + 1;
      if (held > limits.eventBytes)
        return fileDiagnostic("HW504", name, "the file is longer than one event may be", "explain one event at a time");
      lines.push(Buffer.from(line.bytes ?? []).toString("utf8"));
    }
  } catch (error) {
    return cannotRead(file, name, error, io);
  }
  const event = parseJson(lines.join("\n").replace(/^\ufeff/, ""));
  if (event === undefined)
    return fileDiagnostic(
      "HW501",
      name,
      "the file does not hold one JSON object",
      "give one event; for one of several lines use `--events` with `--nth`",
    );
  return { name, before: [], event: withId(event) };
}

/**
 * Reads a file of events, one a line as for `eval`: the `nth` event (from 1, copies of `repeat` counted), by default the
 * last, with everything before it.
 */
export async function eventFromSession(
  file: string,
  nth: number | undefined,
  io: Io,
): Promise<GivenEvent | Diagnostic> {
  const name = nameOf(file);
  const steps: Step[] = [];
  let events = 0;
  let last = -1;
  try {
    for await (const line of linesOf(streamOf(file, io), limits.eventBytes)) {
      const read = readEventLine(line);
      if (read.problem)
        return fileDiagnostic(
          read.problem.code,
          `${name}:${line.number}`,
          read.problem.message,
          "give one event a line, as `eval` takes them",
        );
      if (read.approval) steps.push({ answer: read.approval });
      for (const event of read.events) {
        events += 1;
        last = steps.push({ event }) - 1;
        if (events === nth) return { name: `${name}:${line.number}`, before: steps.slice(0, last), event };
      }
    }
  } catch (error) {
    return cannotRead(file, name, error, io);
  }
  const found = nth === undefined ? steps[last] : undefined;
  if (found && "event" in found) return { name, before: steps.slice(0, last), event: found.event };
  const message = events === 0 ? "the file holds no event" : `the file holds ${events} events, not ${nth}`;
  return fileDiagnostic("HW501", name, message, "count events from 1, or leave out `--nth` for the last one");
}

/** Parses a JSON value; undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(file: string): string {
  return file === "-" ? "<stdin>" : file;
}

function streamOf(file: string, io: Io): AsyncIterable<Uint8Array> {
  return file === "-" ? io.stdin : createReadStream(resolve(io.cwd, file));
}

function cannotRead(file: string, name: string, error: unknown, io: Io): Diagnostic {
  const { message, help } = unreadable(resolve(io.cwd, file), name, error);
  return fileDiagnostic("HW703", name, message, help);
}

function withId(event: unknown): unknown {
  return typeof event === "object" && event !== null && !Array.isArray(event) && !Object.hasOwn(event, "id")
    ? { ...event, id: "1" }
    : event;
}
