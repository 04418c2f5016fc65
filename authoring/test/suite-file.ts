import { dirname, isAbsolute, join } from "node:path";
import { type CheckedPolicy, type CompileResult, compile } from "../../compiler/compile.ts";
import { durationOf } from "../../compiler/parse/session.ts";
import { readYaml } from "../../compiler/read.ts";
import { validate } from "../../compiler/validate.ts";
import { child, toValue, type YamlNode } from "../../compiler/yaml-node.ts";
import { type Diagnostic, diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { Plan } from "../../engine/plan.ts";
import type { Suite } from "../../schema/generated.ts";
import { discoverPolicies, importProblem, resolveImport } from "../../store/discover.ts";
import { type DiscoveredFile, readPolicyFile } from "../../store/policy-file.ts";

/** A runnable suite: its text, its tree, and the plan of the policies beside it. */
export interface SuiteFile {
  readonly suite: Suite;
  readonly root: YamlNode;
  readonly source: Source;
  /** Real path of the suite, and its bytes as read. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly plan: Plan;
  /** The policies that the suite names and tests. Imports are not among them. */
  readonly policies: readonly CheckedPolicy[];
  readonly sources: ReadonlyMap<string, Source>;
  /** Returns the plan with another text of one of these policies; undefined if that does not compile. */
  planWith(policy: CheckedPolicy, bytes: Uint8Array): Plan | undefined;
}

/** A suite that cannot be run, and the reason. */
export interface UnusableSuite {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
  /** Cases that were read but cannot be judged, since a policy has an error. */
  readonly cases: number;
}

/** Reads a suite and compiles the policies beside it. `name` is for people. Source: language page section 6. */
export function readSuite(path: string, name: string = path): SuiteFile | UnusableSuite {
  const file = readPolicyFile(path, name);
  return "bytes" in file ? parseSuite(file) : { diagnostics: [file], sources: new Map(), cases: 0 };
}

/** Like `readSuite`, for a suite whose bytes are at hand, such as a text that is not written yet. */
export function parseSuite(file: DiscoveredFile): SuiteFile | UnusableSuite {
  const { name } = file;
  const { source, root, diagnostics } = readYaml(name, file.bytes);
  const sources = new Map([[name, source]]);
  if (!root) return { diagnostics, sources, cases: 0 };
  const misfits = validate("suite", source, root);
  if (misfits.length > 0) return { diagnostics: misfits, sources, cases: 0 };
  const suite = toValue(root) as Suite;
  const strays = wrongDurations(root, source);
  if (strays.length > 0) return { diagnostics: strays, sources, cases: suite.cases.length };
  const compiled = compileFor(suite, dirname(file.path), name);
  const all = new Map([...compiled.sources, [source.name, source]]);
  const { plan } = compiled;
  if (!plan) return { diagnostics: compiled.diagnostics, sources: all, cases: suite.cases.length };
  const { policies, planWith } = compiled;
  return { suite, root, source, path: file.path, bytes: file.bytes, plan, policies, sources: all, planWith };
}

type Compiled = Pick<CompileResult, "plan" | "diagnostics" | "sources" | "policies"> & Pick<SuiteFile, "planWith">;

/** Compiles the policies beside a suite; the plan is undefined if any of them has an error. */
function compileFor(suite: Suite, folder: string, name: string): Compiled {
  const found = discoverPolicies(suite.policies, folder);
  if (hasErrors(found.diagnostics))
    return {
      plan: undefined,
      diagnostics: found.diagnostics,
      sources: new Map(),
      policies: [],
      planWith: () => undefined,
    };
  const set = suite.set ? { set: { ...suite.set } } : {};
  const files = found.files.map((file) => ({ ...file, name: besideSuite(file.name, name) }));
  const compiled = (given: readonly DiscoveredFile[]): CompileResult =>
    compile({ files: given, resolveImport, importProblem, ...set });
  const { policies, ...result } = compiled(files);
  const named = new Set(found.files.map(({ path }) => path));
  const planWith = (policy: CheckedPolicy, bytes: Uint8Array): Plan | undefined =>
    compiled(files.map((one) => (one.path === policy.file.path ? { ...one, bytes } : one))).plan;
  return { ...result, policies: policies.filter(({ file }) => named.has(file.path)), planWith };
}

/** Returns a policy's name for people, with the folder of its suite, to distinguish those of several suites. */
function besideSuite(policy: string, suite: string): string {
  if (isAbsolute(policy) || policy.startsWith("pack:")) return policy;
  return suite.startsWith("pack:") ? `${suite}/${policy}` : join(dirname(suite), policy);
}

/** Reports every `after` that is no duration, at its place. */
function wrongDurations(root: YamlNode, source: Source): Diagnostic[] {
  const events = listOf(child(root, "cases")).flatMap((one) => listOf(child(one, "events")));
  return events.flatMap((event) => {
    const after = child(event, "after");
    if (after?.kind !== "scalar" || durationOf(String(after.value)) !== undefined) return [];
    const message = `\`${String(after.value)}\` is no duration`;
    return [diagnostic("HW104", source, after.span, message, "write it as `90s`, `5m` or `1h30m`")];
  });
}

/** Returns the items of a list; none for anything else. */
export function listOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}
