import { ownWord } from "../../diagnostics/other-words.ts";
import type { Span } from "../../diagnostics/source.ts";
import { didYouMean, firstTold, shown, suggest } from "../../diagnostics/suggest.ts";
import type { Ir, Json } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Environment, PlacedText } from "../../rules/environment.ts";
import { globPattern } from "../../rules/functions/pattern.ts";
import type { NameTable, Type } from "../../rules/types.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { declaredHelp } from "./declared-help.ts";

/**
 * Tests of texts that come from a closed table (language section 3, "comparison that can never hold"): a name that the table
 * does not have is HW305 at its place, and another spelling of a name becomes the name. Literals count, and so do lists,
 * parameters, branches of a conditional, and what a macro goes through.
 */

/** Returns the table of the possible texts of a type. */
export function tableOf(type: Type): NameTable | undefined {
  if (type.kind !== "string") return undefined;
  if (type.names) return type.names;
  const { values } = type;
  return values && { noun: "value", names: values, canonical: (text) => text, has: (text) => values.includes(text) };
}

/** Lists the constant texts that a value can be, or a list can hold, each at its place; none for a computed value. */
export function constantTexts({ ir, texts, places }: Typed, written: Expression | undefined): readonly PlacedText[] {
  if (texts) return texts;
  const span = spanOf(ir) ?? written?.span;
  if (!span) return [];
  if (ir.k === "const" && Array.isArray(ir.value)) {
    const items = written?.kind === "list" ? written.items : [];
    return (ir.value as readonly Json[]).flatMap((text, i) =>
      typeof text === "string" ? [{ text, span: items[i]?.value.span ?? places?.[i] ?? span }] : [],
    );
  }
  return textsIn(ir, span);
}

function textsIn(ir: Ir, around: Span): readonly PlacedText[] {
  const span = spanOf(ir) ?? around;
  switch (ir.k) {
    case "const":
      return typeof ir.value === "string" && ir.type === undefined ? [{ text: ir.value, span }] : [];
    case "if":
      return [...textsIn(ir.then, span), ...textsIn(ir.else, span)];
    case "list":
      return ir.items.flatMap(({ value }) => textsIn(value, span));
    default:
      return [];
  }
}

function spanOf(ir: Ir): Span | undefined {
  return ir.at && { start: ir.at[0], end: ir.at[1] };
}

/** Returns one side of a test against a table, folded; undefined where a name is wrong, which it reports. */
export function inTable(
  checker: Checker,
  table: NameTable,
  operand: Typed,
  written: Expression,
  scope: Scope,
): Typed | undefined {
  const texts = constantTexts(operand, written);
  // The items that a macro goes through are written elsewhere and stay as they are there.
  const fold = (text: string): string => (operand.texts ? text : table.canonical(text));
  const wrong = texts.filter(({ text }) => !isName(checker, table, fold(text)));
  for (const { one, more } of firstTold(wrong)) reportName(checker, table, one.text, one.span, scope, more);
  if (wrong.length > 0) return undefined;
  for (const { text, span } of texts) {
    const name = fold(text);
    const warning = table.alias?.(text);
    const wider = table.wider?.(text);
    const mends = !table.lossy && wider === undefined && isWithin(span, written.span);
    if (name !== text && (warning || !table.lossy)) checker.alias(span, { text, name, warning, wider, mends });
  }
  return texts.every(({ text }) => fold(text) === text) ? operand : { ...operand, ir: folded(operand.ir, table) };
}

/** True if a span lies within another. A text outside of it is written elsewhere, and may have other uses there. */
function isWithin(span: Span, { start, end }: Span): boolean {
  return start <= span.start && span.end <= end;
}

function isName(checker: Checker, table: NameTable, text: string): boolean {
  return table.has(text) || (table.declared !== undefined && checker.environment[table.declared].has(text));
}

/** Returns the IR with the names that facts use. */
function folded(ir: Ir, table: NameTable): Ir {
  switch (ir.k) {
    case "const":
      if (typeof ir.value === "string") return { ...ir, value: table.canonical(ir.value) };
      if (!Array.isArray(ir.value)) return ir;
      return {
        ...ir,
        value: (ir.value as readonly Json[]).map((item) => (typeof item === "string" ? table.canonical(item) : item)),
      };
    case "if":
      return { ...ir, then: folded(ir.then, table), else: folded(ir.else, table) };
    case "list":
      return { ...ir, items: ir.items.map((item) => ({ ...item, value: folded(item.value, table) })) };
    default:
      return ir;
  }
}

function reportName(checker: Checker, table: NameTable, text: string, span: Span, scope: Scope, more: string): void {
  if (/[*?]/.test(text)) {
    checker.report(
      "HW308",
      span,
      `\`${text}\` is a glob, which is compared letter by letter`,
      "write `{ glob: … }`, in expressions `.glob(…)`",
    );
    return;
  }
  const always = scope.negated ? ", so that its negation always holds" : "";
  checker.report("HW305", span, `it is never \`${shown(text)}\`${always}${more}`, nameHelp(checker, table, text));
}

