import type {
  DecisionError,
  Notice,
  RecordedEffect,
  RecordedProgram,
  RecordedScript,
  RecordedStart,
  RecordedTree,
} from "../schema/generated.ts";
import { canonicalJson, jsonText } from "./canonical.ts";
import { maskedTree } from "./event-trees.ts";
import { maskedProgram } from "./program-record.ts";
import { boundedText, type Masking } from "./recorded-view.ts";

/** Texts in a record beside its event that come from outside, or may quote such text. */
export interface RecordTexts {
  readonly reason?: string | undefined;
  readonly errors: DecisionError[];
  readonly doubts?: string[] | undefined;
  readonly effects?: RecordedEffect[] | undefined;
  readonly more_effects?: number | undefined;
  readonly labels_in?: string[] | undefined;
  readonly labels_out?: string[] | undefined;
  readonly notices: readonly Notice[];
  readonly recorded: Readonly<Record<string, Record<string, string>>>;
  readonly background: readonly RecordedStart[];
  readonly programs: Readonly<Record<string, RecordedProgram>>;
  /** Answers of the disk about folders; undefined where it was not asked. */
  readonly trees?: readonly RecordedTree[] | undefined;
  /** Scripts on the disk that were read; undefined where there were none. */
  readonly scripts?: readonly RecordedScript[] | undefined;
  /** Names of fields that only adapters may set. */
  readonly observed: readonly string[];
}

/** Returns the texts masked and bounded. All are searched as one JSON text, so that rare parts cost nothing when absent. */
export function maskedTexts(texts: RecordTexts, { mask, pseudonym }: Masking): RecordTexts {
  // Texts that a replay takes from the record are masked already.
  const found = mask.mask(texts, textsJson(texts), pseudonym);
  if (!found) return withheldTexts(texts);
  if (found.found.length === 0) return boundedTexts(texts);
  const masked = found.value as RecordTexts;
  const programs = Object.entries(texts.programs).map(([key, before]) => {
    const after = masked.programs[key];
    return [key, after ? maskedProgram(before, after) : { ...withheldProgram, rule: before.rule }] as const;
  });
  const trees = texts.trees?.map((before, i) => maskedTree(before, masked.trees?.[i]));
  return boundedTexts({ ...masked, ...(trees && { trees }), programs: Object.fromEntries(programs) });
}

/** Returns the canonical JSON of texts, with a faster way for only effects and doubts, as in most decisions. */
export function textsJson(texts: RecordTexts): string {
  const { doubts, effects, labels_in, labels_out } = texts;
  if (!isUsual(texts)) return canonicalJson(texts);
  let listed = "";
  if (effects) {
    for (const effect of effects) listed += listed === "" ? effectJson(effect) : `,${effectJson(effect)}`;
    listed = `,"effects":[${listed}]`;
  }
  return (
    `{"background":[]${listJson("doubts", doubts)}${listed},"errors":[]` +
    `${listJson("labels_in", labels_in)}${listJson("labels_out", labels_out)}` +
    ',"notices":[],"observed":[],"programs":{},"recorded":{}}'
  );
}

function listJson(name: keyof RecordTexts, texts: readonly string[] | undefined): string {
  if (!texts) return "";
  let listed = "";
  for (const text of texts) listed += listed === "" ? jsonText(text) : `,${jsonText(text)}`;
  return `,"${name}":[${listed}]`;
}

function isUsual(texts: RecordTexts): boolean {
  const { background, errors, more_effects, notices, observed, programs, reason, recorded, scripts, trees } = texts;
  return (
    trees === undefined &&
    scripts === undefined &&
    background.length + errors.length + notices.length + observed.length === 0 &&
    more_effects === undefined &&
    reason === undefined &&
    isEmpty(programs) &&
    isEmpty(recorded)
  );
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

function effectJson({ kind, possible, target }: RecordedEffect): string {
  return `{"kind":"${kind}"${possible ? ',"possible":true' : ""},"target":${jsonText(target)}}`;
}

function boundedTexts(texts: RecordTexts): RecordTexts {
  const { reason, doubts, errors, notices } = texts;
  if (reason === undefined && !doubts?.length && errors.length + notices.length === 0) return texts;
  return {
    ...texts,
    ...(reason !== undefined && { reason: boundedText(reason) }),
    ...(doubts && { doubts: doubts.map((doubt) => boundedText(doubt)) }),
    errors: errors.map((error) => ({ ...error, message: boundedText(error.message) })),
    notices: notices.map((notice) => ({ ...notice, message: boundedText(notice.message) })),
  };
}

const withheld = "(withheld)";

const withheldProgram: Omit<RecordedProgram, "rule"> = {
  command: [],
  exit_code: null,
  timed_out: false,
  stdout: withheld,
  stderr: withheld,
  said: { errors: [] },
  partial: true,
};

/** Returns placeholders for texts that could not be searched: they show only that there were some. */
function withheldTexts(texts: RecordTexts): RecordTexts {
  const { reason, errors, doubts, notices, background, programs, scripts, trees } = texts;
  return {
    ...(reason !== undefined && { reason: withheld }),
    ...(doubts && { doubts: doubts.map(() => withheld) }),
    errors: errors.map((error) => ({ ...error, message: withheld })),
    notices: notices.map((notice) => ({ ...notice, message: withheld })),
    recorded: {},
    ...(trees && { trees: trees.map((tree) => maskedTree(tree, undefined)) }),
    ...(scripts && { scripts: scripts.map((script) => ({ ...script, path: withheld })) }),
    background: background.map(({ rule }) => ({ rule, command: [withheld] })),
    programs: Object.fromEntries(
      Object.entries(programs).map(([key, { rule }]) => [key, { ...withheldProgram, rule }]),
    ),
    observed: [],
  };
}
