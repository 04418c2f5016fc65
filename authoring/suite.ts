import { dirname } from "node:path";
import { type CompileResult, compile } from "../compiler/compile.ts";
import { readYaml } from "../compiler/read.ts";
import { validate } from "../compiler/validate.ts";
import { child, entry, toValue, type YamlNode } from "../compiler/yaml-node.ts";
import { type Diagnostic, diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { canonicalJson } from "../engine/canonical.ts";
import { createEngine, type Engine } from "../runtime.ts";
import { canonicalEvent } from "../schema/events.ts";
import type { Decision, Expectation, Suite, SuiteCase, SuiteEvent } from "../schema/generated.ts";
import { validateEvent } from "../schema/validators.generated.js";
import { wireFields } from "../schema/wire-fields.ts";
import { discoverPolicies, resolveImport } from "../store/discover.ts";
import { readPolicyFile } from "../store/policy-file.ts";
import { approvalOf, exampleEnvironment } from "./examples.ts";
import { matchesSubset } from "./subset.ts";

/** What a suite gave. Without errors in the suite or its policies, every HW409 is a case that does not hold. */
export interface SuiteResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly cases: number;
  readonly failed: number;
}

/**
 * Reads and runs one suite file: the events of each case in order through an engine of its own, each decision compared
 * with what the case expects. `name` is for people. Source: language page section 6.
 */
export function runSuite(path: string, name: string = path): SuiteResult {
  const file = readPolicyFile(path, name);
  if (!("bytes" in file)) return { diagnostics: [file], sources: new Map(), cases: 0, failed: 0 };
  const { source, root, diagnostics } = readYaml(name, file.bytes);
  const sources = new Map([[name, source]]);
  if (!root) return { diagnostics, sources, cases: 0, failed: 0 };
  const misfits = validate("suite", source, root);
  if (misfits.length > 0) return { diagnostics: misfits, sources, cases: 0, failed: 0 };
  return runDocument(toValue(root) as Suite, root, source, dirname(file.path));
}

function runDocument(suite: Suite, root: YamlNode, source: Source, folder: string): SuiteResult {
  const compiled = compileFor(suite, folder);
  const sources = new Map([...compiled.sources, [source.name, source]]);
  if (!compiled.plan) return { diagnostics: compiled.diagnostics, sources, cases: suite.cases.length, failed: 0 };
  const nodes = listOf(child(root, "cases"));
  const failures = suite.cases.map((one, i) => runCase(one, nodes[i], source, createEngine(compiled.plan)));
  return {
    diagnostics: failures.flat(),
    sources,
    cases: suite.cases.length,
    failed: failures.filter((found) => found.length > 0).length,
  };
}

/** The policies of a suite stand beside it; the plan is undefined when any of them has an error. */
function compileFor(suite: Suite, folder: string): Pick<CompileResult, "plan" | "diagnostics" | "sources"> {
  const found = discoverPolicies(suite.policies, folder);
  if (hasErrors(found.diagnostics)) return { plan: undefined, diagnostics: found.diagnostics, sources: new Map() };
  return compile({ files: found.files, resolveImport, ...(suite.set ? { set: { ...suite.set } } : {}) });
}

/** One case: its events share a session, its environment and files stand behind those of each event. */
function runCase(one: SuiteCase, node: YamlNode | undefined, source: Source, engine: Engine): Diagnostic[] {
  const nodes = listOf(child(node, "events"));
  return one.events.flatMap((event, i) => {
    const wire = wireEvent(one, event, i);
    const place = spanOf(nodes[i], node);
    const fail = (message: string, help: string, span: Span = place): Diagnostic =>
      diagnostic("HW409", source, span, `case \`${one.name}\`: ${message}`, help);
    const approval = approvalOf(event);
    if (approval) {
      const named = asObject(event["session"])["id"];
      if (engine.answer({ ...approval, ...(typeof named === "string" && { session: named }) }))
        return event.expect?.labels
          ? labelDifferences(event.expect.labels, wireEvent(one, event, i), engine).map((d) =>
              fail(d.message, d.help, place),
            )
          : [];
      return [
        fail("the approval answers no question", "give it `of`, the `id` (or number) of an event before it that asks"),
      ];
    }
    const misfit = unknownField(wire);
    if (misfit !== undefined)
      return [
        fail(`unknown field \`${misfit}\` of an event`, "see `schema/event.schema.json` for the fields of an event"),
      ];
    const { decision } = engine.decide(wire);
    const { expect } = event;
    if (!expect) return [];
    const found = [...differences(expect, decision), ...labelDifferences(expect.labels, wire, engine)];
    return found.map((d) => fail(d.message, d.help, entry(child(nodes[i], "expect"), d.key)?.value.span ?? place));
  });
}

