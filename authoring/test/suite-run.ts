import type { CheckedRule } from "../../compiler/compile.ts";
import { child } from "../../compiler/yaml-node.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { LinkedPlan } from "../../engine/link-plan.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { exampleFailures } from "../examples.ts";
import { Bench, CaseEngine } from "./case-engine.ts";
import { CoverageMeter } from "./coverage.ts";
import type { CoveredPlace } from "./coverage-places.ts";
import { type Mismatch, type PlacedCase, playCase } from "./run-case.ts";
import { listOf, type SuiteFile } from "./suite-file.ts";

/** What one case gave. */
export interface CaseResult {
  readonly name: string;
  readonly span: Span;
  readonly mismatches: readonly Mismatch[];
}

/** What the examples of one rule gave. */
export interface ExampleResult {
  readonly rule: string;
  readonly examples: number;
  readonly failures: readonly Diagnostic[];
}

/** A rule with the source that its examples stand in. */
export interface RuleExamples {
  readonly rule: CheckedRule;
  readonly source: Source;
}

/** How a suite is run. */
export interface RunOptions {
  /** Names of cases and ids of rules that are run: those that contain it. */
  readonly filter?: string;
  readonly coverage?: boolean;
}

/** One suite at work: its plan linked once, with the facts of its events, and whoever watches. */
export class SuiteRun {
  readonly file: SuiteFile;
  readonly bench = new Bench();
  readonly linked: LinkedPlan | EvaluationError;
  readonly #meter: CoverageMeter | undefined;
  readonly #filter: string;

  constructor(file: SuiteFile, { filter = "", coverage = false }: RunOptions = {}) {
    this.file = file;
    this.#filter = filter;
    this.#meter = coverage ? new CoverageMeter(file) : undefined;
    // The index leaves out rules that would say no; whoever measures what they said has all of them judged.
    const meter = this.#meter;
    this.linked = meter
      ? this.bench.link(meter.plan, { index: false, observe: meter.observe })
      : this.bench.link(file.plan);
  }

  /** The cases that the filter lets through, as they are played. */
  get placed(): readonly PlacedCase[] {
    const nodes = listOf(child(this.file.root, "cases"));
    const all = this.file.suite.cases.map((one, i) => ({ one, node: nodes[i], source: this.file.source }));
    return all.filter(({ one }) => one.name.includes(this.#filter));
  }

  /** The rules whose examples are run: those of the suite's own policies that are in the plan. */
  get rules(): readonly RuleExamples[] {
    const enabled = new Set(this.file.plan.rules.map(({ id }) => id));
    return this.file.policies.flatMap(({ rules, source }) =>
      rules.filter(({ id }) => enabled.has(id) && id.includes(this.#filter)).map((rule) => ({ rule, source })),
    );
  }

  /** Plays every case, each in an engine of its own. */
  cases(): CaseResult[] {
    return this.placed.map((placed) => ({
      name: placed.one.name,
      span: child(placed.node, "name")?.span ?? { start: 0, end: 0 },
      mismatches: [...playCase(placed, this.engine())],
    }));
  }

  /** Judges the examples of every rule. */
  examples(): ExampleResult[] {
    const engine = this.engine();
    return this.rules.map(({ rule, source }) => ({
      rule: rule.id,
      examples: rule.examples.match.length + rule.examples.no_match.length,
      failures: [...exampleFailures(rule, source, engine)],
    }));
  }

  /** What was reached so far; none unless it was asked for. */
  coverage(): CoveredPlace[] {
    return this.#meter?.places() ?? [];
  }

  /** An engine with sessions of its own. A plan that was compiled can be linked. */
  engine(linked: LinkedPlan | EvaluationError = this.linked): CaseEngine {
    if (linked instanceof EvaluationError) throw new RangeError(`plan cannot be linked: ${linked.message}`);
    return new CaseEngine(linked, this.bench, this.#meter?.matched);
  }
}
