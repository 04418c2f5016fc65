import type { CheckedRule, CompileResult, Example } from "../compiler/compile.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import type { HumanAnswer } from "../engine/approval.ts";
import { normalise } from "../engine/normalise.ts";
import type { Plan } from "../engine/plan.ts";
import { facts } from "../facts/facts.ts";
import { hermeticFiles } from "../facts/paths/files.ts";
import { createEngine } from "../runtime.ts";
import { type EventName, eventNames } from "../schema/events.ts";
import { exampleEnvironment } from "../schema/example-environment.ts";
import type { Effects } from "../schema/facts.ts";
import type { Decision } from "../schema/generated.ts";
import { AloneJudge } from "./alone-judge.ts";
import { effectsInLine } from "./effect-lines.ts";
import { copies } from "./event-copies.ts";
import { unknownField } from "./example-fields.ts";
import { exampleHelp } from "./example-help.ts";

/**
 * Judges every example of every rule and reports those that do not hold (HW403, at the example). `match`: the rule itself is
 * among those that matched, whoever won; `no_match`: it is not. A list is events in order, the last of which is judged; an
 * event with `repeat: n` stands for n of it.
 * Examples of an import run in their own file. Without a plan there is nothing to judge. Source: language page section 6.
 */
export function runExamples({ plan, policies }: Pick<CompileResult, "plan" | "policies">): Diagnostic[] {
  if (!plan) return [];
  const alone = new AloneJudge(plan);
  const whole = new WholeJudge(plan);
  const enabled = new Set(plan.rules.map((rule) => rule.id));
  return policies.flatMap(({ rules, source }) =>
    rules.filter((rule) => enabled.has(rule.id)).flatMap((rule) => failuresOf(rule, source, whole, alone)),
  );
}

/** Judge with the whole plan, linked on first use. */
class WholeJudge implements ExampleJudge {
  readonly #plan: Plan;
  #engine: ExampleJudge | undefined;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  decide(event: unknown): { readonly decision: Decision } {
    return this.#made().decide(event);
  }

  answer(answer: HumanAnswer): boolean {
    return this.#made().answer(answer);
  }

  effectsFor(rule: string, event: unknown): Effects | undefined {
    if (this.#plan.rules.find(({ id }) => id === rule)?.needs !== true) return undefined;
    const normalised = normalise(event);
    if ("code" in normalised) return undefined;
    return facts.of(normalised.event, hermeticFiles(normalised.files), 1, this.#plan.declared).effects;
  }

  #made(): ExampleJudge {
    this.#engine ??= createEngine(this.#plan);
    return this.#engine;
  }
}

/** Returns the failures of a rule's examples. An example that holds for the rule alone holds; the whole plan judges all others. */
function failuresOf(rule: CheckedRule, source: Source, whole: ExampleJudge, alone: AloneJudge): Diagnostic[] {
  const matches = alone.of(rule.id);
  const { match, no_match } = rule.examples;
  // If an example occurs twice, by an alias, the second is judged in the session of the first.
  const isRepeated =
    new Set([...match, ...no_match].map(({ span }) => span.start)).size < match.length + no_match.length;
  if (!matches || isRepeated) return [...exampleFailures(rule, source, whole)];
  const doubtful =
    (wanted: boolean) =>
    (example: Example): boolean => {
      if (eventsGiven(example).length > 1 || unknownIn(example, rule.events)) return true;
      const events = exampleEvents(example.value, rule.events);
      return (
        events.length === 0 ||
        events.some((event) => matches(ownSession(event, sessionOfExample(rule, example, event))) !== wanted)
      );
    };
  const rest = { match: match.filter(doubtful(true)), no_match: no_match.filter(doubtful(false)) };
  return [...exampleFailures({ ...rule, examples: rest }, source, whole)];
}

function sessionOfExample(rule: CheckedRule, { span }: Example, { event }: WireExample): string {
  return `${rule.id}@${span.start}:${event}`;
}

/** The judge of examples: an engine, or one that only a test has. */
export interface ExampleJudge {
  decide(event: unknown): { readonly decision: Decision };
  answer(answer: HumanAnswer): boolean;
  /** Returns the effects of an event for a rule that asks for facts of calls; undefined if there are none to name. */
  effectsFor?(rule: string, event: unknown): Effects | undefined;
}

/** Yields the failing examples of one rule, in order; each is judged on demand. */
export function* exampleFailures(rule: CheckedRule, source: Source, engine: ExampleJudge): Generator<Diagnostic> {
  for (const example of rule.examples.match) yield* judgeExample(rule, example, true, source, engine);
  for (const example of rule.examples.no_match) yield* judgeExample(rule, example, false, source, engine);
}

