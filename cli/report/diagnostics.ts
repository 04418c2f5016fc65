import { isAbsolute, relative } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import { packageVersion } from "../../store/packs.ts";
import { githubAnnotations } from "./github.ts";
import { type JUnitCase, type JUnitSuite, junitXml } from "./junit.ts";
import { sarifLog } from "./sarif.ts";

/** Formats for other programs, beside JSON. */
export const reportFormats = ["sarif", "junit", "github"] as const;

/** One of `reportFormats`. */
export type ReportFormat = (typeof reportFormats)[number];

/** True for a format that `reportDiagnostics` prints. */
export function isReportFormat(format: string): format is ReportFormat {
  return (reportFormats as readonly string[]).includes(format);
}

/** Findings of a report. */
export interface Findings {
  /** Absolute path of the folder to which names of files below it are relative. */
  readonly base: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
  /** True for a finding that makes the exit code nonzero. */
  fails(d: Diagnostic): boolean;
}

/** Returns findings as text in a format of other programs; it ends with a line break, or is empty if that format has nothing to report. */
export function reportDiagnostics(format: ReportFormat, given: Findings): string {
  const findings = toldFrom(given);
  if (format === "sarif") return sarifLog(findings.diagnostics, findings.sources, packageVersion());
  if (format === "github") return githubAnnotations(findings.diagnostics, findings.sources);
  return junitXml("hookwarden check", suitesOf(findings));
}

/** Returns the findings with names relative to the base folder, as servers know the files of a repository. */
function toldFrom({ base, diagnostics, sources, fails }: Findings): Findings {
  const told = new Map<Diagnostic, Diagnostic>();
  for (const d of diagnostics) {
    const related = d.related?.map((r) => ({ ...r, source: nameFrom(base, r.source) }));
    told.set({ ...d, source: nameFrom(base, d.source), ...(related && { related }) }, d);
  }
  return {
    base,
    diagnostics: [...told.keys()],
    sources: new Map([...sources].map(([name, source]) => [nameFrom(base, name), source])),
    fails: (d) => fails(told.get(d) ?? d),
  };
}

function nameFrom(base: string, name: string): string {
  if (!isAbsolute(name)) return name;
  const from = relative(base, name);
  return from === "" || from.startsWith("..") || isAbsolute(from) ? name : from;
}

/** Returns a suite for each file: a case for each finding in it, or one that passed. */
function suitesOf({ diagnostics, sources, fails }: Findings): JUnitSuite[] {
  const names = new Set([...sources.keys(), ...diagnostics.map(({ source }) => source)]);
  return [...names].sort().map((name) => {
    const own = diagnostics.filter(({ source }) => source === name);
    const cases = own.map((d) => caseOf(d, sources.get(name), fails(d)));
    return { name, cases: cases.length > 0 ? cases : [{ name: "no findings" }] };
  });
}

function caseOf(d: Diagnostic, source: Source | undefined, fails: boolean): JUnitCase {
  const at = source?.position(d.span.start);
  const place = at === undefined ? d.source : `${d.source}:${at.line}:${at.column}`;
  const told = `${place}: ${d.severity}[${d.code}]: ${d.message}\nhelp: ${d.help}`;
  const base = { name: `${d.code} ${d.message}`, file: d.source, ...(at && { line: at.line }) };
  return fails ? { ...base, failure: { message: d.message, type: d.code, text: told } } : { ...base, output: told };
}