/** Returns the help line for a text that is not in a table. */
export function nameHelp(
  {
    environment,
  }: {
    readonly environment: Pick<Environment, "tools"> & Partial<Pick<Environment, "managers" | "parameters" | "lists">>;
  },
  table: NameTable,
  text: string,
): string {
  const instead = table.instead?.(text);
  const { parameters, lists } = environment;
  // An item of a list that is called like it is no reference to the list.
  const isItem = lists?.get(text)?.includes(text) === true;
  const declared = isItem ? undefined : declaredHelp({ parameters, lists }, text, false);
  if (declared !== undefined) return declared;
  if (instead !== undefined) return instead;
  const own = table.declared === undefined ? [] : [...(environment[table.declared] ?? [])];
  const known = [...own, ...table.names];
  const near = ownWord(text, known) ?? suggest(text, known) ?? suggest(text, table.others ?? []);
  if (near !== undefined) return `did you mean \`${table.canonical(near)}\`?`;
  if (table.declared === "tools")
    return `${table.others ? serverTool(text) : ""}declare a ${table.noun} of your own at the top of the policy: \`${table.declared}: [${shown(text)}]\``;
  return didYouMean(text, table.names);
}

/** A bare name like `delete_issue` is most often that of a server's tool. */
function serverTool(text: string): string {
  return /^[a-z]+(?:[_-][a-z]+)+$/i.test(text)
    ? `write \`mcp__<server>__${shown(text)}\` for a tool of a server, or `
    : "";
}

/** Methods whose constant is a part or a pattern of the text, with how one is tried on a name. */
const partly: Readonly<Record<string, (checker: Checker, part: string) => ((name: string) => boolean) | undefined>> = {
  startsWith: (_checker, part) => (name) => name.startsWith(part),
  endsWith: (_checker, part) => (name) => name.endsWith(part),
  contains: (_checker, part) => (name) => name.includes(part),
  glob: ({ regex }, glob) => tried(regex.compile(globPattern(glob), { dotAll: true })),
  matches: ({ regex }, pattern) => tried(regex.compile(pattern)),
};

function tried(made: ReturnType<Checker["regex"]["compile"]>): ((name: string) => boolean) | undefined {
  return "kind" in made ? undefined : (name) => made.test(name);
}

/** Checks that a part or pattern holds for some name of the receiver's table; false where it holds for none. */
export function checkPart(
  checker: Checker,
  method: string,
  [receiver, operand]: readonly Typed[],
  written: Expression | undefined,
  scope: Scope,
): boolean {
  const table = receiver && tableOf(receiver.type);
  const make = Object.hasOwn(partly, method) ? partly[method] : undefined;
  if (!table || !make || !operand) return true;
  const own = table.declared === undefined ? [] : [...checker.environment[table.declared]];
  const names = [...table.names, ...own];
  const wrong = constantTexts(operand, written).filter(({ text, span }) => {
    const holds = make(checker, text);
    if (holds === undefined) return false;
    const isKnown = names.some(holds);
    if (!isKnown && !mayBeLonger(method, text, table)) return true;
    const other = otherLike(method, text, table, isKnown ? undefined : holds);
    if (other !== undefined) warnOfPart(checker, table, other, text, span);
    return false;
  });
  for (const { one, more } of firstTold(wrong)) {
    const { text, span } = one;
    const always = scope.negated ? ", so that the negation always holds" : "";
    checker.report(
      "HW305",
      span,
      `no ${table.noun} is like \`${shown(text)}\`${always}${more}`,
      partHelp(method, table, text, make, checker),
    );
  }
  return wrong.length === 0;
}

/** Returns the names in a pattern that consists only of whole names: `^(read|write)$`. */
function wholeNames(method: string, text: string): readonly string[] | undefined {
  const inner = /^\^(?:(\w+)|\((?:\?:)?(\w+(?:\|\w+)*)\))\$$/.exec(method === "matches" ? text : "");
  return inner ? (inner[1] ?? inner[2])?.split("|") : undefined;
}

/** Finds another host's name: one of a pattern's whole names, or, where no name of the table fits the pattern, any that fits it. */
function otherLike(
  method: string,
  text: string,
  table: NameTable,
  holds: ((name: string) => boolean) | undefined,
): string | undefined {
  const others = table.others ?? [];
  return wholeNames(method, text)?.find((name) => others.includes(name)) ?? (holds && others.find(holds));
}

function warnOfPart(checker: Checker, table: NameTable, other: string, text: string, span: Span): void {
  const name = table.canonical(other);
  const message = `\`${shown(text)}\` is like \`${other}\`, which is another host's name of \`${name}\``;
  checker.report("HW602", span, message, `write \`${name}\``);
}

/** True where a name that no list has may fit: one that begins as the pattern does, or a part that may be anywhere. */
function mayBeLonger(method: string, text: string, table: NameTable): boolean {
  const { mayBegin } = table;
  if (!mayBegin) return false;
  if (method === "startsWith") return mayBegin(text);
  const whole = wholeNames(method, text);
  if (whole) return whole.some((name) => table.has(name));
  return method !== "glob" || mayBegin(/^[^*?[{\\]*/.exec(text)?.[0] ?? "");
}

function partHelp(
  method: string,
  table: NameTable,
  text: string,
  make: (checker: Checker, part: string) => ((name: string) => boolean) | undefined,
  checker: Checker,
): string {
  const whole = wholeNames(method, text)?.map((name) => table.canonical(name));
  if (whole?.every((name) => table.has(name)))
    return `names are canonical: write \`[${[...new Set(whole)].join(", ")}]\``;
  const holds = make(checker, text);
  const other = holds && (table.others ?? []).find(holds);
  if (other !== undefined) return `names are canonical: test \`${table.canonical(other)}\``;
  const literal = text.replaceAll(/[*?^$\\]/g, "");
  const near = method === "contains" || method === "endsWith" ? undefined : suggest(literal, table.names);
  return near === undefined ? didYouMean(text, table.names) : `did you mean \`${near}\`?`;
}
