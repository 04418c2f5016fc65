import { limits } from "./limits.ts";

/**
 * An unknown part of a text. `name` holds no `/` and is neither `.` nor `..`; `tail` is anything, the empty text as well. `of`
 * is the author's word for it, for people. `place` is where a variable of that name usually leads if the event does not set it.
 * It replaces the hole where a test restricts, never where one loosens.
 */
export interface Hole {
  readonly hole: "name" | "tail";
  readonly of: string;
  readonly place?: string;
  /** Set where it holds only digits, perhaps behind a minus. */
  readonly number?: true;
}

/** Known texts with holes between them. */
export type Pieces = readonly (string | Hole)[];

/**
 * Known part of a text. `few`: it is one of the members, which are known texts. `pattern`: it is a text that fits the single
 * member. `all`: it means every text that fits a member. `any`: nothing is known.
 */
export type Form = "few" | "pattern" | "all" | "any";

/**
 * A text that a fact carries and that is known in part (decision 25). It is never a string: no function reads one by accident, and the
 * index takes what is not plain as found.
 */
export class Approximation {
  readonly form: Form;
  readonly members: readonly Pieces[];
  /**
   * True where an unknown part may lead beyond the members: `h-$N.example.com` names another host if `$N` holds a slash. Tests
   * that restrict ignore this; for tests that loosen, nothing is known then.
   */
  readonly loose: boolean;

  /** Set if it may be several texts or none, like an unquoted word: no test of it surely holds. */
  readonly several?: true;

  constructor(
    form: Form,
    members: readonly Pieces[],
    how: { readonly loose?: boolean; readonly several?: boolean } = {},
  ) {
    this.form = form;
    this.members = members;
    this.loose = how.loose === true;
    if (how.several) this.several = true;
  }
}

/** A text, or the known parts of it. */
export type Text = string | Approximation;

/** Returns a wholly unknown text; `of` is its author's word for it. */
export function anyText(of: string): Approximation {
  return new Approximation("any", [[{ hole: "tail", of }]]);
}

/** Marks a text that may occur several times, in parts, or not at all. */
export function severalTexts(text: Text): Approximation {
  if (typeof text === "string") return new Approximation("few", [[text]], { several: true });
  return text.several ? text : new Approximation(text.form, text.members, { loose: text.loose, several: true });
}

/** True for a value that may be several values or none: a text, or any object that says so of itself. */
export function isSeveral(value: unknown): value is { readonly several: true } {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof Approximation ? value.several === true : Object.hasOwn(value, "several");
}

/** Returns an approximation that means every text that fits a member. */
export function allTexts(members: readonly Pieces[]): Approximation {
  return new Approximation("all", members.slice(0, limits.alternatives));
}

/** Returns one text with unknown parts between its known ones. */
export function patternText(pieces: Pieces): Text {
  const joined = join(pieces);
  const [only] = joined;
  if (joined.length === 0) return "";
  if (joined.length > 1) return new Approximation("pattern", [joined]);
  return typeof only === "string"
    ? only
    : only?.hole === "tail"
      ? anyText(only.of)
      : new Approximation("pattern", [joined]);
}

/** One of some texts. Over `limits.alternatives`, only their common beginning and end is known. */
export function fewTexts(values: readonly string[], of: string): Text {
  const own = [...new Set(values)];
  const [first] = own;
  if (first === undefined) return anyText(of);
  if (own.length === 1) return first;
  if (own.length <= limits.alternatives)
    return new Approximation(
      "few",
      own.map((value) => [value]),
    );
  return patternText(commonEnds(own, of));
}

/** Returns one of two texts, each fully or partly known. */
export function eitherText(one: Text, other: Text, of: string): Text {
  const [a, b] = [knownTexts(one), knownTexts(other)];
  return a && b ? fewTexts([...a, ...b], of) : anyText(of);
}

/** Returns the texts, one of which is meant; undefined if not all are known. */
export function knownTexts(text: Text): readonly string[] | undefined {
  if (typeof text === "string") return [text];
  if (
    text.form !== "few" ||
    text.loose ||
    text.members.some((pieces) => pieces.some((piece) => typeof piece !== "string"))
  )
    return undefined;
  return text.members.map((pieces) => pieces.join(""));
}

/** Returns the known parts of a text and leaves out the others. */
export function knownParts(text: Text): string {
  if (typeof text === "string") return text;
  return (text.members[0] ?? []).filter((piece) => typeof piece === "string").join("");
}

/** Joins two texts, the first before the second. */
export function joined(one: Text, other: Text): Text {
  if (typeof one === "string" && typeof other === "string") return one + other;
  if (isSeveral(one) || isSeveral(other)) return severalTexts(joined(single(one), single(other)));
  const each = (text: Text): readonly Pieces[] => (typeof text === "string" ? [[text]] : text.members);
  const members = each(one).flatMap((a) => each(other).map((b) => join([...a, ...b])));
  if ([one, other].some((text) => typeof text !== "string" && text.loose))
    return loosened(joined(firm(one), firm(other)));
  const forms = [one, other].map((text) => (typeof text === "string" ? "few" : text.form));
  const known = [knownTexts(one), knownTexts(other)];
  if (known[0] && known[1])
    return fewTexts(
      members.map((pieces) => pieces.join("")),
      "…",
    );
  if (members.length > limits.alternatives) return anyText("…");
  // Only a known text can be joined to a set: of an unknown one it is not known whether all of it is meant.
  if (forms.includes("all") && [one, other].some((text) => typeof text === "string")) return allTexts(members);
  return members.length === 1 ? patternText(members[0] as Pieces) : anyText("…");
}

