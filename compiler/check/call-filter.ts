import { didYouMean } from "../../diagnostics/suggest.ts";
import type { Expression } from "../../rules/ast.ts";
import { callFilters } from "../../rules/functions/session.ts";
import { toolFault } from "../check-tools.ts";
import type { Checker } from "./context.ts";

/**
 * Checks the constants in a filter of `session.calls`. Faults are a key that calls do not have, a value of another type, and
 * one that no call can have. At run time the first is an error, and the others would count nothing. False for any fault.
 */
export function checkCallFilter(checker: Checker, filter: Expression | undefined): boolean {
  if (filter?.kind !== "map") return true;
  return filter.entries.every(({ key, value }) => {
    if (key.kind !== "literal") return true;
    const name = String(key.value);
    const known = Object.hasOwn(callFilters, name) ? callFilters[name as keyof typeof callFilters] : undefined;
    if (!known || key.type !== "string") {
      checker.report("HW302", key.span, `calls have no \`${name}\``, didYouMean(name, Object.keys(callFilters)));
      return false;
    }
    return value.kind !== "literal" || checkValue(checker, name, known, value);
  });
}

function checkValue(
  checker: Checker,
  name: string,
  known: { readonly type: string; readonly help: string; readonly values?: readonly string[] },
  value: Expression & { readonly kind: "literal" },
): boolean {
  if (value.type !== known.type) {
    checker.report("HW304", value.span, `\`${name}\` of a call is a ${known.type}, here ${value.type}`, known.help);
    return false;
  }
  const text = String(value.value);
  const fault = name === "tool" ? toolFault(text, checker.environment.tools) : undefined;
  if (fault) {
    checker.report(fault.code, value.span, fault.message, fault.help());
    return false;
  }
  if (!known.values || known.values.includes(text)) return true;
  checker.report("HW308", value.span, `no call has the ${name} \`${text}\``, didYouMean(text, known.values));
  return false;
}
