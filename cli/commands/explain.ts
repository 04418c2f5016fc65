import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/suggest.ts";
import { type Explanation, explain } from "../../engine/explain.ts";
import type { LinkedPlan } from "../../engine/link-plan.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { SessionState, sessionRules } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine, vocabularyFor } from "../../runtime.ts";
import type { Decision } from "../../schema/generated.ts";
import { EvaluationError, type RegexEngine } from "../../schema/ports.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { eventFromFile, eventFromSession, type GivenEvent, parseJson } from "../explain-events.ts";
import { exit, type Io } from "../io.ts";
import { loadPolicies, type PolicyOptions } from "../load.ts";
import { prettyBrief } from "../report/explain/brief.ts";
import { jsonExplanation } from "../report/explain/json.ts";
import type { ExplanationReport } from "../report/explain/texts.ts";
import { prettyWhole } from "../report/explain/whole.ts";
import { jsonWhyNot, prettyWhyNot } from "../report/explain/why-not.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `explain`. */
export interface ExplainOptions extends PolicyOptions {
  readonly tool?: string;
  readonly args?: string;
  readonly event?: string;
  /** A file of events, one a line; those before the explained event form the session so far. */
  readonly events?: string;
  /** Number of the explained event, from 1; the last by default. */
  readonly nth?: string;
  readonly whyNot?: string;
  /** Show every condition of every rule; JSON always has them. */
  readonly all?: true;
  readonly format: "pretty" | "json";
}

/**
 * `explain`: prints the answer to one event, its facts, and the rules that matched or nearly did. With `--all` it prints
 * every condition with its value; with `--why-not` only the answer and why one rule did not fire. Secrets are hidden in all
 * of it. 2 if the event does not fit or the rule is unknown.
 */
export async function explainEvent(options: ExplainOptions, io: Io): Promise<number> {
  const loaded = loadPolicies(options, io);
  io.err(prettyDiagnostics(loaded.diagnostics, loaded.sources, false));
  if (!loaded.plan) return exit.unusable;
  const rule = options.whyNot === undefined ? undefined : ruleOf(options.whyNot, loaded.plan);
  if (typeof rule === "object") return refuse(rule, io);
  const given = await eventOf(options, io);
  if ("code" in given) return refuse(given, io);
  const explained = explainWith(loaded.plan, given);
  if ("code" in explained) return refuse(explained, io);
  const sources = new Map(loaded.result?.policies.map((policy) => [policy.id, policy.source]));
  const report: ExplanationReport = { ...explained, plan: loaded.plan, sources };
  await io.out(textOf(options, report, rule, io.color));
  return exit.fine;
}

/** Returns the explanation to print; `--why-not` names `rule`. */
function textOf(
  { format, all }: ExplainOptions,
  report: ExplanationReport,
  rule: string | undefined,
  color: boolean,
): string {
  if (rule !== undefined) return format === "json" ? jsonWhyNot(report, rule) : prettyWhyNot(report, rule, color);
  if (format === "json") return jsonExplanation(report);
  return all ? prettyWhole(report, color) : prettyBrief(report, color);
}

/** Judges the events before, then explains the event and judges it. */
function explainWith(
  plan: Plan,
  given: GivenEvent,
): { readonly explanation: Explanation; readonly decision: Decision } | Diagnostic {
  const regex = createRegexEngine();
  const linked = linkPlan(plan, vocabularyFor(regex), regex);
  if (linked instanceof EvaluationError)
    return fileDiagnostic("HW508", "policy", linked.message, "use a plan of this version");
  const state = new SessionState(sessionRules(plan));
  const engine = createEngine(plan, { regex, state });
  for (const step of given.before) {
    if ("event" in step) engine.decide(step.event);
    else if (!engine.answer(step.answer))
      return fileDiagnostic(
        "HW501",
        given.name,
        `no earlier event \`${step.answer.of}\` waits for an answer`,
        "an approval names the id of an event before it that asks",
      );
  }
  const explanation = explanationOf(linked, given.event, state, regex);
  if ("code" in explanation)
    return fileDiagnostic(
      explanation.code,
      given.name,
      explanation.message,
      "see `schema/event.schema.json` for the form of an event",
    );
  return { explanation, decision: engine.decide(given.event).decision };
}

function explanationOf(linked: LinkedPlan, event: unknown, state: SessionState, regex: RegexEngine) {
  return explain(linked, event, {
    regex,
    factsOf: (revision, files, share, declared) => facts.of(revision, files, share, declared),
    filesOf: hermeticFiles,
    sessionOf: (judged) => state.view(judged),
  });
}

/** Returns the id of the rule: given as `policy/rule`, or as a name that one policy has. An author's rule comes before a built-in one. */
function ruleOf(given: string, plan: Plan): string | Diagnostic {
  const ids = plan.rules.map(({ id }) => id);
  if (ids.includes(given)) return given;
  const all = ids.filter((id) => id.endsWith(`/${given}`));
  const own = all.filter((id) => !id.startsWith("self-protection/"));
  const named = own.length === 1 ? own : all;
  if (named.length === 1) return named[0] as string;
  if (named.length > 1)
    return fileDiagnostic(
      "HW701",
      "--why-not",
      `\`${given}\` is a rule of several policies`,
      `write one of ${named.map((id) => `\`${id}\``).join(", ")}`,
    );
  const known = given.includes("/") ? ids : ids.map((id) => id.slice(id.indexOf("/") + 1));
  return fileDiagnostic("HW701", "--why-not", `no rule \`${given}\` in these policies`, didYouMean(given, known));
}

/** Returns the event of the options. */
async function eventOf(options: ExplainOptions, io: Io): Promise<GivenEvent | Diagnostic> {
  const { nth } = options;
  if (nth !== undefined && !/^[1-9]\d{0,8}$/.test(nth))
    return fileDiagnostic("HW701", "--nth", "`--nth` is not a number from 1 on", "count the events of the file");
  if (options.events !== undefined)
    return eventFromSession(options.events, nth === undefined ? undefined : Number(nth), io);
  if (options.event !== undefined) return eventFromFile(options.event, io);
  if (options.tool === undefined)
    return fileDiagnostic(
      "HW701",
      "<command line>",
      "no event was given",
      "give `--tool` with `--args`, `--event <file>`, or `--events <file>`",
    );
  const args = options.args === undefined ? {} : parseJson(options.args);
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return fileDiagnostic(
      "HW701",
      "--args",
      "`--args` is not a JSON object",
      `write it as in --args '{"command": "git status"}'`,
    );
  return { name: "--args", before: [], event: { event: "tool_call", id: "1", tool: options.tool, args } };
}

function refuse(problem: Diagnostic, io: Io): number {
  io.err(prettyDiagnostics([problem], new Map(), false));
  return exit.unusable;
}
