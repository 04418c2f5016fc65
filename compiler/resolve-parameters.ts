import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import type { Json } from "../engine/plan.ts";
import { fitsParameter } from "./parse/policy.ts";
import type { ImportDraft, ParameterDraft, PolicyDraft } from "./policy-draft.ts";
import { fromText } from "./text-value.ts";
import { toValue, type YamlNode } from "./yaml-node.ts";

/** The value that an importer gives a parameter, in the importer's own file. */
export interface Given {
  readonly source: Source;
  readonly node: YamlNode;
}

/** A policy with its imports by others, and those others in the same order. */
interface Imported {
  readonly draft: PolicyDraft;
  readonly imported: readonly ImportDraft[];
  readonly importers: readonly { readonly draft: PolicyDraft }[];
}

type Report = (found: Diagnostic) => void;

/** Returns the values of a policy's parameters: from the command line, an importer, or the default, in this order. */
export function settleParameters(
  policy: Imported,
  set: Readonly<Record<string, string>>,
  report: Report,
): { readonly parameters: ReadonlyMap<string, Json>; readonly given: ReadonlyMap<string, Given> } {
  const { draft } = policy;
  const parameters = new Map<string, Json>();
  const given = new Map<string, Given>();
  for (const [name, parameter] of draft.parameters) {
    const text = Object.hasOwn(set, name) ? set[name] : undefined;
    const own = text === undefined ? undefined : fromCommandLine(text, parameter, draft, report);
    const found = own === undefined ? fromImporters(policy, name, parameter, report) : undefined;
    if (found) given.set(name, found);
    const value = own ?? (found && toValue(found.node)) ?? parameter.value;
    if (value !== undefined) parameters.set(name, value as Json);
    else
      report(
        diagnostic(
          "HW404",
          draft.source,
          parameter.span,
          `parameter \`${name}\` has no value`,
          `give it a default, or set it with \`--set ${name}=…\` or \`with\``,
        ),
      );
  }
  reportUnknown(policy, report);
  return { parameters, given };
}

function fromCommandLine(
  text: string,
  { type, span }: ParameterDraft,
  { source }: PolicyDraft,
  report: Report,
): unknown {
  const value = fromText(type, text);
  if (value !== undefined) return value;
  const message = `\`${text}\` is not of type ${type}`;
  report(diagnostic("HW304", source, span, message, "separate the values of a list by commas"));
  return undefined;
}

/** Returns what importers give a parameter; different values from two of them are an error. */
function fromImporters(
  { imported, importers }: Imported,
  name: string,
  { type }: ParameterDraft,
  report: Report,
): Given | undefined {
  let found: (Given & { readonly text: string }) | undefined;
  for (const [i, reference] of imported.entries()) {
    const given = reference.with.find((one) => one.name === name);
    const source = importers[i]?.draft.source;
    if (!given || !source) continue;
    const value = toValue(given.node);
    const text = JSON.stringify(value);
    if (!fitsParameter(type, value)) {
      const message = `parameter \`${name}\` must be of type ${type}`;
      report(diagnostic("HW304", source, given.node.span, message, `write a value of type ${type}`));
    } else if (found && found.text !== text) {
      const message = `two imports give parameter \`${name}\` different values`;
      const help = "import the policy once, or give both the same values";
      report(diagnostic("HW405", source, given.span, message, help));
    } else found ??= { source, node: given.node, text };
  }
  return found;
}

function reportUnknown({ draft, imported, importers }: Imported, report: Report): void {
  const known = [...draft.parameters.keys()];
  for (const [i, reference] of imported.entries())
    for (const { name, span } of reference.with) {
      const source = importers[i]?.draft.source;
      if (known.includes(name) || !source) continue;
      const message = `policy \`${draft.id}\` has no parameter \`${name}\``;
      report(diagnostic("HW404", source, span, message, didYouMean(name, known)));
    }
}
