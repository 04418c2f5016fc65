import type { Environment } from "../../../rules/environment.ts";
import type { Field, Type } from "../../../rules/types.ts";
import { dyn } from "../../../rules/types.ts";
import { looseFields } from "./events.ts";

/** A way to a value of the environment, as expressions and YAML tests write it. */
export interface Access {
  readonly text: string;
  readonly type: Type;
  /** `has` tests that an expression needs before it, outermost field first. */
  readonly guards: readonly string[];
  /** The same with `.?` before its last field, where that field may be absent and can be taken so. */
  readonly optional: string | undefined;
  /** A list of effects or commands, which an `unless` must not search with `exists`. */
  readonly uncertain: boolean;
}

/** Fields that lead on are followed this far. */
const deepest = 3;

/** Every access of an environment, and of what a macro has bound, without indices. */
export function accessesOf(environment: Environment): readonly Access[] {
  return [...environment.variables.values()].flatMap(({ name, type }) => accessesFrom(name, type));
}

/** Every access that begins with a name of this type, itself among them. */
export function accessesFrom(name: string, type: Type): readonly Access[] {
  return from({ text: name, type, guards: [], optional: undefined, uncertain: false }, deepest);
}

function from(access: Access, depth: number): readonly Access[] {
  const { type } = access;
  if (depth === 0) return [access];
  if (type.kind === "record")
    return [access, ...[...type.fields()].flatMap(([name, field]) => from(step(access, name, field), depth - 1))];
  if (type.kind === "dyn" && /^args(?:_raw)?$/.test(access.text))
    return [access, ...looseFields.map((name) => loose(access, name))];
  return [access];
}

function step(access: Access, name: string, field: Field): Access {
  const text = `${access.text}.${name}`;
  const takes = field.lower === undefined || field.lower.as === "convert";
  return {
    text,
    type: field.type,
    guards: field.required ? access.guards : [...access.guards, text],
    optional: field.required || !takes ? undefined : `${access.text}.?${name}`,
    uncertain: /^(?:effects|shell)\.\w+$/.test(text),
  };
}

/** A field of a value whose type is known only when it runs: no guard is needed, absence is an error there. */
function loose(access: Access, name: string): Access {
  return {
    text: `${access.text}.${name}`,
    type: dyn,
    guards: [],
    optional: `${access.text}.?${name}`,
    uncertain: false,
  };
}
