import type { JudgedEvent } from "../schema/judged-event.ts";
import { EvaluationError, type Payload } from "../schema/ports.ts";
import { argumentMisfit, argumentNames, toolArguments } from "../schema/tools.ts";

/**
 * Returns why rewritten arguments do not fit the tool, or undefined. A new value must have the type of the argument, and
 * arguments that the tool needs must stay. Values that the host itself sent are not checked. Source: semantics section 2
 * (`modify`).
 */
export function argumentsMisfit({ tool }: JudgedEvent, before: Payload, after: Payload): EvaluationError | undefined {
  const from = before.args ?? {};
  const to = after.args ?? {};
  if (from === to) return undefined;
  for (const [name, value] of Object.entries(to)) {
    if (Object.hasOwn(from, name) && from[name] === value) continue;
    const wanted = argumentMisfit(tool?.name, name, value);
    if (wanted !== undefined) return new EvaluationError("HW502", `\`${name}\` of \`${tool?.name}\` must be ${wanted}`);
  }
  for (const [name, { required }] of Object.entries(toolArguments(tool?.name ?? "") ?? {})) {
    const has = (args: object): boolean => argumentNames(tool?.name, name).some((key) => Object.hasOwn(args, key));
    if (required && has(from) && !has(to))
      return new EvaluationError("HW502", `\`${tool?.name}\` needs \`${name}\`, it cannot be taken out`);
  }
  return undefined;
}
