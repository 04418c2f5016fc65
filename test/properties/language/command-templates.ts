import type { Random } from "./random.ts";

/** A part of a command: a known word, or one that ends in a variable, in quotes or without. */
export type Part = { readonly known: string } | Hole;

export interface Hole {
  readonly before: string;
  readonly quoted: boolean;
  readonly name: "X" | "Y";
}

export const programs = ["git", "kubectl", "psql", "npm", "rm", "docker", "gh", "aws", "curl", "tar"];
const known =
  "-f --force -n -m x prod a-1 -r --namespace --namespace=dev push commit get delete --no-verify -- -rf stash pr s3 run -o -xzf".split(
    " ",
  );
const beginnings = ["", "", "", "-", "--", "--for", "--namespace=", "pr", "a-", "pu", "-n", "-r"];
/** Programs that an unknown program may be: those that run no other. */
const programValues = ["git", "kubectl", "psql", "npm", "rm", "/bin/rm", "/opt/x/git", "cat"];

const randomWords = (random: Random, count: number): Part[] =>
  Array.from({ length: count }, () => ({ known: random.pick(known) }));

/** A command of a known program with some words; one or two of them end in a variable. */
export function randomParts(random: Random, holes: 1 | 2 = 1): readonly Part[] {
  const words = randomWords(random, random.pick([1, 2, 3, 4, ...(holes === 2 ? [5] : [])]));
  for (const name of (["X", "Y"] as const).slice(0, holes))
    words[random.below(words.length)] = { before: random.pick(beginnings), quoted: random.chance(0.5), name };
  return [{ known: random.pick(programs) }, ...words];
}

/** A command whose program is not known, or known in part. */
export function randomProgram(random: Random): { readonly parts: readonly Part[]; readonly values: readonly string[] } {
  const words = randomWords(random, random.pick([0, 1, 2, 3]));
  const before = random.pick(["", "", "", "g", "r"]);
  const hole: Hole = { before, quoted: random.chance(0.5), name: "X" };
  const rest = programValues.filter((name) => name.startsWith(before)).map((name) => name.slice(before.length));
  return { parts: [hole, ...words], values: rest };
}

/** The command as an author of a call would write it. */
export const template = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if ("known" in part) return part.known;
      return part.quoted ? `"${part.before}$${part.name}"` : `${part.before}$${part.name}`;
    })
    .join(" ");

/** The command that a shell runs where the variables have these values. */
export const concrete = (parts: readonly Part[], values: Readonly<Record<string, string>>): string =>
  parts
    .flatMap((part) => {
      if ("known" in part) return [part.known];
      const text = `${part.before}${values[part.name]}`;
      return part.quoted ? [`'${text}'`] : text.split(" ").filter((word) => word !== "");
    })
    .join(" ");

const plain = "|x|od|prod|push|sh|1|get|a-1|ce|dev|orce|f|m|namespace=prod".split("|");
const several = ["x prod", "1 --force", "x -n prod", "push x"];
const asOptions = ["-f", "--force", "--namespace=prod", "-n", "-rf", "--", "-n prod", "--force x"];

/** True for a letter that takes a value, which may stand in the same word. */
const isValued = (program: string, before: string): boolean =>
  before === "-n" || (program === "curl" && before === "-r");

/**
 * The values of a variable. In quotes it is one operand; without it may be several words or none, but where a part that is known makes an
 * operand or the value of an option of it: there it stays one word where a test restricts, as a path does.
 */
function valuesOf(program: string, { before, quoted }: Hole): readonly string[] {
  if (quoted) return plain;
  if (before === "") return [...plain, ...several, ...asOptions];
  return /^-[^=]*$/.test(before) && !isValued(program, before) ? [...plain, ...several] : plain;
}

/** All values of the variables of a command, together; of two variables a few of each. */
export function assignments(parts: readonly Part[], random: Random): readonly Readonly<Record<string, string>>[] {
  const holes = parts.filter((part): part is Hole => "before" in part);
  const [first, second] = holes;
  const program = parts[0] && "known" in parts[0] ? parts[0].known : "";
  if (!first) return [{}];
  if (!second) return valuesOf(program, first).map((value) => ({ [first.name]: value }));
  const some = (hole: Hole): readonly string[] => ["", ...random.times(5, () => random.pick(valuesOf(program, hole)))];
  const seconds = some(second);
  return some(first).flatMap((one) => seconds.map((other) => ({ [first.name]: one, [second.name]: other })));
}
