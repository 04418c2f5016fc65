import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { explain } from "../../engine/explain.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine, vocabularyFor } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { linesOf } from "../../store/lines.ts";
import { fileDiagnostic, unreadable } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { loadPolicies, type PolicyOptions } from "../load.ts";
import { jsonExplanation, prettyExplanation } from "../report/explanation.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `explain`. */
export interface ExplainOptions extends PolicyOptions {
  readonly tool?: string;
  readonly args?: string;
  readonly event?: string;
  readonly format: "pretty" | "json";
}

/** `explain`: what was understood of one event, every condition with its value, and the decision. 2 when the event does not fit. */
export async function explainEvent(options: ExplainOptions, io: Io): Promise<number> {
  const loaded = loadPolicies(options, io);
  io.err(prettyDiagnostics(loaded.diagnostics, loaded.sources, false));
  if (!loaded.plan) return exit.unusable;
  const given = await eventOf(options, io);
  if (typeof given === "number") return given;
  const explanation = explainWith(loaded.plan, given.event);
  if (explanation instanceof EvaluationError)
    return refuse(io, "HW508", "policy", explanation.message, "use a plan of this version");
  if ("code" in explanation)
    return refuse(
      io,
      explanation.code,
      given.name,
      explanation.message,
      "see `schema/event.schema.json` for the form of an event",
    );
  const { decision } = createEngine(loaded.plan).decide(given.event);
  const sources = new Map(loaded.result?.policies.map((policy) => [policy.id, policy.source]));
  const report = { explanation, decision, plan: loaded.plan, sources };
  await io.out(options.format === "json" ? jsonExplanation(report) : prettyExplanation(report, io.color));
  return exit.fine;
}

function explainWith(plan: Plan, event: unknown): ReturnType<typeof explain> | EvaluationError {
  const regex = createRegexEngine();
  const linked = linkPlan(plan, vocabularyFor(regex), regex);
  if (linked instanceof EvaluationError) return linked;
  return explain(linked, event, {
    regex,
    factsOf: (revision, files) => facts.of(revision, files),
    filesOf: hermeticFiles,
    sessionOf: (judged) => new SessionState().view(judged),
  });
}

/** The event that the options give, or an exit code when they do not. */
async function eventOf(options: ExplainOptions, io: Io): Promise<{ name: string; event: unknown } | number> {
  if (options.event !== undefined) return eventFromFile(options.event, io);
  if (options.tool === undefined)
    return refuse(
      io,
      "HW701",
      "<command line>",
      "no event was given",
      "give `--tool` with `--args`, or `--event <file>`",
    );
  const args = options.args === undefined ? {} : parse(options.args);
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return refuse(
      io,
      "HW701",
      "--args",
      "`--args` is not a JSON object",
      `write it as in --args '{"command": "git status"}'`,
    );
  }
  return { name: "--args", event: { event: "tool_call", id: "1", tool: options.tool, args } };
}

/** A file with one event: one JSON object, on one line or several. */
async function eventFromFile(file: string, io: Io): Promise<{ name: string; event: unknown } | number> {
  const name = file === "-" ? "<stdin>" : file;
  const lines: string[] = [];
  let held = 0;
  try {
    for await (const line of linesOf(
      file === "-" ? io.stdin : createReadStream(resolve(io.cwd, file)),
      limits.eventBytes,
    )) {
      held += line.bytes?.length ?? limits.eventBytes + 1;
      if (held > limits.eventBytes)
        return refuse(io, "HW504", name, "the file is longer than one event may be", "explain one event at a time");
      lines.push(Buffer.from(line.bytes ?? []).toString("utf8"));
    }
  } catch (error) {
    const { message, help } = unreadable(resolve(io.cwd, file), name, error);
    return refuse(io, "HW703", name, message, help);
  }
  const event = parse(lines.join("\n"));
  if (event === undefined)
    return refuse(
      io,
      "HW501",
      name,
      "the file does not hold one JSON object",
      "give one event; of several lines, put one into a file of its own",
    );
  return { name, event: withId(event) };
}

function withId(event: unknown): unknown {
  return typeof event === "object" && event !== null && !Array.isArray(event) && !Object.hasOwn(event, "id")
    ? { ...event, id: "1" }
    : event;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(
  io: Io,
  code: "HW501" | "HW504" | "HW508" | "HW701" | "HW703",
  name: string,
  message: string,
  help: string,
): number {
  io.err(prettyDiagnostics([fileDiagnostic(code, name, message, help)], new Map(), false));
  return exit.unusable;
}
