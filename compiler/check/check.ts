import type { Code } from "../../diagnostics/codes.ts";
import type { Diagnostic, Fix } from "../../diagnostics/diagnostic.ts";
import { diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { spend } from "../../facts/meter.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Environment } from "../../rules/environment.ts";
import type { Type } from "../../rules/types.ts";
import { assignable, bool, isDyn, isRecord, printType } from "../../rules/types.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { checkCall } from "./calls.ts";
import type { Alias, Checker, ConditionUse, Polarity, Scope, Typed } from "./context.ts";
import { failedAt } from "./context.ts";
import { declaredHelp } from "./declared-help.ts";
import { checkIndex, checkMember, checkName, conditionAt } from "./names.ts";
import {
  checkBinary,
  checkConditional,
  checkList,
  checkLiteral,
  checkLogic,
  checkMap,
  checkUnary,
} from "./operators.ts";
import { checkQuantifier, checkTest } from "./tests.ts";

export type { ConditionUse, Polarity } from "./context.ts";

/** Options for checking a condition, by its place. */
export interface CheckOptions {
  /** Source of the policy; spans of the expression are in its file. */
  readonly source: Source;
  /** `allow` for an allow, an `unless` and an exception; `block` (default) for all else. */
  readonly polarity?: Polarity;
  /** Compiles constant patterns; a refused one is HW307. */
  readonly regex: RegexEngine;
  /** Type that the place needs; bool by default. */
  readonly expect?: Type;
  /** True for the variant of a named condition that is used under a negation (see `ConditionUse`). */
  readonly negated?: boolean;
}

/** Result of checking an expression. */
export interface Checked {
  /** Undefined when there is an error. */
  readonly ir: Ir | undefined;
  /** The same with a constant in place of every part that has an error, for findings about the others. */
  readonly seen: Ir;
  readonly type: Type;
  readonly diagnostics: readonly Diagnostic[];
  /** Uses shell or effects, itself or through a named condition. */
  readonly needs: boolean;
  /** Named conditions that the IR refers to. Each distinct `ir` must be in the plan, checked with its polarity and negation. */
  readonly uses: readonly ConditionUse[];
}

/**
 * Types an expression of either spelling against what its place can see and lowers it to IR (language sections 2 to
 * 4). Total: what is wrong is a diagnostic (HW301 to HW309, HW404), several in one run, each once.
 */
export function checkCondition(expression: Expression, environment: Environment, options: CheckOptions): Checked {
  const run = new Run(environment, options, true);
  const result = run.check(expression, run.start(options));
  const expect = options.expect ?? bool;
  if (!assignable(result.type, expect)) {
    const named = expression.kind === "name" ? declaredHelp(environment, expression.name) : undefined;
    const help = named ?? (expect.kind === "bool" ? "compare it with a value" : `write a ${printType(expect)}`);
    run.report(
      "HW304",
      expression.span,
      `${printType(expect)} is needed here, this is ${printType(result.type)}`,
      help,
    );
  }
  return run.finish(result);
}

/** Types an expression inside a text: anything that prints. An absent field needs no guard, since it prints as unavailable. */
export function checkTemplatePart(expression: Expression, environment: Environment, options: CheckOptions): Checked {
  const run = new Run(environment, options, false);
  const result = run.check(expression, run.start(options));
  if (!prints(result.type)) {
    run.report(
      "HW304",
      expression.span,
      `${printType(result.type)} has no text`,
      result.type.kind === "record" ? "name one of its fields" : "choose a part of it",
    );
  }
  return run.finish(result);
}

/** Types whose values have a text. */
function prints(type: Type): boolean {
  if (isDyn(type) || isRecord(type, "path") || isRecord(type, "url")) return true;
  if (type.kind === "list") return prints(type.element);
  return type.kind === "optional"
    ? prints(type.of)
    : type.kind !== "record" && type.kind !== "map" && type.kind !== "type";
}

/** Cost of a finding, with the names that its help line searches, in units of work. */
const findingWork = 100;

/** Returns the fix that replaces another spelling by its name; undefined where the written text has more than quotes around it. */
function respelt(written: string, { start }: Span, text: string, name: string): Fix | undefined {
  const at = written.indexOf(text);
  const around = at < 0 ? "" : written.slice(0, at) + written.slice(at + text.length);
  if (at < 0 || !/^[\\"']*$/.test(around)) return undefined;
  const span = { start: start + at, end: start + at + text.length };
  return { title: `write \`${name}\``, meaning: "same", edits: [{ span, text: name }] };
}

/** One run of the checker over one expression. */
class Run implements Checker {
  readonly environment: Environment;
  readonly polarity: Polarity;
  readonly regex: RegexEngine;
  readonly guards: boolean;
  readonly spelling = new WeakMap<Expression, string>();
  readonly #source: Source;
  readonly #seen = new Set<string>();
  #diagnostics: Diagnostic[] = [];
  #uses = new Map<string, ConditionUse>();
  #needs = false;

  constructor(environment: Environment, { source, polarity = "block", regex }: CheckOptions, guards: boolean) {
    this.environment = environment;
    this.polarity = polarity;
    this.regex = regex;
    this.guards = guards;
    this.#source = source.file;
  }

  start({ negated = false }: CheckOptions): Scope {
    return {
      variables: new Map(),
      known: new Set(),
      negated,
      certain: this.polarity === "allow" && !negated,
      slot: this.environment.slots,
    };
  }

  check(expression: Expression, scope: Scope): Typed {
    spend(2);
    switch (expression.kind) {
      case "literal":
        return checkLiteral(expression);
      case "name":
        return checkName(this, expression, scope);
      case "member":
        return checkMember(this, expression, scope);
      case "index":
        return checkIndex(this, expression, scope);
      case "call":
        return checkCall(this, expression, scope);
      case "unary":
        return checkUnary(this, expression, scope);
      case "binary":
        return checkBinary(this, expression, scope);
      case "conditional":
        return checkConditional(this, expression, scope);
      case "list":
        return checkList(this, expression, scope);
      case "map":
        return checkMap(this, expression, scope);
      case "logic":
        return checkLogic(this, expression.operator, expression.terms, expression.span, scope);
      case "test":
        return checkTest(this, expression, scope);
      case "quantifier":
        return checkQuantifier(this, expression, scope);
      case "condition":
        return conditionAt(this, expression.name, expression.span, scope);
      case "error":
        return failedAt(expression.span);
    }
  }

  /** Reports a finding once, even if a part is checked twice (a path for its guards and for its value). */
  report(code: Code, span: Span, message: string, help: string): void {
    const key = `${code} ${span.start} ${span.end} ${message}`;
    if (this.#seen.has(key)) return;
    spend(findingWork);
    this.#seen.add(key);
    this.#diagnostics.push(diagnostic(code, this.#source, span, message, help));
  }

  alias(span: Span, { text, name, warning, wider, mends }: Alias): void {
    const { message, help } = warning ?? {
      message: `facts have \`${name}\` for \`${text}\``,
      help: wider ?? `write \`${name}\``,
    };
    const key = `HW602 ${span.start} ${span.end} ${message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const found = diagnostic("HW602", this.#source, span, message, help);
    const fix = mends ? respelt(this.textAt(span), span, text, name) : undefined;
    this.#diagnostics.push({ ...found, ...(!warning && { severity: "info" }), ...(fix && { fix }) });
  }

  textAt(span: Span): string {
    return this.#source.text.slice(span.start, span.end);
  }

  probe(expression: Expression, scope: Scope): Typed {
    const [diagnostics, uses, needs, seen] = [this.#diagnostics, this.#uses, this.#needs, [...this.#seen]];
    spend(seen.length);
    this.#diagnostics = [];
    this.#uses = new Map();
    const result = this.check(expression, scope);
    this.#diagnostics = diagnostics;
    this.#uses = uses;
    this.#needs = needs;
    this.#seen.clear();
    for (const key of seen) this.#seen.add(key);
    return result;
  }

  need(): void {
    this.#needs = true;
  }

  use(use: ConditionUse): void {
    this.#uses.set(use.ir, use);
  }

  finish({ ir, type }: Typed): Checked {
    const diagnostics = this.#diagnostics;
    const failed = diagnostics.some(({ severity }) => severity === "error") || type.kind === "error";
    return {
      ir: failed ? undefined : ir,
      seen: ir,
      type,
      diagnostics,
      needs: this.#needs,
      uses: [...this.#uses.values()],
    };
  }
}
