import { programOf } from "../../facts/programs/registry.ts";
import type { PolicyDraft } from "../policy-draft.ts";
import type { WrongShape } from "./wrong-shape.ts";

/** A policy's parameters and lists by their names. */
type Declared = Pick<PolicyDraft, "parameters" | "lists">;

/** Fields whose texts are never a single plain word, unless a table has it. */
const names: ReadonlySet<string> = new Set(["url.host", "command.program"]);

/** Fields whose values have no dollar sign. */
const dollarless = /^(?:url\b|command\.(?:program|subcommand)$|push|install\.|tool\.|path\.ext$|environment\.)/;

/**
 * The fault of a text in place of a reference to a parameter or list of the policy: `lists.hosts`, `${hosts}`, and, where
 * the field never has such a word, `hosts` alone.
 */
export function forgottenReference(
  declared: Declared,
  field: string | undefined,
  text: string,
): WrongShape | undefined {
  if (declared.lists.size === 0 && declared.parameters.size === 0) return undefined;
  const [, kind, dotted] = /^(lists|parameters)\.([a-z][a-z0-9_]*)$/.exec(text) ?? [];
  // Two dollar signs are one, which stands for itself in a free text.
  const escaped = dollarless.test(field ?? "") ? /^\$([a-z][a-z0-9_]*)$/.exec(text)?.[1] : undefined;
  const marked =
    escaped ??
    /^(?:\$?\{{1,2}\s*|\$\(|<)(?:(?:lists|parameters|params|vars|inputs|env|var)\.)?([a-z][a-z0-9_]*)\s*(?:\}{1,2}|\)|>)$/.exec(
      text,
    )?.[1];
  const name = dotted ?? marked ?? text;
  const isList = kind !== "parameters" && declared.lists.has(name);
  if (!isList && (kind === "lists" || !declared.parameters.has(name))) return undefined;
  if (name === text && !(isList && field !== undefined && names.has(field) && programOf(name) === undefined))
    return undefined;
  return { why: `${isList ? "the list" : "the parameter"} \`${name}\` is meant`, help: `write \`$${name}\`` };
}
