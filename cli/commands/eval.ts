import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Code } from "../../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { Source } from "../../diagnostics/source.ts";
import { createEngine, type Engine } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { type AuditFile, openAuditFile } from "../../store/audit-file.ts";
import { type Line, linesOf } from "../../store/lines.ts";
import { fileDiagnostic, unreadable } from "../../store/policy-file.ts";
import { readEventLine } from "../event-line.ts";
import { exit, type Io } from "../io.ts";
import { loadPolicies, type PolicyOptions } from "../load.ts";
import { decisionLine } from "../report/decision.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `eval`. */
export interface EvalOptions extends PolicyOptions {
  readonly events?: string;
  readonly audit?: string;
  /** False with `--no-index`. */
  readonly index?: boolean;
}

/**
 * `eval`: writes one decision per event, in order, to standard output; everything else to standard error. A line that does
 * not fit gets its closed decision, the rest is judged, and the exit code is 2 (semantics page section 6).
 */
export async function evaluate(options: EvalOptions, io: Io): Promise<number> {
  const loaded = loadPolicies(options, io);
  io.err(prettyDiagnostics(loaded.diagnostics, loaded.sources, false));
  if (!loaded.plan) return exit.unusable;
  const audit = openAudit(options.audit, io);
  if (audit === "failed") return exit.unusable;
  const engine = createEngine(loaded.plan, {
    index: options.index !== false,
    ...(audit && { store: audit, clock: { now: () => performance.now() } }),
  });
  try {
    return await judgeAll(engine, options.events, io);
  } finally {
    audit?.close();
  }
}

function openAudit(file: string | undefined, io: Io): AuditFile | "failed" | undefined {
  if (file === undefined) return undefined;
  try {
    const audit = openAuditFile(resolve(io.cwd, file));
    if (audit.torn !== undefined)
      report(
        io,
        withSeverity("warning", "HW704", file, "the last record was not finished", `it was moved to \`${audit.torn}\``),
      );
    return audit;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    report(
      io,
      fileDiagnostic(
        "HW702",
        file,
        `audit file cannot be written: ${why}`,
        "name a file in a folder that this user may write",
      ),
    );
    return "failed";
  }
}

async function judgeAll(engine: Engine, events: string | undefined, io: Io): Promise<number> {
  const name = events === undefined || events === "-" ? "<stdin>" : events;
  const stream = name === "<stdin>" ? io.stdin : createReadStream(resolve(io.cwd, name));
  let code: number = exit.fine;
  try {
    let seen = false;
    for await (const line of linesOf(stream, limits.eventBytes)) {
      seen = true;
      if (!(await judgeLine(engine, line, name, io))) code = exit.unusable;
    }
    if (!seen)
      io.err(`no event was given in ${name === "<stdin>" ? "standard input" : `\`${name}\``}: nothing was judged\n`);
    return code;
  } catch (error) {
    if (!isFileError(error)) throw error;
    const { message, help } = unreadable(resolve(io.cwd, name), name, error);
    report(io, fileDiagnostic("HW703", name, message, help));
    return exit.unusable;
  }
}

/** Judges the events of one line; false if the line did not fit. */
async function judgeLine(engine: Engine, line: Line, name: string, io: Io): Promise<boolean> {
  const read = readEventLine(line);
  if (read.problem) report(io, lineDiagnostic(name, line, read.problem.code, read.problem.message));
  let fits = read.problem === undefined;
  if (read.approval && !engine.answer(read.approval)) {
    const message = `no earlier event \`${read.approval.of}\` waits for an answer`;
    report(io, lineDiagnostic(name, line, "HW501", message));
    fits = false;
  }
  for (const event of read.events) {
    const { decision } = engine.decide(event);
    await io.out(decisionLine(decision));
    const misfit = decision.errors.find((error) => error.code === "HW501" || error.code === "HW504");
    if (misfit && fits)
      report(io, lineDiagnostic(name, line, misfit.code === "HW501" ? "HW501" : "HW504", misfit.message));
    if (misfit) fits = false;
    if (decision.errors.some((error) => error.code === "HW509")) fits = false;
  }
  return fits;
}

function lineDiagnostic(name: string, line: Line, code: "HW501" | "HW504", message: string): Diagnostic {
  return fileDiagnostic(
    code,
    `${name}:${line.number}`,
    message,
    "the line got its closed decision; see `schema/event.schema.json` for the form of an event",
  );
}

function withSeverity(
  severity: Diagnostic["severity"],
  code: Code,
  name: string,
  message: string,
  help: string,
): Diagnostic {
  return { ...diagnostic(code, new Source(name, ""), { start: 0, end: 0 }, message, help), severity };
}

function report(io: Io, d: Diagnostic): void {
  io.err(prettyDiagnostics([d], new Map(), false));
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
