import { durationOf } from "../../compiler/parse/session.ts";
import { child, entry, type YamlEntry, type YamlNode } from "../../compiler/yaml-node.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import { canonicalEvent } from "../../schema/events.ts";
import { exampleEnvironment } from "../../schema/example-environment.ts";
import type { Decision, Expectation, SuiteCase, SuiteEvent, SuiteProgram } from "../../schema/generated.ts";
import type { ProgramAnswer } from "../../schema/ports.ts";
import { validateEvent } from "../../schema/validators.generated.js";
import { wireFields } from "../../schema/wire-fields.ts";
import { approvalOf } from "../examples.ts";
import { matchesSubset } from "../subset.ts";
import type { Answering, CaseEngine } from "./case-engine.ts";
import { listOf } from "./suite-file.ts";

/** A difference between a case and its expectation. */
export interface Mismatch {
  readonly diagnostic: Diagnostic;
  /** The suite's value and the actual one, if `--update` can replace the first by the second. */
  readonly mend?: Mend;
}

/** One expectation that differs. `actual` is undefined if the decision has nothing of that name. */
export interface Mend {
  readonly expect: YamlNode;
  readonly entry: YamlEntry;
  readonly actual: unknown;
  /** The outcome of the decision, in case nothing else is left to expect. */
  readonly outcome: string;
}

/** Session of events without one. */
const suiteSession = "suite";

/** A case and its place. */
export interface PlacedCase {
  readonly one: SuiteCase;
  readonly node: YamlNode | undefined;
  readonly source: Source;
}

/**
 * Plays one case: its events in order through an engine of its own. Each decision is compared with the expectation on
 * demand, so a caller that needs only the first mismatch stops there (language page section 6).
 */
export function* playCase({ one, node, source }: PlacedCase, engine: CaseEngine): Generator<Mismatch> {
  const nodes = listOf(child(node, "events"));
  let now: number | undefined;
  for (const [i, event] of one.events.entries()) {
    now = timeOf(event, now);
    yield* playEvent(one, event, i, now, engine, { source, node: nodes[i], place: placeOf(nodes[i], node) });
  }
}

interface Placed {
  readonly source: Source;
  readonly node: YamlNode | undefined;
  readonly place: Span;
}

function playEvent(
  one: SuiteCase,
  event: SuiteEvent,
  index: number,
  now: number | undefined,
  engine: CaseEngine,
  { source, node, place }: Placed,
): Mismatch[] {
  const fail = (message: string, help: string, span: Span = place): Diagnostic =>
    diagnostic("HW409", source, span, `case \`${one.name}\`: ${message}`, help);
  const wire = wireEvent(one, event, index, now);
  const expectation = child(node, "expect");
  const asMismatch = (outcome: string) => (d: Difference) => mismatchOf(d, fail, expectation, outcome);
  const approval = approvalOf(event);
  if (approval) {
    const session = asObject(event["session"])["id"];
    if (!engine.answer({ ...approval, ...(typeof session === "string" && { session }) }))
      return [
        {
          diagnostic: fail(
            "the approval answers no question",
            "give it `of`, the `id` (or number) of an event before it that asks",
          ),
        },
      ];
    return labelDifferences(event.expect?.labels, wire, engine).map(asMismatch("allow"));
  }
  const misfit = unknownField(wire);
  if (misfit !== undefined)
    return [
      {
        diagnostic: fail(
          `unknown field \`${misfit}\` of an event`,
          "see `schema/event.schema.json` for the fields of an event",
        ),
      },
    ];
  const { decision, programs } = engine.decide(wire, answering(one, event));
  const { expect } = event;
  if (!expect) return [];
  const found = [
    ...differences(expect, decision),
    ...ruleDifferences(
      "matched",
      expect.matched,
      decision.matched.filter(({ done }) => done !== false).map(({ rule }) => rule),
    ),
    ...ruleDifferences("programs", expect.programs, programs),
    ...labelDifferences(expect.labels, wire, engine),
  ];
  return found.map(asMismatch(decision.outcome));
}

function mismatchOf(
  d: Difference,
  fail: (message: string, help: string, span?: Span) => Diagnostic,
  expect: YamlNode | undefined,
  outcome: string,
): Mismatch {
  const at = entry(expect, d.key);
  const found = fail(d.message, d.help, at?.value.span);
  return expect && at
    ? { diagnostic: found, mend: { expect, entry: at, actual: d.actual, outcome } }
    : { diagnostic: found };
}

/** Returns the time of an event: relative to the one before if it has `after`; otherwise its own, or none. */
function timeOf(event: SuiteEvent, before: number | undefined): number | undefined {
  const own = typeof event["time"] === "string" ? Date.parse(event["time"]) : Number.NaN;
  if (!Number.isNaN(own)) return own;
  const gone = event.after === undefined ? undefined : durationOf(event.after);
  return gone === undefined ? before : (before ?? 0) + gone;
}

function wireEvent(one: SuiteCase, event: SuiteEvent, index: number, now: number | undefined): Record<string, unknown> {
  const { expect: _, after: __, programs: ___, ...fields } = event;
  const own = asObject(fields["environment"]);
  const files = { ...asObject(one.files), ...asObject(own["files"]) };
  const environment = {
    ...exampleEnvironment,
    ...one.environment,
    ...own,
    ...(Object.keys(files).length > 0 ? { files } : {}),
  };
  const session = { id: suiteSession, ...one.session, ...asObject(fields["session"]) };
  const time = now === undefined || fields["time"] !== undefined ? {} : { time: new Date(now).toISOString() };
  return { id: String(index + 1), ...time, ...fields, environment, session };
}

