import { type KnownValue, knownValues } from "../../facts/secrets/known.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type SecretAnswer, type SecretRequest, type SecretValues } from "../../schema/ports.ts";
import { field, text, texts } from "./parameters.ts";

/** The secrets that a `redact` searches for by value, and notes for the record about those that it cannot search for. */
export interface KnownSecrets {
  readonly known: readonly KnownValue[];
  readonly notes: readonly string[];
}

/** Secrets of all rules of a plan. */
export interface NamedSecrets {
  readonly all: readonly KnownValue[];
  /** Returns the secrets of one action, by its parameters. */
  of(parameters: unknown): KnownSecrets;
}

/** Answers where nothing can be read: every name is missing. */
const nothing: SecretValues = ({ env, file }) => ({
  values: [],
  missing: [...env, ...(file === undefined ? [] : [file])],
});

const none: KnownSecrets = { known: [], notes: [] };

/** Named secrets where there is no plan: no values, and each name is recorded as missing. */
export const noSecrets: NamedSecrets = {
  all: [],
  of: (parameters) => {
    const request = requestOf(parameters);
    return request ? sorted(nothing(request) as SecretAnswer) : none;
  },
};

/**
 * Reads the secrets that actions name, each request once. An error value when a file cannot be read, or when there is
 * more of them than `limits.knownValues`.
 */
export function namedSecrets(
  parameters: readonly unknown[],
  read: SecretValues = nothing,
): NamedSecrets | EvaluationError {
  const found = new Map<string, KnownSecrets>();
  for (const each of parameters) {
    const request = requestOf(each);
    if (!request || found.has(keyOf(request))) continue;
    const answer = read(request);
    if (answer instanceof EvaluationError) return answer;
    found.set(keyOf(request), sorted(answer));
  }
  if (found.size === 0) return noSecrets;
  const all = [...new Map([...found.values()].flatMap(({ known }) => known).map((one) => [one.value, one])).values()];
  if (all.length > limits.knownValues)
    return new EvaluationError("HW507", `rules name more than ${limits.knownValues} secrets to look for`);
  return {
    all,
    of: (each) => {
      const request = requestOf(each);
      return (request && found.get(keyOf(request))) ?? none;
    },
  };
}

function requestOf(parameters: unknown): SecretRequest | undefined {
  const values = field(parameters, "values");
  if (values === undefined) return undefined;
  const file = text(values, "file");
  return { env: texts(values, "env"), ...(file !== undefined && { file }) };
}

function keyOf({ env, file }: SecretRequest): string {
  return JSON.stringify([env, file ?? null]);
}

/** Returns the values that can be searched for, and notes with only the names of the others. */
function sorted({ values, missing }: SecretAnswer): KnownSecrets {
  const { usable, tooWeak } = knownValues(values);
  return {
    known: usable,
    notes: [
      ...missing.map((name) => `\`${name}\` has no value, so it is not looked for`),
      ...tooWeak.map((name) => `the value of \`${name}\` is too short or too plain to look for`),
    ],
  };
}
