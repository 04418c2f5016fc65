import { createRegexEngine } from "../../../facts/regex.ts";
import { actions } from "../../../rules/actions/registry.ts";
import type { ActionContext, Payload } from "../../../schema/ports.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { judged } from "../../facts/event.ts";

const regex = createRegexEngine();

/** A context whose templates, conditions and memory a test gives. */
export function context(parts: Partial<ActionContext> = {}): ActionContext {
  return {
    event: judged({}),
    regex,
    rule: "p/r",
    boundary: "b",
    pseudonym: () => undefined,
    text: () => "",
    test: () => true,
    once: () => true,
    names: () => [],
    value: () => "",
    ignored: () => {},
    ...parts,
  };
}

/** Runs a transform; throws what a test did not expect. */
export function transform(
  name: string,
  payload: Payload,
  parameters: unknown,
  parts: Partial<ActionContext> = {},
): Payload {
  const result = outcome(name, payload, parameters, parts);
  if (result instanceof EvaluationError) throw new Error(`${result.code} ${result.message}`);
  return result;
}

/** Runs a transform; the payload or the error value. */
export function outcome(
  name: string,
  payload: Payload,
  parameters: unknown,
  parts: Partial<ActionContext> = {},
): Payload | EvaluationError {
  const run = actions.get(name)?.transform;
  if (!run) throw new Error(`no transform ${name}`);
  return run(payload, parameters, context(parts));
}
