import { fieldsOf, textOf } from "../authoring/replay/record-lines.ts";
import { type EventLineReader, type Sources, stepsOf } from "../authoring/replay/sources.ts";
import type { Step } from "../authoring/replay/step.ts";
import type { HumanAnswer } from "../engine/approval.ts";
import { readEventLine } from "./event-line.ts";

/** What is replayed: files by what they hold, and the home folder that their transcripts are from. */
export interface ReplaySource {
  readonly files: Sources["files"];
  readonly home?: string;
}

/** Everything that the files hold, step by step; the same each time, as long as they are. */
export function recordedSteps({ files, home }: ReplaySource): AsyncIterable<Step> {
  return stepsOf(files, eventSteps, home === undefined ? {} : { home });
}

/** Lines of event files as `eval` reads them; ids that are not given are line numbers. */
const eventSteps: EventLineReader = (line, place) => {
  const { events, problem, approval } = readEventLine(line);
  if (problem) return [{ kind: "unknown", why: problem.message.replace(/ \(column \d+\)$/, ""), place }];
  if (approval) return [{ kind: "answer", answer: approval satisfies HumanAnswer, place }];
  return events.map((wire): Step => {
    const session = textOf(fieldsOf(fieldsOf(wire)?.["session"]), "id") ?? "";
    return { kind: "event", wire, session, place };
  });
};