function wireEvent(one: SuiteCase, event: SuiteEvent, index: number): Record<string, unknown> {
  const { expect: _, ...fields } = event;
  const own = asObject(fields["environment"]);
  const files = { ...asObject(one.files), ...asObject(own["files"]) };
  const environment = {
    ...exampleEnvironment,
    ...one.environment,
    ...own,
    ...(Object.keys(files).length > 0 ? { files } : {}),
  };
  const session = { id: suiteSession, ...one.session, ...asObject(fields["session"]) };
  return { id: String(index + 1), ...fields, environment, session };
}

/** Own fields of an event that it does not have, which a suite must not give (events page). */
function unknownField(event: Record<string, unknown>): string | undefined {
  const name = canonicalEvent(String(event["event"]));
  if (name === undefined || !validateEvent(event)) return undefined;
  const known = wireFields(name);
  return Object.keys(event).find((key) => !known.has(key) || onlyInEval.has(key));
}

/** What `eval` alone does with an event line: copies of it. A suite says each event by itself. */
const onlyInEval: ReadonlySet<string> = new Set(["repeat", "every"]);

interface Difference {
  readonly key: string;
  readonly message: string;
  readonly help: string;
}

/** Where a decision is not as expected. What is not named is not compared; `changes` is compared as a subset. */
function differences(expect: Expectation, decision: Decision): Difference[] {
  const found: Difference[] = [];
  const help = `the decision was ${decision.outcome}, answered by ${decision.rule ?? decision.answered}${decision.reason === undefined ? "" : `: ${decision.reason}`}`;
  for (const key of ["outcome", "answered", "rule", "reason"] as const) {
    const wanted = expect[key];
    if (wanted !== undefined && wanted !== decision[key])
      found.push({ key, message: `expected ${key} \`${wanted}\`, got \`${decision[key] ?? "none"}\``, help });
  }
  if (expect.changes && !matchesSubset(expect.changes, decision.changes)) {
    found.push({
      key: "changes",
      message: "the changes are not as expected",
      help: `the changes were ${canonicalJson(decision.changes).slice(0, 400)}`,
    });
  }
  return found;
}

/** `labels` are all that the session has after the event, in any order: one too many differs as well. */
function labelDifferences(
  wanted: readonly string[] | undefined,
  event: Readonly<Record<string, unknown>>,
  engine: Engine,
): Difference[] {
  if (!wanted) return [];
  const id = asObject(event["session"])["id"];
  const labels = engine.labels(typeof id === "string" ? id : suiteSession);
  const missing = wanted.filter((label) => !labels.includes(label));
  const further = labels.filter((label) => !wanted.includes(label));
  const help = labels.length > 0 ? `the session has \`${labels.join("`, `")}\`` : "the session has no label";
  return [
    ...(missing.length > 0 ? [{ key: "labels", message: `expected label \`${missing.join("`, `")}\``, help }] : []),
    ...(further.length > 0 ? [{ key: "labels", message: `unexpected label \`${further.join("`, `")}\``, help }] : []),
  ];
}

/** Session of events that name none. */
const suiteSession = "suite";

function listOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}

function spanOf(event: YamlNode | undefined, one: YamlNode | undefined): Span {
  return child(one, "name")?.span ?? event?.span ?? { start: 0, end: 0 };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
