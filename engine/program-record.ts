import type { AuditBody, RecordedAnswer, RecordedProgram } from "../schema/generated.ts";
import type { ProgramAnswer, ProgramRequest } from "../schema/ports.ts";
import { canonicalJson } from "./canonical.ts";
import type { ProgramVerdict } from "./program-answer.ts";
import { bounded, boundedText, type Keep } from "./recorded-view.ts";

/** A program that was asked, what it answered, and what that means. */
export interface Asked {
  readonly request: ProgramRequest;
  readonly answer: ProgramAnswer;
  readonly verdict: ProgramVerdict;
}

/**
 * Returns the record of a program's answer. A replay uses its meaning (`said`) in place of the answer; the output is cut, and
 * kept for people only. The meaning is kept whole where events are. Texts are masked as decisions show them.
 */
export function recordedProgram(
  { request, answer, verdict }: Asked,
  keep: Keep,
  mask: (text: string) => string,
): RecordedProgram {
  if (answer.recorded) return answer.recorded;
  const said = saidOf(verdict, mask);
  const shown = keep === "events" ? { value: said, cut: false } : bounded(said);
  return {
    rule: request.rule,
    command: request.command.map((word) => boundedText(word)),
    ...(answer.duration_ms !== undefined && { duration_ms: answer.duration_ms }),
    exit_code: answer.exit_code,
    timed_out: answer.timed_out,
    ...(answer.refused !== undefined && { refused: boundedText(answer.refused) }),
    stdout: boundedText(answer.stdout),
    stderr: boundedText(answer.stderr),
    said: shown.value as RecordedAnswer,
    ...(shown.cut && { partial: true as const }),
  };
}

function saidOf(verdict: ProgramVerdict, mask: (text: string) => string): RecordedAnswer {
  const { outcome, reason, context, input, failed, errors } = verdict;
  return {
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason: mask(reason) }),
    ...(context !== undefined && { context: mask(context) }),
    ...(input !== undefined && { input: { ...input } }),
    ...(failed !== undefined && { failed }),
    errors: [...errors],
  };
}

/** Returns a masked program record; `partial` if masking changed its answer, because a replay would then differ. */
export function maskedProgram(before: RecordedProgram, after: RecordedProgram): RecordedProgram {
  return canonicalJson(before.said) === canonicalJson(after.said) ? after : { ...after, partial: true };
}

/** Returns the meaning of a recorded answer, for a replay. */
export function recordedVerdict({ said }: RecordedProgram): ProgramVerdict {
  return { ...said, errors: said.errors };
}

/**
 * Answers of programs as a record has them, by the key of their request, for judging its event again. One that is on
 * record in part is left out.
 */
export function answersOf({ observations }: Pick<AuditBody, "observations">): Map<string, ProgramAnswer> {
  const given = Object.hasOwn(observations, "programs") ? observations.programs : undefined;
  const answers = new Map<string, ProgramAnswer>();
  for (const [key, recorded] of Object.entries(given ?? {})) {
    if (recorded.partial) continue;
    const { exit_code, timed_out, stdout, stderr } = recorded;
    answers.set(key, { exit_code, timed_out, stdout, stderr, recorded });
  }
  return answers;
}

/** True for a record whose decision rests on an answer that it has in part. */
export function hasPartialAnswers({ observations }: Pick<AuditBody, "observations">): boolean {
  return Object.values(observations.programs ?? {}).some(({ partial }) => partial === true);
}