function judgeExample(
  rule: CheckedRule,
  example: Example,
  wanted: boolean,
  source: Source,
  engine: ExampleJudge,
): Diagnostic[] {
  const events = exampleEvents(judgedPart(example), rule.events);
  if (events.length === 0)
    return [
      failure(
        source,
        example,
        "the example fits no event of this rule",
        "write it as an object with the fields of the event",
      ),
    ];
  const unknown = unknownIn(example, rule.events);
  if (unknown) {
    const help = exampleHelp(rule, judgedPart(example), events[0]?.event ?? "") ?? unknown.help;
    return [failure(source, example, unknown.message, help)];
  }
  const found = events.flatMap((event) => {
    const judged = eventInSession(example, event, sessionOfExample(rule, example, event), engine);
    return "event" in judged
      ? problemOf(
          rule,
          { event, wanted, written: judgedPart(example), isAlone: eventsGiven(example).length === 1 },
          engine.decide(judged.event).decision,
          () => engine.effectsFor?.(rule.id, judged.event),
        )
      : [judged];
  });
  return found.slice(0, 1).map(({ message, help }) => failure(source, example, message, help));
}

/** Returns the finding about a field that the events of an example do not have, if any. */
function unknownIn({ value }: Example, events: readonly EventName[]): Problem | undefined {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [i, one] of all.entries()) {
    if (typeof one !== "object" || one === null || approvalOf(one)) continue;
    const [event] = exampleEvents(one, i < all.length - 1 ? ["tool_call", ...eventNames] : events);
    const found = event && unknownField(one, event.event);
    if (found) return found;
  }
  return undefined;
}

/** Returns the events of an example in order, including the copies that a `repeat` requests. */
function eventsGiven({ value }: Example): readonly unknown[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.flatMap((one): readonly unknown[] =>
    typeof one === "object" && one !== null && !Array.isArray(one) ? copies(one as Record<string, unknown>) : [one],
  );
}

/** Returns the judged part of an example: the last event of a list. */
export function judgedPart(example: Example): unknown {
  return eventsGiven(example).at(-1);
}

/** Returns the event of an example as judged in a session, after the events before it; or why those could not happen. */
export function eventInSession(
  example: Example,
  event: WireExample,
  session: string,
  engine: ExampleJudge,
): { readonly event: WireExample } | Problem {
  const given = eventsGiven(example);
  const before = given.slice(0, -1);
  const missed = happen(before, session, engine);
  if (missed) return missed;
  const isList = Array.isArray(example.value) || before.length > 0;
  const last = isList ? numbered(event, given.at(-1), before.length) : event;
  return { event: ownSession(last, session) };
}

/**
 * Plays the events before the judged one. A text is a shell command that is called, an object an event, and `{ event:
 * approval, of, answer }` a human's answer to the question about an earlier event.
 */
function happen(before: readonly unknown[], session: string, engine: ExampleJudge): Problem | undefined {
  for (const [i, value] of before.entries()) {
    const place = `event ${i + 1} of the example`;
    const answer = approvalOf(value);
    if (answer) {
      const within = sessionOf(value, session);
      if (engine.answer({ ...answer, session: within.id })) continue;
      return {
        message: `${place} answers no question`,
        help: "give it `of`, the `id` or number of an event that asks",
      };
    }
    const [event] = exampleEvents(value, typeof value === "string" ? ["tool_call"] : ["tool_call", ...eventNames]);
    const error = event && engine.decide(ownSession(numbered(event, value, i), session)).decision.errors[0];
    if (event && !error) continue;
    return {
      message: `${place} could not be judged${error ? `: ${error.message}` : ""}`,
      help: "give it the fields that the event needs",
    };
  }
  return undefined;
}

/** Returns a human's answer in the form of examples and suites, or undefined for anything else. */
export function approvalOf(
  value: unknown,
): { readonly of: string; readonly answer: "allow" | "deny"; readonly by: string } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { event, of, answer, by } = value as Record<string, unknown>;
  if (event !== "approval") return undefined;
  return { of: String(of), answer: answer === "allow" ? "allow" : "deny", by: typeof by === "string" ? by : "user" };
}

/** Gives an event of a list its number as id, unless it has another. */
function numbered(event: WireExample, value: unknown, index: number): WireExample {
  const own = typeof value === "object" && value !== null ? (value as Record<string, unknown>)["id"] : undefined;
  return { ...event, id: own === undefined ? String(index + 1) : String(own) };
}

/** Gives each example its own session: data of `once` or a label must not reach the next one. */
function ownSession(event: WireExample, session: string): WireExample {
  return { ...event, session: sessionOf(event, session) };
}

function sessionOf(event: unknown, session: string): { readonly id: string } {
  const { session: given } = event as { session?: unknown };
  if (typeof given !== "object" || given === null) return { id: session };
  const { id, parent } = given as Record<string, unknown>;
  const own = (name: unknown): string => (name === undefined ? session : `${session}/${String(name)}`);
  return { ...given, id: own(id), ...(parent !== undefined && { parent: own(parent) }) };
}

function failure(source: Source, example: Example, message: string, help: string): Diagnostic {
  return diagnostic("HW403", source, example.span, message, help);
}

/** The reason why an example does not hold or cannot be judged. */
export interface Problem {
  readonly message: string;
  readonly help: string;
}

