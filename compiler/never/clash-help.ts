import type { Json } from "../../engine/plan.ts";
import type { Claim } from "../lint/claims.ts";

/** Help for tests of one value that exclude each other, where no closer one is known. */
export const eitherHelp = "write `any:` where one of them is enough, or take one out";

/** Most values that a help line lists. */
const mostValues = 6;

/** Returns the help for tests of one value, none of them negated, that leave no possible value. */
export function clashHelp(claims: readonly Claim[]): string {
  return boundsHelp(claims) ?? valuesHelp(claims) ?? eitherHelp;
}

const turned: Readonly<Record<string, string>> = { lt: "gt", le: "ge", gt: "lt", ge: "le" };

/** Two bounds that changed places: `{ lt: 2, gt: 10 }`. */
function boundsHelp(claims: readonly Claim[]): string | undefined {
  const bounds = claims.map(({ operator, values = [] }) => ({ operator: turned[operator], value: values[0] }));
  if (bounds.length !== 2 || bounds.some(({ operator, value }) => !operator || typeof value !== "number"))
    return undefined;
  const shown = bounds
    .toSorted((a, b) => Number(a.value) - Number(b.value))
    .map(({ operator, value }) => `${operator}: ${value}`);
  return `for what lies between, write \`{ ${shown.join(", ")} }\`; for what lies outside, write \`any:\``;
}

/** Several values of one field: `c.program: curl` beside `c.program: [sh, bash]`. */
function valuesHelp(claims: readonly Claim[]): string | undefined {
  if (!claims.every(({ operator }) => operator === "equals" || operator === "in")) return undefined;
  const values = [...new Set(claims.flatMap(({ values = [] }) => values))];
  if (values.length < 2 || values.length > mostValues || !values.every(isWord)) return undefined;
  const list = `where one of them is enough, write \`[${values.join(", ")}]\``;
  const [{ field, path } = { field: undefined, path: "" }] = claims;
  if (field !== "command.program" || !/^\w+\.program$/.test(path)) return list;
  return `a command has one program, and \`${path.replace(/program$/, "piped_to.program")}\` is the one it is piped into; ${list}`;
}

function isWord(value: Json): boolean {
  return (typeof value === "string" && /^[\w./@+-]{1,40}$/.test(value)) || typeof value === "number";
}