function single(text: Text): Text {
  return typeof text !== "string" && text.several
    ? new Approximation(text.form, text.members, { loose: text.loose })
    : text;
}

/** Returns the text with each known part changed separately; sound for changes that depend on one character at a time. */
export function mapped(text: Approximation, change: (known: string) => string): Approximation {
  return new Approximation(
    text.form,
    text.members.map((pieces) => pieces.map((piece) => (typeof piece === "string" ? change(piece) : piece))),
    text,
  );
}

/** Returns the same text, whose unknown part may lead beyond its members. */
export function loosened(text: Text): Approximation {
  return typeof text === "string"
    ? new Approximation("pattern", [[text]], { loose: true })
    : new Approximation(text.form, text.members, { loose: true, ...(text.several && { several: true }) });
}

function firm(text: Text): Text {
  return typeof text !== "string" && text.loose
    ? new Approximation(text.form, text.members, { ...(text.several && { several: true }) })
    : text;
}

/** Returns the text for people, with unknown parts in angle brackets. */
export function shownText(text: Text): string {
  if (typeof text === "string") return text;
  const members = text.members.map((pieces) =>
    pieces.map((piece) => (typeof piece === "string" ? piece : shownHole(piece.of))).join(""),
  );
  const listed = members.slice(0, shownMembers).join(" or ");
  // One known text that need not be there: it has no unknown part.
  if (text.form === "few" && members.length === 1) return listed;
  if (text.form !== "few") return members.slice(0, shownMembers).join(", ");
  return `⟨${members.length > shownMembers ? `${listed} or …` : listed}⟩`;
}

/** Joins texts with blanks between them; empty ones are left out. */
export function phrase(...parts: readonly Text[]): Text {
  const said = parts.filter((part) => part !== "");
  return said.slice(1).reduce<Text>((before, part) => joined(joined(before, " "), part), said[0] ?? "");
}

/** Returns the shown text of a hole in angle brackets, unless it already has them. */
function shownHole(of: string): string {
  return of.startsWith("⟨") ? cut(of) : `⟨${cut(of)}⟩`;
}

/** Returns a form of a path for people, with unknown parts in angle brackets. */
export function shownPath(
  path: {
    readonly lexical: string;
    readonly real: string;
    readonly partly?: { readonly lexical: Text; readonly real: Text };
  },
  form: "lexical" | "real",
): string {
  return shownText((path.partly ?? path)[form]);
}

/** Returns an address for people, with unknown parts in angle brackets. */
export function shownUrl({
  text,
  partly,
}: {
  readonly text: string;
  readonly partly?: { readonly text: Text };
}): string {
  return shownText(partly?.text ?? text);
}

const shownMembers = 4;
const longestWord = 48;

function cut(of: string): string {
  const points = Array.from(of.slice(0, longestWord * 2));
  return points.length > longestWord ? `${points.slice(0, longestWord - 1).join("")}…` : of;
}

/** Joins adjacent known texts, leaves out empty ones, and merges holes beside a tail into the tail. */
function join(pieces: Pieces): Pieces {
  const made: (string | Hole)[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (piece === "") continue;
    if (typeof piece === "string" && typeof last === "string") made[made.length - 1] = last + piece;
    else if (typeof piece !== "string" && typeof last === "object")
      made[made.length - 1] = { hole: "tail", of: last.of + piece.of };
    else made.push(piece);
  }
  return made;
}

function commonEnds(values: readonly string[], of: string): Pieces {
  const shortest = Math.min(...values.map(({ length }) => length));
  const [first = ""] = values;
  let start = 0;
  while (start < shortest && values.every((value) => value[start] === first[start])) start++;
  let end = 0;
  while (end < shortest - start && values.every((value) => value.at(-1 - end) === first.at(-1 - end))) end++;
  return [first.slice(0, start), { hole: "tail", of }, end === 0 ? "" : first.slice(-end)];
}

/**
 * Grade of a test's result, strongest first: it holds for every value (`yes`), for some members of a set that is meant as a whole
 * (`all`), perhaps, as the known part suggests (`telling`), perhaps, because too little is known (`open`), or for no value
 * (`no`).
 */
export type Grade = "yes" | "all" | "telling" | "open" | "no";

/** An answer that is neither yes nor no, with the unknown parts that caused it. */
export class Unsure {
  readonly grade: Exclude<Grade, "yes" | "no">;
  /** The unknown parts, for people; masked before they see them. */
  readonly causes: readonly string[];

  constructor(grade: Unsure["grade"], causes: readonly string[]) {
    this.grade = grade;
    this.causes = causes.slice(0, limits.unknownCauses);
  }
}
