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

/** Result of one case. */
export interface CaseResult {
  readonly name: string;
  readonly span: Span;
  readonly mismatches: readonly Mismatch[];
}

/** Result of the examples of one rule. */
export interface ExampleResult {
  readonly rule: string;
  readonly examples: number;
  readonly failures: readonly Diagnostic[];
}

/** A rule and the source of its examples. */
export interface RuleExamples {
  readonly rule: CheckedRule;
  readonly source: Source;
}

/** Options of running a suite. */
export interface RunOptions {
  /** Runs only cases whose name, and rules whose id, contain it. */
  readonly filter?: string;
  readonly coverage?: boolean;
}

/** One running suite: its plan, linked once, the facts of its events, and the coverage meter. */
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
    // The index leaves out rules that would say no; to measure coverage, all of them must be judged.
    const meter = this.#meter;
    this.linked = meter
      ? this.bench.link(meter.plan, { index: false, observe: meter.observe })
      : this.bench.link(file.plan);
  }

  /** The cases that pass the filter, ready to play. */
  get placed(): readonly PlacedCase[] {
    const nodes = listOf(child(this.file.root, "cases"));
    const all = this.file.suite.cases.map((one, i) => ({ one, node: nodes[i], source: this.file.source }));
    return all.filter(({ one }) => one.name.includes(this.#filter));
  }

  /** The rules whose examples run: those of the suite's own policies that are in the plan. */
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

  /** Returns the coverage so far; none unless requested. */
  coverage(): CoveredPlace[] {
    return this.#meter?.places() ?? [];
  }

  /** Returns an engine with its own sessions. A compiled plan can always be linked. */
  engine(linked: LinkedPlan | EvaluationError = this.linked): CaseEngine {
    if (linked instanceof EvaluationError) throw new RangeError(`plan cannot be linked: ${linked.message}`);
    return new CaseEngine(linked, this.bench, this.#meter?.matched);
  }
}
