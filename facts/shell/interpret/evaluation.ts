import type { Node } from "../syntax.ts";
import { arithmetic } from "./arithmetic-text.ts";
import { foldAtom } from "./folding.ts";
import type { Machine } from "./machine.ts";
import { ends, type Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";
import { substituted } from "./substitution.ts";
import { anyValue } from "./value.ts";

/** Runs the substitutions of `[[ … ]]`, `(( … ))` or a part of `for ((…))`; the numbers that it assigns are not computed. */
export function runEvaluation(machine: Machine, node: Extract<Node, { kind: "evaluation" }>, store: Store): Outcome {
  for (const word of node.words) foldAtom(machine, word, store);
  for (const script of node.scripts) substituted(machine, script, store);
  store.blamed = false;
  const isTest = node.raw.startsWith("[[");
  if (!isTest) {
    const expression = node.raw.replace(/^\(\(|\)\)$/g, "");
    const result = arithmetic(machine, expression, node, store, foldAtom);
    return ends(store, result.kind !== "literal" ? "either" : result.text === "0" ? "fail" : "ok");
  }
  if (/-(?:eq|ne|lt|le|gt|ge|v)\b/.test(node.raw)) arithmetic(machine, named(node.raw), node, store, foldAtom);
  if (node.raw.includes("=~")) store.set("BASH_REMATCH", anyValue);
  return ends(store);
}

/** Returns the names in a test, as an expression that assigns nothing. */
function named(raw: string): string {
  return raw.replace(/=+~?/g, " ");
}
