import { type CompileRequest, type CompileResult, compile } from "../../compiler/compile.ts";
import { lintPolicies } from "../../compiler/lint/run.ts";
import type { PolicyFile } from "../../compiler/policy-draft.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import type { Code } from "../../diagnostics/codes.ts";
import { type Diagnostic, hasErrors, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { HostName } from "../../schema/hosts.ts";
import { runExamples } from "../examples.ts";
import { checkHosts } from "../host-check.ts";
import { checkThoroughly, countRows } from "../thorough/thorough.ts";
import { type CheckConfig, withLevels } from "./config.ts";
import { ignoresOf, withoutIgnored } from "./ignores.ts";
import { quietOfPacks } from "./imported-packs.ts";
import type { Checked } from "./mend.ts";

/** Options of checking policies. */
export interface CheckRequest extends Pick<CompileRequest, "scope" | "set" | "resolveImport" | "importProblem"> {
  /** Hosts against which the rules are checked. */
  readonly hosts?: readonly HostName[];
  /** Time for findings about dates, in milliseconds since the epoch. */
  readonly now?: number;
  /** Treat names that open tables do not have, and tests that are provably dead, as errors. */
  readonly strict?: boolean;
  /** Judge the `match` examples of rules that block or ask in other spellings too. */
  readonly thorough?: boolean;
  /** Returns the configuration of a policy file. */
  configOf?(path: string): CheckConfig | undefined;
}

/**
 * Returns all findings of `check` about policy files: the compiler's findings and, if none is an error, failed examples,
 * host gaps and lints. Comments may ignore findings, and the configuration sets their levels. Pure except for the ports of
 * the request. Findings about imported packs are only notes.
 */
export function checkPolicies(files: readonly PolicyFile[], request: CheckRequest): Checked {
  const { hosts = [], now, configOf, strict = false, thorough = false, ...ports } = request;
  const result = compile({ ...ports, files });
  const meant = asMeant(result, files, ports);
  const more = thorough ? checkThoroughly(meant) : undefined;
  const advice = [
    ...result.diagnostics,
    ...runExamples(meant),
    ...(more?.diagnostics ?? []),
    ...checkHosts(result, hosts),
    ...lintPolicies(result, now === undefined ? {} : { now }),
  ];
  const ignoring = result.stages.resolved.map(({ draft, root }) => ignoresOf(draft, root));
  const found = withoutIgnored(advice, ignoring, (code) => isLookedFor(code, request, result));
  const levels = levelled(found, result, configOf);
  const diagnostics = sortDiagnostics(quietOfPacks(strict ? levels.map(strictly) : levels, files));
  return { result, diagnostics, ...(more && { thorough: countRows(more.rows) }) };
}

/** Findings that a name may be wrong, or that a test is dead. */
const doubtful: ReadonlySet<string> = new Set(["HW612", "HW613", "HW614", "HW615", "HW620", "HW639", "HW667", "HW668"]);

function strictly(found: Diagnostic): Diagnostic {
  return doubtful.has(found.code) ? { ...found, severity: "error" } : found;
}

/**
 * Returns the policies whose examples are judged, as their author wrote them: a project's policy is judged as if trusted by
 * a human.
 */
function asMeant(
  result: CompileResult,
  files: readonly PolicyFile[],
  ports: Omit<CheckRequest, "hosts" | "now" | "strict" | "thorough" | "configOf">,
): Pick<CompileResult, "plan" | "policies"> {
  const { resolved } = result.stages;
  const digests = new Set(resolved.map(({ draft }) => sourceDigest(draft.file.bytes)));
  const meant = resolved.every(({ trusted }) => trusted) ? result : compile({ ...ports, files, trusted: digests });
  return { plan: meant.plan, policies: givenAmong(meant, files) };
}

/**
 * Returns the given policies without their imports: parameters, overrides and exceptions of this set would judge the
 * examples of an import differently than its own file does.
 */
export function givenAmong({ policies }: CompileResult, files: readonly PolicyFile[]): CompileResult["policies"] {
  const given = new Set(files.map((file) => file.path));
  return policies.filter(({ file }) => given.has(file.path));
}

/** True if a code can be found. Lints examine only a set without errors; host gaps and effects of trust depend on how `check` is called. */
function isLookedFor(code: Code, { hosts = [], now, thorough = false }: CheckRequest, result: CompileResult): boolean {
  if (hasErrors(result.diagnostics)) return false;
  if (code === "HW607" || code === "HW608") return hosts.length > 0;
  if (code === "HW673" || code === "HW674" || code === "HW675") return thorough;
  if (code === "HW606") return result.stages.resolved.some(({ trusted }) => !trusted);
  return code !== "HW604" || now !== undefined;
}

function levelled(
  found: readonly Diagnostic[],
  { stages }: CompileResult,
  configOf: CheckRequest["configOf"],
): readonly Diagnostic[] {
  if (!configOf) return found;
  const paths = new Map(stages.resolved.map(({ draft }) => [draft.source.name, draft.file.path]));
  return withLevels(found, (source) => {
    const path = paths.get(source);
    return path === undefined ? undefined : configOf(path);
  });
}