/** Returns the answers of programs to an event: the event's own, else the case's; rules by their whole id or its last part. */
function answering(one: SuiteCase, event: SuiteEvent): Answering {
  return (rule) => {
    const short = rule.slice(rule.indexOf("/") + 1);
    const tables = [event.programs, one.programs].flatMap((table) => (table ? [new Map(Object.entries(table))] : []));
    for (const table of tables) {
      const found = table.get(rule) ?? table.get(short);
      if (found) return answerOf(found);
    }
    return undefined;
  };
}

function answerOf({ exit_code, stdout = "", stderr = "", timed_out = false }: SuiteProgram): ProgramAnswer {
  return { exit_code: exit_code === undefined ? (timed_out ? null : 0) : exit_code, stdout, stderr, timed_out };
}

/** Returns a field that the event does not have, which a suite must not set (events page). */
function unknownField(event: Record<string, unknown>): string | undefined {
  const name = canonicalEvent(String(event["event"]));
  if (name === undefined || !validateEvent(event)) return undefined;
  const known = wireFields(name);
  return Object.keys(event).find((key) => !known.has(key) || onlyInEval.has(key));
}

/** Fields of an event line that only `eval` handles: copies of it. A suite lists each event. */
const onlyInEval: ReadonlySet<string> = new Set(["repeat", "every"]);

interface Difference {
  readonly key: keyof Expectation;
  readonly message: string;
  readonly help: string;
  readonly actual: unknown;
}

/**
 * Returns the differences between a decision and its expectation. Absent fields are not compared; `changes` is compared as a
 * subset, but an empty expectation means that there are none.
 */
function differences(expect: Expectation, decision: Decision): Difference[] {
  const found: Difference[] = [];
  const help = `the decision was ${decision.outcome}, answered by ${decision.rule ?? decision.answered}${decision.reason === undefined ? "" : `: ${decision.reason}`}`;
  for (const key of ["outcome", "answered", "rule", "reason"] as const) {
    const wanted = expect[key];
    const message = `expected ${key} \`${wanted}\`, got \`${decision[key] ?? "none"}\``;
    if (wanted !== undefined && wanted !== decision[key]) found.push({ key, message, help, actual: decision[key] });
  }
  const grade = gradeOf(decision);
  if (expect.grade !== undefined && expect.grade !== grade)
    found.push({ key: "grade", message: `expected grade \`${expect.grade}\`, got \`${grade}\``, help, actual: grade });
  if (expect.changes && !changesHold(expect.changes, decision.changes)) {
    found.push({
      key: "changes",
      message: "the changes are not as expected",
      help: `the changes were ${canonicalJson(decision.changes).slice(0, 400)}`,
      actual: namedParts(expect.changes, decision.changes),
    });
  }
  return found;
}

/** Returns how far the cited rule applies; if no rule is cited, the strongest value of the rules that matched. */
function gradeOf({ matched, rule }: Decision): string {
  const own = rule === undefined ? matched : matched.filter((match) => match.rule === rule);
  if (own.length === 0) return "no";
  const grades = own.map(({ grade }) => grade);
  return grades.includes(undefined)
    ? "yes"
    : (["all", "telling", "open"].find((grade) => grades.includes(grade as "all")) ?? "yes");
}

function changesHold(wanted: object, changes: Decision["changes"]): boolean {
  return Object.keys(wanted).length === 0 ? Object.keys(changes).length === 0 : matchesSubset(wanted, changes);
}

/** Returns the parts of the changes that the author named; all of them if none of those exist. */
function namedParts(wanted: object, changes: Decision["changes"]): object {
  const parts = Object.entries(changes).filter(([key]) => Object.hasOwn(wanted, key));
  return parts.length > 0 ? Object.fromEntries(parts) : changes;
}

/** Compares rules, named by their whole id or its last part; all must be named, in any order. */
function ruleDifferences(
  key: "matched" | "programs",
  wanted: readonly string[] | undefined,
  given: readonly string[],
): Difference[] {
  const rules = [...new Set(given)];
  const isNamed = (rule: string, name: string): boolean => rule === name || rule.endsWith(`/${name}`);
  const missing = wanted?.filter((name) => !rules.some((rule) => isNamed(rule, name))) ?? [];
  const further = wanted && rules.filter((rule) => !wanted.some((name) => isNamed(rule, name)));
  if (!further || missing.length + further.length === 0) return [];
  const shown = (names: readonly string[]): string => (names.length > 0 ? `\`${names.join("`, `")}\`` : "none");
  const message = `expected ${key} ${shown(wanted ?? [])}, got ${shown(rules)}`;
  const help =
    key === "matched" ? "name every rule that matches, whoever decides" : "name every rule whose program is asked for";
  return [{ key, message, help, actual: rules }];
}

/** Compares `labels`: all labels of the session after the event, in any order; a surplus one differs too. */
function labelDifferences(
  wanted: readonly string[] | undefined,
  event: Readonly<Record<string, unknown>>,
  engine: CaseEngine,
): Difference[] {
  if (!wanted) return [];
  const id = asObject(event["session"])["id"];
  const labels = engine.labels(typeof id === "string" ? id : suiteSession);
  const missing = wanted.filter((label) => !labels.includes(label));
  const further = labels.filter((label) => !wanted.includes(label));
  const help = labels.length > 0 ? `the session has \`${labels.join("`, `")}\`` : "the session has no label";
  const make = (message: string): Difference => ({ key: "labels", message, help, actual: [...labels] });
  return [
    ...(missing.length > 0 ? [make(`expected label \`${missing.join("`, `")}\``)] : []),
    ...(further.length > 0 ? [make(`unexpected label \`${further.join("`, `")}\``)] : []),
  ];
}

function placeOf(event: YamlNode | undefined, one: YamlNode | undefined): Span {
  return child(one, "name")?.span ?? event?.span ?? { start: 0, end: 0 };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