/** An example as it was judged: as which event, what was wanted of it, what the author wrote, and whether no event came before. */
interface Tried {
  readonly event: WireExample;
  readonly wanted: boolean;
  readonly written: unknown;
  readonly isAlone: boolean;
}

/** Most effects of an example that a finding names. */
const namedEffects = 3;

function problemOf(
  rule: CheckedRule,
  { event, wanted, written, isAlone }: Tried,
  decision: Decision,
  effectsOf: () => Effects | undefined,
): Problem[] {
  const misfit = decision.errors.find((error) => error.rule === undefined || error.rule === rule.id);
  if (misfit)
    return [
      {
        message: `the example could not be judged: ${misfit.message}`,
        help:
          misfit.code === "HW501"
            ? "give it the fields that the event needs"
            : "see `hookwarden explain` for this event",
      },
    ];
  const own = [...decision.matched, ...decision.would].filter(
    (match) => match.rule === rule.id && match.done !== false,
  );
  if (own.some((match) => match.outcome === "error"))
    return [
      { message: "the rule could not be evaluated for this example", help: "see `hookwarden explain` for this event" },
    ];
  const matched = own.length > 0;
  if (matched === wanted) return [];
  const as = ` as \`${event.event}\``;
  const ofForm = wanted ? (exampleHelp(rule, written, event.event) ?? (isAlone ? rule.earlier : undefined)) : undefined;
  const effects = ofForm === undefined ? effectsOf() : undefined;
  const told = effects ? `; its effects: ${effectsInLine(effects, namedEffects)}` : "";
  const help =
    ofForm ??
    `run \`hookwarden explain\` with it to see every condition; the decision was ${decision.outcome}${decision.rule === undefined ? "" : ` by ${decision.rule}`}${told}`;
  return [
    {
      message: wanted
        ? `rule \`${rule.id}\` does not match this example${as}`
        : `rule \`${rule.id}\` matches this example${as}, and must not`,
      help,
    },
  ];
}

/** An example as a wire event. */
export type WireExample = Readonly<Record<string, unknown>> & { readonly event: string };

/**
 * Returns the events of an example. A text is tried for each event of the rule that it fits. An object is an event itself,
 * for the first event of the rule unless it names one.
 */
export function exampleEvents(value: unknown, events: readonly EventName[]): WireExample[] {
  if (typeof value === "string") return events.flatMap((event) => textExample(value, event));
  if (typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  const given = typeof fields["event"] === "string" ? fields["event"] : fittingEvent(fields, events);
  return given === undefined
    ? []
    : [{ ...completed(fields, given), id: "example", event: given, environment: environmentOf(fields) }];
}

/** Returns the event of a text example, by event name. Events without a text form have no such example. */
function textExample(text: string, event: EventName): WireExample[] {
  const make = textForms[event];
  return make ? [{ id: "example", event, ...make(text), environment: { ...exampleEnvironment } }] : [];
}

const textForms: Partial<Record<EventName, (text: string) => object>> = {
  tool_call: (command) => ({ tool: "bash", args: { command } }),
  user_bash: (command) => ({ command }),
  tool_result: (text) => ({
    tool: "read",
    args: { path: "file.txt" },
    result: { content: [{ type: "text", text }], is_error: false },
  }),
  context: (content) => ({ messages: [{ role: "user", content }] }),
  input: (text) => ({ text }),
  before_agent_start: (prompt) => ({ prompt }),
};

/** Fields that tell for which of a rule's events an object example is. */
const signs: Partial<Record<EventName, string>> = {
  tool_result: "result",
  context: "messages",
  input: "text",
  before_agent_start: "prompt",
  user_bash: "command",
  tool_call: "tool",
};

function fittingEvent(fields: Record<string, unknown>, events: readonly EventName[]): EventName | undefined {
  const ordered = eventNames.filter((name) => name !== "tool_call");
  const shown = [...ordered, "tool_call" as const].find((name) => {
    const sign = signs[name];
    return events.includes(name) && sign !== undefined && Object.hasOwn(fields, sign);
  });
  return shown ?? events[0];
}

/** Adds a tool to a tool event without one: bash if its arguments hold a command, read otherwise. */
function completed(fields: Record<string, unknown>, event: string): Record<string, unknown> {
  if ((event !== "tool_call" && event !== "tool_result") || Object.hasOwn(fields, "tool")) return withoutFiles(fields);
  const args = fields["args"];
  const shell = typeof args === "object" && args !== null && Object.hasOwn(args, "command");
  return { ...withoutFiles(fields), tool: shell ? "bash" : "read" };
}

/** Moves `files` from beside the other fields of an example into the environment, its place on the wire. */
function withoutFiles(fields: Record<string, unknown>): Record<string, unknown> {
  const { files: _, ...rest } = fields;
  return rest;
}

function environmentOf(fields: Record<string, unknown>): object {
  const given = fields["environment"];
  const files = fields["files"];
  return {
    ...exampleEnvironment,
    ...(typeof given === "object" && given !== null ? given : {}),
    ...(files === undefined ? {} : { files }),
  };
}
