import type { Ir } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Claim } from "../lint/claims.ts";
import type { Clash } from "./ports.ts";
import { type Ending, endingsOf, holdsFor, type TurnedClaim } from "./text-tests.ts";

/** Parts of the lexical form of one path. The real form is another text, where the path is a link. */
const parts: ReadonlySet<string> = new Set(["path.ext", "path.name", "path.lexical"]);

/** Finds the first test of a path's name, extension or text that leaves no name together with those before it. */
export function nameClash(
  tests: readonly TurnedClaim[],
  regex: RegexEngine,
  keyOf: (ir: Ir) => string,
): Clash | undefined {
  const paths = new Map<string, TurnedClaim[]>();
  for (const test of tests) {
    const { field, subject } = test.claim;
    const of = subject.k === "field" ? subject.of : subject.k === "call" ? subject.args[0] : undefined;
    if (!of || field === undefined || !parts.has(field)) continue;
    const key = keyOf(of);
    const known = [...(paths.get(key) ?? []), test];
    paths.set(key, known);
    if (new Set(known.map(({ claim }) => claim.field)).size < 2 || !areApart(known, regex)) continue;
    const { span, path } = test.claim;
    const why = "the extension is what stands behind the last dot of the name";
    return { span, path, literal: known.every(({ claim }) => claim.isWritten), why };
  }
  return undefined;
}

function areApart(tests: readonly TurnedClaim[], regex: RegexEngine): boolean {
  const endings = tests.flatMap(({ claim, turned }) => {
    const found = turned || claim.field === "path.ext" ? undefined : endingsOf(claim)?.map((one) => inName(claim, one));
    return found ? [found] : [];
  });
  const exts = tests.filter(({ claim }) => claim.field === "path.ext");
  const given = exts.find(({ claim, turned }) => !turned && (claim.operator === "equals" || claim.operator === "in"));
  const named = endings.map(extensionsOf).filter((list) => list !== undefined);
  const likely = given ? texts(given.claim) : named[0];
  if (!likely?.every((ext) => !/[./]/.test(ext))) return false;
  return likely.every((ext) => {
    const isExt = ({ claim, turned }: TurnedClaim): boolean => {
      const holds = holdsFor(claim, ext, regex);
      return holds === undefined || holds !== turned;
    };
    if (!exts.every(isExt)) return true;
    if (!endings.every((ways) => ways.some((way) => mayHave(way, ext)))) return true;
    return tests.some(({ claim, turned }) => turned && ext !== "" && isEveryEnd(claim, ext));
  });
}

const texts = ({ values = [] }: Claim): readonly string[] =>
  values.flatMap((value) => (typeof value === "string" ? [value] : []));

/** Returns the ending of the last component. */
function inName({ field }: Claim, { text, whole }: Ending): Ending {
  const slash = field === "path.lexical" ? text.lastIndexOf("/") : -1;
  return slash < 0 ? { text, whole: whole && field === "path.name" } : { text: text.slice(slash + 1), whole: true };
}

/** Returns the extensions of names that end so; undefined where there may be any. */
function extensionsOf(ways: readonly Ending[]): readonly string[] | undefined {
  const found = ways.map(({ text, whole }) => {
    const dot = text.lastIndexOf(".");
    if (dot < 0) return whole ? [""] : undefined;
    // A name that begins with its only dot has no extension.
    return dot > 0 ? [text.slice(dot + 1)] : whole ? [""] : [text.slice(1), ""];
  });
  return found.includes(undefined) ? undefined : found.flatMap((list) => list ?? []);
}

function mayHave({ text, whole }: Ending, ext: string): boolean {
  const known = extensionsOf([{ text, whole }]);
  if (known) return known.includes(ext);
  return ext === "" || ext.endsWith(text);
}

/** True for a test that every name with an extension passes. */
function isEveryEnd({ field, operator, values }: Claim, ext: string): boolean {
  if (field === "path.ext" || operator !== "ends_with") return false;
  return values?.some((value) => typeof value === "string" && `.${ext}`.endsWith(value)) === true;
}
