import { didYouMean } from "../../diagnostics/suggest.ts";
import type { Expression } from "../../rules/ast.ts";
import { callable, callableNames } from "../../rules/signatures.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { failedAt } from "./context.ts";
import { checkMacro, isMacro } from "./macros.ts";
import { functionHelp } from "./name-help.ts";
import { lookup } from "./names.ts";
import { resolve } from "./overloads.ts";

type Call = Extract<Expression, { kind: "call" }>;

/** A call: a macro, a function, a function of a namespace such as `math.abs`, or a method. */
export function checkCall(checker: Checker, expression: Call, scope: Scope): Typed {
  const { name, receiver, args } = expression;
  const spaced = namespaced(checker, expression, scope);
  if (isMacro(expression, spaced)) return checkMacro(checker, expression, scope);
  if (spaced && callable(spaced, false)) return resolve(checker, spaced, false, args, expression, scope);
  if (receiver)
    return callable(name, true)
      ? resolve(checker, name, true, [receiver, ...args], expression, scope)
      : unknownFunction(checker, expression, spaced);
  return callable(name, false)
    ? resolve(checker, name, false, args, expression, scope)
    : unknownFunction(checker, expression, undefined);
}

/** Returns the full name if the receiver is an unbound name: `math` in `math.abs(x)`. */
function namespaced(checker: Checker, { receiver, name }: Call, scope: Scope): string | undefined {
  return receiver?.kind === "name" && !lookup(checker, receiver.name, scope) ? `${receiver.name}.${name}` : undefined;
}

function unknownFunction(checker: Checker, expression: Call, spaced: string | undefined): Typed {
  const { name, nameSpan, receiver, span } = expression;
  const method = receiver !== undefined;
  const other = callable(name, !method);
  const swapped = method
    ? `\`${name}\` is no method; write \`${name}(…)\``
    : `\`${name}\` is a method; write \`value.${name}(…)\``;
  const spaces = spaced ? callableNames(false).filter((known) => known.startsWith(`${spaced.split(".")[0]}.`)) : [];
  const help = other
    ? swapped
    : (functionHelp(name) ??
      didYouMean(spaces.length > 0 ? (spaced as string) : name, spaces.length > 0 ? spaces : callableNames(method)));
  checker.report("HW303", nameSpan, `unknown function \`${spaces.length > 0 ? spaced : name}\``, help);
  return failedAt(span);
}
