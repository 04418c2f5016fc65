/** A refused value: `undefined` is a value that JSON lacks, so that it cannot say so. */
const refused = Symbol("refused");

type Read = (value: unknown) => unknown;

/** The answer of `safeParse`, as zod gives it, without its account of the faults. */
export type StandInAnswer = { readonly success: true; readonly data: unknown } | { readonly success: false };

/** A schema of the stand-in, with those methods of zod's that the seed calls. */
export interface StandInSchema {
  safeParse(value: unknown): StandInAnswer;
  optional(): StandInSchema;
  default(value: unknown): StandInSchema;
  /** Bounds of a number, themselves allowed. */
  min(least: number): StandInSchema;
  max(most: number): StandInSchema;
}

/**
 * A stand-in of ours for the part of zod that the schema of the seed opta-hook-system calls. The project has no zod, and a
 * dependency for one code block is too much. It does what zod's manual says: an object keeps the fields that it names and
 * drops others without a word, `optional` takes undefined and no null, `default` stands for undefined alone, and a number
 * is never NaN.
 */
export const z = {
  string: (): StandInSchema => schema(only((value) => typeof value === "string")),
  boolean: (): StandInSchema => schema(only((value) => typeof value === "boolean")),
  number: (): StandInSchema => schema(only((value) => typeof value === "number" && !Number.isNaN(value))),
  enum: (words: readonly string[]): StandInSchema => schema(only((value) => words.some((word) => word === value))),
  array: (each: StandInSchema): StandInSchema =>
    schema((value) => (Array.isArray(value) ? all(value.map((item) => readBy(each, item))) : refused)),
  object: (shape: Readonly<Record<string, StandInSchema>>): StandInSchema => schema((value) => fieldsOf(shape, value)),
};

function schema(read: Read): StandInSchema {
  return {
    safeParse(value) {
      const data = read(value);
      return data === refused ? { success: false } : { success: true, data };
    },
    optional: () => schema((value) => (value === undefined ? undefined : read(value))),
    default: (given) => schema((value) => (value === undefined ? given : read(value))),
    min: (least) => schema((value) => bounded(read(value), (number) => number >= least)),
    max: (most) => schema((value) => bounded(read(value), (number) => number <= most)),
  };
}

function only(fits: (value: unknown) => boolean): Read {
  return (value) => (fits(value) ? value : refused);
}

function bounded(value: unknown, fits: (number: number) => boolean): unknown {
  return typeof value === "number" && fits(value) ? value : refused;
}

function readBy(one: StandInSchema, value: unknown): unknown {
  const answer = one.safeParse(value);
  return answer.success ? answer.data : refused;
}

function all(values: readonly unknown[]): unknown {
  return values.includes(refused) ? refused : values;
}

function fieldsOf(shape: Readonly<Record<string, StandInSchema>>, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refused;
  const given = value as Readonly<Record<string, unknown>>;
  const fields = Object.entries(shape).map(([name, one]) => [name, readBy(one, given[name])] as const);
  if (fields.some(([, field]) => field === refused)) return refused;
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}
