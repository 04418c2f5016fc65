import { tests as checking } from "@bufbuild/cel-spec/testdata/checking.js";
import { tests as comprehension } from "@bufbuild/cel-spec/testdata/comprehension.js";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import { tests as parsing } from "@bufbuild/cel-spec/testdata/parsing.js";

/** A value as the data set writes it: the JSON form of `cel.expr.Value`. */
export type SpecValue = Readonly<Record<string, unknown>>;

/** A type as the data set writes it: the JSON form of `cel.expr.Type`. */
export type SpecType = Readonly<Record<string, unknown>>;

/** A declaration of a case: a variable, or functions that its host would bring. */
export interface Declaration {
  readonly name: string;
  readonly ident?: { readonly type: SpecType };
  readonly function?: unknown;
}

/** The case as its source has it; the fields are those of `cel.expr.conformance.test.SimpleTest` in JSON. */
export interface Original {
  readonly expr: string;
  readonly name?: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly disableMacros?: boolean;
  readonly typeEnv?: readonly Declaration[];
  readonly bindings?: Readonly<Record<string, { readonly value: SpecValue }>>;
  readonly value?: SpecValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result?: SpecValue; readonly deducedType?: SpecType };
}

/** Which part of an implementation a suite is about. */
export type Suite = "conformance" | "parsing" | "checking" | "comprehension";

/** One case of the data set. `ast`, `checkedAst` and `type` are what the reference implementation makes of it. */
export interface Case {
  readonly suite: Suite;
  /** `conformance/lists/index`; the suite's name for those that have no parts. */
  readonly section: string;
  readonly name: string;
  readonly original: Original;
  readonly ast: string | undefined;
  readonly checkedAst: string | undefined;
  readonly type: string | undefined;
  /** What the reference implementation says against it; it tells which of its options were off. */
  readonly error: string | undefined;
}

interface Serialized {
  readonly name: string;
  readonly suites?: readonly Serialized[];
  readonly tests?: readonly {
    readonly original: unknown;
    readonly ast?: string;
    readonly checkedAst?: string;
    readonly type?: string;
    readonly error?: string;
  }[];
}

const suites: Readonly<Record<Suite, Serialized>> = { conformance, parsing, checking, comprehension };

/** Every case of the npm data set `@bufbuild/cel-spec`, in its order. */
export function allCases(): readonly Case[] {
  return (Object.keys(suites) as Suite[]).flatMap((suite) => casesOf(suite, suites[suite], []));
}

function casesOf(suite: Suite, part: Serialized, path: readonly string[]): readonly Case[] {
  const section = path.length === 0 ? suite : path.join("/");
  const own = (part.tests ?? []).map((test): Case => {
    const original = test.original as Original;
    return {
      suite,
      section,
      name: original.name ?? original.expr,
      original,
      ast: test.ast,
      checkedAst: test.checkedAst,
      type: test.type,
      error: test.error,
    };
  });
  return [
    ...own,
    ...(part.suites ?? []).flatMap((inner) =>
      casesOf(suite, inner, [...(path.length === 0 ? [suite] : path), inner.name]),
    ),
  ];
}
