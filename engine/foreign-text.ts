import { ownRoots } from "../schema/labels.ts";
import type { Ir, Template } from "./plan.ts";

/** True for a text that quotes content of the event, the machine's folders or earlier calls, which the policy did not write. */
export function quotesEvent(text: Template): boolean {
  return text.some((part) => typeof part !== "string" && readsForeign(part.expr));
}

/** True if any object of the IR looks like a foreign root. A constant that looks like one counts too: the strict side. */
function readsForeign(expr: Ir): boolean {
  const open: unknown[] = [expr];
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    if (isForeign(value as Ir)) return true;
    for (const key of Object.keys(value)) open.push((value as Readonly<Record<string, unknown>>)[key]);
  }
  return false;
}

function isForeign(ir: Ir): boolean {
  if (ir.k === "slot") return true;
  if (ir.k === "root") return !ownRoots.has(ir.name.split(".", 1)[0] as string);
  // Earlier calls hold what the agent wrote; labels of files are the policy's words.
  return ir.k === "call" && ir.fn.startsWith("session.");
}
