import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hostOf } from "../../authoring/host-check.ts";
import { type CheckRequest, checkPolicies, givenAmong } from "../../authoring/lint/check-policies.ts";
import { CheckConfigs } from "../../authoring/lint/config-file.ts";
import { isOfImportedPack } from "../../authoring/lint/imported-packs.ts";
import { type Mended, mendPolicies } from "../../authoring/lint/mend.ts";
import type { ThoroughCounts } from "../../authoring/thorough/thorough.ts";
import type { CompileResult } from "../../compiler/compile.ts";
import { waitingActions } from "../../compiler/project-trust.ts";
import { isLint } from "../../diagnostics/codes.ts";
import { type Diagnostic, type Severity, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { Scope } from "../../engine/plan.ts";
import type { HostName } from "../../schema/hosts.ts";
import {
  type Discovery,
  discoverForAuthoring,
  discoverPolicies,
  importProblem,
  resolveImport,
} from "../../store/discover.ts";
import { writeAtomically } from "../../store/output-file.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { isReportFormat, type ReportFormat, reportDiagnostics } from "../report/diagnostics.ts";
import { jsonDiagnostic, jsonLine } from "../report/json.ts";
import { count, palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `check`. */
export interface CheckOptions {
  readonly format: "pretty" | "json" | ReportFormat;
  readonly set?: Readonly<Record<string, string>>;
  readonly scope?: Scope;
  /** Hosts against which the rules are checked. */
  readonly host?: readonly string[];
  /** Lowest level of findings that makes the exit code 1; `warning`, unless a configuration sets another. */
  readonly failLevel?: Severity;
  /** Treat a name that open tables do not have as an error. */
  readonly strict?: boolean;
  /** Judge the examples in other spellings too. */
  readonly thorough?: boolean;
  /** Configuration in place of the nearest `.hookwarden/check.yaml`. */
  readonly config?: string;
  /** Apply the fixes of findings. */
  readonly fix?: boolean;
}

/** Counts of a check. */
interface Summary {
  readonly policies: number;
  readonly rules: number;
  readonly examples: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly failed: number;
  /** Number of applied fixes. */
  readonly fixed: number;
  /** Counts of other spellings of the examples, if judged. */
  readonly thorough?: ThoroughCounts;
}

/** Result of a check, before it is printed. */
interface Outcome {
  readonly result: CompileResult | undefined;
  /** Policies whose examples were judged. */
  readonly judged: CompileResult["policies"];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly fixed: number;
  readonly thorough: ThoroughCounts | undefined;
  readonly failLevel: Severity;
  /** Advice about packs that the policies import; it is never a failure. */
  readonly ofPacks: ReadonlySet<Diagnostic>;
}

/** `check`: 2 if a policy cannot be used, else 1 if there is a finding of the level that fails, else 0. */
export async function check(paths: readonly string[], options: CheckOptions, io: Io): Promise<number> {
  const outcome = checked(paths, options, io);
  const summary = summarise(outcome);
  await print(outcome, summary, paths, options, io);
  if (summary.errors > 0) return exit.unusable;
  return outcome.diagnostics.some((d) => isFailure(d, outcome)) ? exit.findings : exit.fine;
}

function isFailure(d: Diagnostic, { failLevel, ofPacks }: Outcome): boolean {
  if (ofPacks.has(d)) return false;
  return failures.has(d.code) || rank[d.severity] >= rank[failLevel];
}

const rank: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

function checked(paths: readonly string[], options: CheckOptions, io: Io): Outcome {
  const configs = new CheckConfigs(io.cwd, options.config);
  const wanted = hostsOf(options.host ?? []);
  const found = filesOf(paths, configs, options, io);
  const failLevel = options.failLevel ?? configs.for()?.failLevel ?? configs.for(found.files[0]?.path)?.failLevel;
  const outcome = { failLevel: failLevel ?? "warning", fixed: 0, thorough: undefined, ofPacks: new Set<Diagnostic>() };
  const early = [...wanted.unknown, ...found.diagnostics];
  if (found.files.length === 0) {
    const diagnostics = sortDiagnostics([...early, ...configs.diagnostics]);
    return { ...outcome, result: undefined, judged: [], diagnostics, sources: configs.sources };
  }
  const request: CheckRequest = {
    resolveImport,
    importProblem,
    hosts: wanted.hosts,
    now: Date.now(),
    configOf: (path) => configs.for(path),
    ...(options.strict && { strict: true }),
    ...(options.scope && { scope: options.scope }),
    ...(options.set && { set: options.set }),
  };
  const isSound = early.length === 0 && configs.diagnostics.length === 0;
  const mended = options.fix && isSound ? mend(found, request) : undefined;
  // Fixes change no spelling of an example, so that those are judged once, when all is mended.
  const given = options.thorough ? { ...request, thorough: true } : request;
  const checks = mended && !options.thorough ? mended.checked : checkPolicies(mended?.files ?? found.files, given);
  const { result, diagnostics, thorough } = checks;
  const ofPacks = diagnostics.filter((d) => isOfImportedPack(d, found.files));
  return {
    ...outcome,
    ofPacks: new Set(ofPacks),
    result,
    judged: givenAmong(result, found.files),
    fixed: mended?.made ?? 0,
    thorough,
    diagnostics: sortDiagnostics([...early, ...configs.diagnostics, ...diagnostics, ...(mended?.unwritten ?? [])]),
    sources: new Map([...configs.sources, ...result.sources]),
  };
}

/** Returns the named files, or else the configuration's files and the project's policies. */
function filesOf(paths: readonly string[], configs: CheckConfigs, options: CheckOptions, io: Io): Discovery {
  if (paths.length > 0) return discoverPolicies(paths, io.cwd, options.scope);
  const config = configs.for();
  const own = discoverForAuthoring(io.cwd, io.env["HOOKWARDEN_POLICY"]);
  if (!config || config.paths.length === 0) return own;
  const more = discoverPolicies(config.paths, config.base, options.scope);
  const known = new Set(more.files.map(({ path }) => path));
  return {
    files: [...more.files, ...own.files.filter(({ path }) => !known.has(path))],
    diagnostics: [...more.diagnostics, ...own.diagnostics.filter(({ code }) => code !== "HW012")],
  };
}

/** Returns the named hosts, each once, and findings for unknown names. */
function hostsOf(names: readonly string[]): { readonly hosts: readonly HostName[]; readonly unknown: Diagnostic[] } {
  const hosts = new Set<HostName>();
  const unknown: Diagnostic[] = [];
  for (const name of names) {
    const found = hostOf(name);
    if (typeof found === "string") hosts.add(found);
    else unknown.push(fileDiagnostic("HW701", "--host", `there is no host \`${name}\``, found.help));
  }
  return { hosts: [...hosts], unknown };
}

/** Applies fixes and writes the files, each whole or not at all. A shipped pack is not the user's to change. */
function mend(found: Discovery, request: CheckRequest): Mended & { readonly unwritten: readonly Diagnostic[] } {
  const mended = mendPolicies(
    found.files,
    (files) => checkPolicies(files, request),
    ({ name }) => !name.startsWith("pack:"),
  );
  const unwritten = mended.changed.flatMap(({ file, before, output }): Diagnostic[] => {
    const why = write(file.path, before, output);
    const help = "nothing of this file was changed; check again, and that its folder can be written";
    return why === undefined
      ? []
      : [fileDiagnostic("HW702", file.name, `\`${file.name}\` cannot be written: ${why}`, help)];
  });
  return { ...mended, unwritten };
}

/** Writes a file; returns why it was left unchanged, or undefined. If somebody changed it meanwhile, their text stays. */
function write(path: string, before: Uint8Array, output: string): string | undefined {
  try {
    if (!readFileSync(path).equals(before)) return "it changed while it was checked";
    writeAtomically(path, output);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Findings about a policy that does not do what its author expects, but can be used. */
const failures: ReadonlySet<string> = new Set(["HW403", "HW409"]);

/** True for an error. A lint that a configuration calls an error does not count: the policy loads. */
function isError({ code, severity }: Diagnostic): boolean {
  return severity === "error" && !failures.has(code) && !isLint(code);
}

function summarise({ result, judged, diagnostics, fixed, thorough }: Outcome): Summary {
  const policies = result?.policies ?? [];
  const rules = policies.flatMap((policy) => policy.rules);
  const examples = judged
    .flatMap((policy) => policy.rules)
    .reduce((n, rule) => n + rule.examples.match.length + rule.examples.no_match.length, 0);
  const failed = diagnostics.filter((d) => failures.has(d.code)).length;
  const errors = diagnostics.filter(isError).length;
  const infos = diagnostics.filter((d) => d.severity === "info").length;
  const warnings = diagnostics.length - failed - errors - infos;
  const counts = { policies: policies.length, rules: rules.length, examples, errors, warnings, infos, failed, fixed };
  return thorough ? { ...counts, thorough } : counts;
}

async function print(
  outcome: Outcome,
  summary: Summary,
  paths: readonly string[],
  options: CheckOptions,
  io: Io,
): Promise<void> {
  const { diagnostics, sources, failLevel, ofPacks } = outcome;
  if (options.format === "json") {
    await io.out(jsonLine({ diagnostics: diagnostics.map((d) => jsonDiagnostic(d, sources)), summary }));
    return;
  }
  if (isReportFormat(options.format)) {
    const fails = (d: Diagnostic): boolean => isFailure(d, outcome);
    // Reports are attached to files of the project, and a pack is none.
    const own = diagnostics.filter((d) => !ofPacks.has(d));
    await io.out(reportDiagnostics(options.format, { base: io.cwd, diagnostics: own, sources, fails }));
    return;
  }
  // Notes are counted, and shown on request: they must not bury findings that need a fix.
  const shown = failLevel === "info" ? diagnostics : diagnostics.filter((d) => d.severity !== "info");
  const frames = prettyDiagnostics(shown, sources, io.color);
  const quiet = diagnostics.filter((d) => !shown.includes(d) && !ofPacks.has(d)).length;
  const notes = quiet > 0 ? `${count(quiet, "note")} not shown; \`--fail-level info\` shows them\n` : "";
  const more = thoroughNote(outcome, summary);
  const spellings = summary.thorough ? `${spellingsLine(summary.thorough)}\n` : "";
  await io.out(
    `${frames}${frames === "" ? "" : "\n"}${spellings}${summaryLine(summary, diagnostics, installOf(paths, io.cwd), io.color)}\n${waitingNote(outcome)}${notes}${more}`,
  );
}

/**
 * Returns a note about `--thorough`, where it has something to judge that the examples leave open: a rule that blocks or asks
 * has examples that it must match, and none that it must not.
 */
function thoroughNote({ result, judged, thorough }: Outcome, { errors, failed }: Summary): string {
  if (thorough || errors + failed > 0) return "";
  const stopping = new Set(
    (result?.plan?.rules ?? [])
      .filter(({ actions }) => actions.some(({ action }) => action === "block" || action === "ask"))
      .map(({ id }) => id),
  );
  const open = judged
    .flatMap(({ rules }) => rules)
    .filter(
      ({ id, examples }) => stopping.has(id) && examples.match.length > 0 && examples.no_match.length === 0,
    ).length;
  if (open === 0) return "";
  const have = open === 1 ? "1 rule has" : `${open} rules have`;
  return `${have} examples of one side alone; \`--thorough\` judges them in other spellings too\n`;
}

/** Returns a note about actions of imported packs that wait until a human trusts the project's policy. */
function waitingNote({ result }: Outcome): string {
  const packs = result?.stages.resolved.filter(({ shipped, trusted }) => shipped && !trusted) ?? [];
  const n = waitingActions(packs.flatMap(({ draft }) => draft.rules));
  if (n === 0) return "";
  const wait = `${count(n, "action")} of imported packs ${n === 1 ? "waits" : "wait"} for a human to run \`hookwarden trust\`.`;
  return `${wait} Blocks and questions work now.\n`;
}

function summaryLine(s: Summary, diagnostics: readonly Diagnostic[], install: string, color: boolean): string {
  const colors = palette(color);
  const made = s.fixed > 0 ? `${count(s.fixed, "finding")} mended; ` : "";
  const checkedWhat = `${made}${[count(s.policies, "policy"), count(s.rules, "rule"), count(s.examples, "example")].join(", ")}`;
  if (s.errors > 0)
    return `${checkedWhat}: ${colors.error(count(s.errors, "error"))}; nothing was loaded, fix the errors and check again`;
  const found = [
    s.failed > 0 ? `${count(s.failed, "example")} failed` : "",
    s.warnings > 0 ? count(s.warnings, "warning") : "",
  ].filter((text) => text !== "");
  const mendable = diagnostics.filter(({ fix }) => fix !== undefined).length;
  const help =
    mendable > 0 ? `see the help under each finding; \`--fix\` mends ${mendable}` : "see the help under each finding";
  if (found.length > 0) return `${checkedWhat}: ${colors.warning(found.join(", "))}; ${help}`;
  return `${checkedWhat}: ${colors.info("no findings")}; try a call with \`hookwarden explain\`, then let an agent's host ask with \`${install}\``;
}

/** Returns the command that enforces the checked policies. Policies outside the usual places must be named. */
function installOf(paths: readonly string[], cwd: string): string {
  const own = join(cwd, ".hookwarden");
  const others = paths.filter((path) => resolve(cwd, path) !== own && dirname(resolve(cwd, path)) !== own);
  if (others.length === 0) return "hookwarden install <host>";
  const [only = "", more] = others;
  const named = more === undefined && /^[\w./:~-]+$/.test(only) ? only : "<file>";
  return `hookwarden install <host> --policy ${named}`;
}

/** Counts the results of other spellings. Spellings that an example cannot have are reported, because they have not passed. */
function spellingsLine({ examples, judged, hold, ignored, failed, not_applicable }: ThoroughCounts): string {
  const ways = `${count(judged, "other spelling")} of ${count(examples, "example")}`;
  const open = ignored > 0 ? `, ${ignored} ignored by \`unsure: ignore\`` : "";
  return `${ways}: ${hold} hold, ${failed} do not${open}; ${not_applicable} cannot be made`;
}
