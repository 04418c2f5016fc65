import { fieldsOf, textOf } from "../authoring/replay/record-lines.ts";
import { type EventLineReader, type Sources, stepsOf } from "../authoring/replay/sources.ts";
import type { Step } from "../authoring/replay/step.ts";
import type { HumanAnswer } from "../engine/approval.ts";
import { readEventLine } from "./event-line.ts";

/** Input of a replay: files by their kind, and the home folder of their transcripts. */
export interface ReplaySource {
  readonly files: Sources["files"];
  readonly home?: string;
}

/** Returns all steps of the files; the same each time while the files are unchanged. */
export function recordedSteps({ files, home }: ReplaySource): AsyncIterable<Step> {
  return stepsOf(files, eventSteps, home === undefined ? {} : { home });
}

/** Reads lines of event files like `eval`; missing ids become line numbers. */
const eventSteps: EventLineReader = (line, place) => {
  const { events, problem, approval } = readEventLine(line);
  if (problem) return [{ kind: "unknown", why: problem.message.replace(/ \(column \d+\)$/, ""), place }];
  if (approval) return [{ kind: "answer", answer: approval satisfies HumanAnswer, place }];
  return events.map((wire): Step => {
    const session = textOf(fieldsOf(fieldsOf(wire)?.["session"]), "id") ?? "";
    return { kind: "event", wire, session, place };
  });
};
