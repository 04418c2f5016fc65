import { spend } from "../../facts/meter.ts";
import type { CallContext, FunctionCode, RegexEngine, Value } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import type { Kind, Kinds } from "./values.ts";
import { evaluationError, isKind, kindOf, testOf } from "./values.ts";

/** Arguments of an overload, typed by the kinds of its parameters. */
export type Arguments<K extends readonly Kind[]> = { readonly [I in keyof K]: Kinds[K[I]] };

type Run<K extends readonly Kind[]> = (args: Arguments<K>, context: CallContext) => Value | EvaluationError;

/** One overload with the kinds it takes, so that a call on dyn values finds its overload when it runs. */
export interface Overload extends FunctionCode {
  readonly kinds: readonly Kind[];
}

/** Work done once, when a plan is linked, with the constant arguments (undefined for others). */
type Prepare<K extends readonly Kind[]> = (
  constants: { readonly [I in keyof K]: Kinds[K[I]] | undefined },
  regex: RegexEngine,
) => Run<K> | EvaluationError;

/**
 * Makes an overload from typed code. Arguments are checked before the code runs, so that wrong kinds (from dyn values or a
 * tampered plan) give an error value and never a wrong answer.
 */
export function overload<const K extends readonly Kind[]>(
  id: string,
  kinds: K,
  run: Run<K>,
  prepare?: Prepare<K>,
): Overload {
  const tests = kinds.map(testOf);
  const checked = (inner: Run<K>): FunctionCode["run"] => {
    return (args, context) => {
      for (let i = 0; i < tests.length; i++) {
        if (!(tests[i] as (value: unknown) => boolean)(args[i])) return mismatch(id, kinds, args);
        spendArgument(args[i]);
      }
      return inner(args as unknown as Arguments<K>, context);
    };
  };
  const base = { id, kinds, run: checked(run) };
  if (!prepare) return base;
  return {
    ...base,
    prepare: (constants, regex) => {
      const wrong = constants.some((value, i) => value !== undefined && !isKind(value, kinds[i] ?? "any"));
      if (wrong) return base.run;
      const inner = prepare(constants as unknown as Parameters<Prepare<K>>[0], regex);
      return inner instanceof EvaluationError ? inner : checked(inner);
    },
  };
}

/** Units of text that the step of a call already pays for. */
const paidText = 128;

/**
 * Spends the work of reading a text or list argument once, since a call takes one step however long its arguments are.
 * Functions that do more work pay for it themselves.
 */
function spendArgument(value: unknown): void {
  if (typeof value === "string") {
    if (value.length > paidText) spend(value.length >> 5);
  } else if (Array.isArray(value)) spend(value.length);
}

/** Returns the error value for arguments that no overload accepts. */
export function mismatch(id: string, kinds: readonly Kind[], args: readonly Value[]): EvaluationError {
  return evaluationError(`\`${id}\` takes (${kinds.join(", ")}), here (${args.map(kindOf).join(", ")})`);
}

/**
 * Makes one function of the overloads of a name, for values whose kinds are known only at run time: it calls the first overload
 * whose kinds fit. Its id is `any.<name>`.
 */
export function dispatcher(name: string, overloads: readonly Overload[]): FunctionCode {
  const id = dispatcherId(name);
  const choose = (runs: readonly FunctionCode["run"][]): FunctionCode["run"] => {
    return (args, context) => {
      for (let i = 0; i < overloads.length; i++) {
        if (fits(overloads[i] as Overload, args)) return (runs[i] as FunctionCode["run"])(args, context);
      }
      return evaluationError(`no \`${name}\` takes (${args.map(kindOf).join(", ")})`);
    };
  };
  return {
    id,
    run: choose(overloads.map((each) => each.run)),
    prepare: (constants, regex) => choose(overloads.map((each) => prepared(each, constants, regex))),
  };
}

/** Returns the id of the dispatcher of a name. */
export function dispatcherId(name: string): string {
  return `any.${name}`;
}

function fits(each: Overload, args: readonly Value[]): boolean {
  if (each.kinds.length !== args.length) return false;
  for (let i = 0; i < args.length; i++) if (!isKind(args[i], each.kinds[i] as Kind)) return false;
  return true;
}

/**
 * Returns the code of an overload for these constants. An overload whose kinds they do not fit keeps its plain code; it is never
 * called.
 */
function prepared(each: Overload, constants: readonly (Value | undefined)[], regex: RegexEngine): FunctionCode["run"] {
  const possible =
    each.kinds.length === constants.length &&
    constants.every((value, i) => value === undefined || isKind(value, each.kinds[i] as Kind));
  if (!possible || !each.prepare) return each.run;
  const run = each.prepare(constants, regex);
  return run instanceof EvaluationError ? () => run : run;
}
