import { limits } from "../../schema/limits.ts";
import { sha256 } from "../canonical.ts";

/** Adds labels to a list of them, each once, up to the bound. */
export function addAll(list: string[], labels: readonly string[]): void {
  for (const label of labels) if (!list.includes(label) && list.length < limits.labels) list.push(label);
}

/** Returns a payload's name as state stores it: a long name by its beginning and digest, so that memory is bounded. */
export function shortName(name: string): string {
  const { sessionName } = limits;
  return name.length <= sessionName ? name : `${name.slice(0, sessionName - 80).toWellFormed()}#${sha256(name)}`;
}
