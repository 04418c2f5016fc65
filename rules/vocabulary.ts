import type { FunctionCode } from "../schema/ports.ts";
import { argumentDispatcher, argumentFamilies, argumentFields } from "./functions/argument.ts";
import type { Overload } from "./functions/code.ts";
import { dispatcher } from "./functions/code.ts";
import { conversions, optionals } from "./functions/convert.ts";
import { formatFunctions } from "./functions/format.ts";
import { listFunctions } from "./functions/list.ts";
import { mapFunctions } from "./functions/map.ts";
import { mathFunctions } from "./functions/math.ts";
import { pathFunctions } from "./functions/path.ts";
import { patternFunctions } from "./functions/pattern.ts";
import { sessionFunctions } from "./functions/session.ts";
import { shellFunctions } from "./functions/shell.ts";
import { stringFunctions } from "./functions/string.ts";
import { timeFunctions } from "./functions/time.ts";
import { urlFunctions } from "./functions/url.ts";
import { arithmetic } from "./operators/arithmetic.ts";
import { comparison, equality } from "./operators/comparison.ts";

/** Families of overloads; the hook path loads these and never their `about`. */
const families: readonly Readonly<Record<string, readonly Overload[]>>[] = [
  arithmetic,
  comparison,
  stringFunctions,
  formatFunctions,
  listFunctions,
  mapFunctions,
  mathFunctions,
  patternFunctions,
  pathFunctions,
  urlFunctions,
  shellFunctions,
  sessionFunctions,
  timeFunctions,
  conversions,
  optionals,
  argumentFields,
];

/**
 * Overload families that one name of the language spans, e.g. `contains` on strings, lists and paths. A call on a dyn value
 * chooses from them when it runs, in this order. A text among dyn arguments is read as a path or URL where only those
 * have the function.
 */
const spanning: Readonly<Record<string, readonly string[]>> = {
  contains: ["contains", "list_contains", "path_contains"],
  starts_with: ["starts_with", "path_starts_with"],
  ends_with: ["ends_with", "path_ends_with"],
  in: ["path_in", "in"],
  within: ["within", "time_within", "text_within", "calls_within"],
  is: ["path_is", "url_is", "text_is"],
};

/**
 * Code by overload id, with a dispatcher `any.<family>` for every family (language section 3, "Functions"), and one
 * `argument.<family>` where only the event says whether an argument is a path.
 */
export const functions: ReadonlyMap<string, FunctionCode> = collect();

function collect(): ReadonlyMap<string, FunctionCode> {
  const byFamily = new Map<string, readonly Overload[]>(families.flatMap((each) => Object.entries(each)));
  const all = new Map<string, FunctionCode>([[equality.id, equality]]);
  for (const overloads of byFamily.values()) for (const code of overloads) all.set(code.id, code);
  for (const [name, overloads] of byFamily) add(all, dispatcher(name, overloads));
  for (const [name, parts] of Object.entries(spanning))
    add(
      all,
      dispatcher(
        name,
        parts.flatMap((part) => byFamily.get(part) ?? []),
      ),
    );
  for (const [name, asksPath] of argumentFamilies) {
    const any = name === "equals" ? equality : all.get(`any.${name}`);
    if (any) add(all, argumentDispatcher(name, any, asksPath));
  }
  return all;
}

function add(all: Map<string, FunctionCode>, code: FunctionCode): void {
  all.set(code.id, code);
}
