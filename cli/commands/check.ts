import { runExamples } from "../../authoring/examples.ts";
import { checkHosts, hostOf } from "../../authoring/host-check.ts";
import type { CompileResult } from "../../compiler/compile.ts";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { Scope } from "../../engine/plan.ts";
import type { HostName } from "../../schema/hosts.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { type Loaded, loadPolicies } from "../load.ts";
import { jsonDiagnostic, jsonLine } from "../report/json.ts";
import { count, palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `check`. */
export interface CheckOptions {
  readonly format: "pretty" | "json";
  readonly set?: Readonly<Record<string, string>>;
  readonly scope?: Scope;
  /** Hosts that the rules are held against. */
  readonly host?: readonly string[];
}

/** What was checked, in numbers. */
interface Summary {
  readonly policies: number;
  readonly rules: number;
  readonly examples: number;
  readonly errors: number;
  readonly warnings: number;
  readonly failed: number;
}

/** `check`: 2 when a policy cannot be used, else 1 when there is any finding, else 0. */
export async function check(paths: readonly string[], options: CheckOptions, io: Io): Promise<number> {
  const wanted = hostsOf(options.host ?? []);
  const loaded = loadPolicies({ ...options, policy: paths }, io);
  const failed = loaded.plan && loaded.result ? runExamples(loaded.result) : [];
  const unmet = loaded.plan && loaded.result ? checkHosts(loaded.result, wanted.hosts) : [];
  const diagnostics = sortDiagnostics([...wanted.unknown, ...loaded.diagnostics, ...failed, ...unmet]);
  const summary = summarise(loaded.result, diagnostics);
  const code = summary.errors > 0 ? exit.unusable : summary.failed + summary.warnings > 0 ? exit.findings : exit.fine;
  await print(loaded, diagnostics, summary, options, io);
  return code;
}

/** The hosts that are named, each once, and what is none. */
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

/** Findings that say a policy does not do what its author expects, but can be used. */
const failures: ReadonlySet<string> = new Set(["HW403", "HW409"]);

function summarise(result: CompileResult | undefined, diagnostics: readonly Diagnostic[]): Summary {
  const policies = result?.policies ?? [];
  const rules = policies.flatMap((policy) => policy.rules);
  const examples = rules.reduce((n, rule) => n + rule.examples.match.length + rule.examples.no_match.length, 0);
  const failed = diagnostics.filter((d) => failures.has(d.code)).length;
  const errors = diagnostics.filter((d) => d.severity === "error").length - failed;
  const warnings = diagnostics.filter((d) => d.severity === "warning").length;
  return { policies: policies.length, rules: rules.length, examples, errors, warnings, failed };
}

async function print(
  loaded: Loaded,
  diagnostics: readonly Diagnostic[],
  summary: Summary,
  options: CheckOptions,
  io: Io,
): Promise<void> {
  if (options.format === "json") {
    await io.out(jsonLine({ diagnostics: diagnostics.map((d) => jsonDiagnostic(d, loaded.sources)), summary }));
    return;
  }
  const frames = prettyDiagnostics(diagnostics, loaded.sources, io.color);
  await io.out(`${frames}${frames === "" ? "" : "\n"}${summaryLine(summary, io.color)}\n`);
}

function summaryLine(s: Summary, color: boolean): string {
  const colors = palette(color);
  const checked = [count(s.policies, "policy"), count(s.rules, "rule"), count(s.examples, "example")].join(", ");
  if (s.errors > 0)
    return `${checked}: ${colors.error(count(s.errors, "error"))}; nothing was loaded, fix the errors and check again`;
  const found = [
    s.failed > 0 ? `${count(s.failed, "example")} failed` : "",
    s.warnings > 0 ? count(s.warnings, "warning") : "",
  ].filter((text) => text !== "");
  if (found.length > 0) return `${checked}: ${colors.warning(found.join(", "))}; see the help under each finding`;
  return `${checked}: ${colors.info("no findings")}; try an event with \`hookwarden explain\`, or write a guard with \`hookwarden compile\``;
}
