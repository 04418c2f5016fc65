import { programOf } from "../../facts/programs/registry.ts";
import { effectTypes } from "../../rules/fact-types.ts";
import type { WrongShape } from "./wrong-shape.ts";

/** Values of closed fields by the record they are in: `network` of `run` is a `source`. */
const closed: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.values(effectTypes).map(({ name, fields }) => [
    name,
    new Map(
      [...fields()].flatMap(([field, { type }]) =>
        type.kind === "string" ? (type.values ?? []).map((value) => [value, field] as const) : [],
      ),
    ),
  ]),
);

/** Finds a value of the field beside the one that is tested: `r.target: network` where `source` is meant. */
export function neighbourValue(
  {
    field = "",
    operator,
    path,
  }: { readonly field: string | undefined; readonly operator: string; readonly path: string },
  text: string,
): WrongShape | undefined {
  const [record = "", own = ""] = field.split(".");
  const meant = operator === "equals" || operator === "in" ? closed.get(record)?.get(text) : undefined;
  if (meant === undefined || meant === own || own !== "target" || text === "" || programOf(text)) return undefined;
  return { why: `that is a value of \`${meant}\``, help: `write \`${path.replace(/\w+$/, meant)}: ${text}\`` };
}
