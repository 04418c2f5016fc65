import { spend, unitsLeft } from "../../meter.ts";
import type { Input } from "../../shell/draft.ts";
import { type Field, unknownVariable } from "../../shell/fields.ts";
import type { Place } from "../../shell/syntax.ts";
import { type Arguments, given, valuesOf } from "../grammar.ts";
import { scanAppleScript } from "./applescript.ts";
import { Collector } from "./findings.ts";
import type { Interpreter } from "./interpreter.ts";
import { automation } from "./node.ts";
import { scanCode } from "./scan.ts";
import { hole } from "./tokens.ts";
import { textValue, unknown, type Value } from "./values.ts";

/** Code that a command gives to an interpreter, and its place. */
export interface Source {
  readonly code: string;
  readonly place: Place;
  /** Operands that are the code's own arguments. */
  readonly rest: readonly Field[];
  /** The option that held it; undefined for code from the input or from a substituted file. */
  readonly option: string | undefined;
}

/**
 * Returns the code in the words or on the input of an interpreter, with holes for unknown parts. `null` if the code is wholly
 * unknown, undefined if there is none: a script file or a module.
 */
export function sourceOf(how: Interpreter, read: Arguments, input: Input, place: Place): Source | null | undefined {
  const option = how.inline.find((name) => given(read, name));
  if (option !== undefined) {
    const fields = how.inline.flatMap((name) => valuesOf(read, name));
    // A lone `node -p` takes its code as an operand.
    if (fields.length === 0) return null;
    return source(fields, read.operands, option);
  }
  const [first, ...rest] = read.operands;
  if (how.modules?.some((name) => given(read, name)) || how.files?.some((name) => given(read, name))) return undefined;
  if (how.operand) return first ? source([first], rest, undefined) : undefined;
  if (first && (first.text !== "-" || first.kind !== "literal")) {
    if (first.content === undefined) return undefined;
    return first.content === null ? null : { code: first.content, place: first.place, rest, option: undefined };
  }
  if (input === undefined) return undefined;
  const atom = input?.atom;
  if (!atom || (atom.kind === "unknown" && atom.template === undefined)) return null;
  return { code: holed(atom), place, rest, option: undefined };
}

function source(fields: readonly Field[], rest: readonly Field[], option: string | undefined): Source {
  const place = fields[0]?.place ?? { start: -1, end: -1 };
  return { code: fields.map(holed).join("\n"), place, rest, option };
}

function holed(atom: { readonly text: string; readonly kind: string; readonly template?: string }): string {
  if (atom.kind !== "unknown") return atom.text;
  return atom.template === undefined ? atom.text + hole : atom.template.split(`\${${unknownVariable}}`).join(hole);
}

interface Scanned {
  readonly how: Interpreter;
  readonly code: string;
  readonly found: Collector;
  readonly cost: number;
}

/**
 * Last scan for the words of a command with its cost, cached because inner commands and effects are asked for separately. It
 * costs every caller the same: the words outlive the call where its analysis is remembered.
 */
const scanned = new WeakMap<readonly Field[], Scanned>();

/** Scans the code given by the words `of` a command. */
export function scanSource(how: Interpreter, source: Source, read: Arguments, of: readonly Field[]): Collector {
  const before = scanned.get(of);
  if (before?.how === how && before.code === source.code) {
    spend(before.cost);
    return before.found;
  }
  const left = unitsLeft();
  const found = scan(how, source, read);
  scanned.set(of, { how, code: source.code, found, cost: left - unitsLeft() });
  return found;
}

function scan(how: Interpreter, source: Source, read: Arguments): Collector {
  const argv: Value[] = source.rest.map((field) =>
    field.kind === "unknown"
      ? unknown
      : { ...(textValue(field.text) as Value & { kind: "text" }), ...(field.glob ? { glob: true } : {}) },
  );
  if (how.names.includes("osascript"))
    return valuesOf(read, "-l").some((field) => /^javascript$/i.test(field.text))
      ? scanCode(automation, source.code, argv)
      : scanAppleScript(source.code);
  if (!how.language) {
    const to = new Collector();
    to.doubt("its language is not in the tables");
    return to;
  }
  const php = how.language.name === "php" && source.option === undefined;
  const code = php ? source.code.replace(/^[\s\S]*?<\?(?:php|=)?/, "") : source.code;
  return scanCode(how.language, code, argv, assigned(read));
}

/** Variables that awk is given by `-v name=text`. */
function assigned(read: Arguments): ReadonlyMap<string, Value> {
  return new Map(
    valuesOf(read, "--assign").flatMap((field) => {
      const equals = field.text.indexOf("=");
      const value = field.kind === "literal" ? textValue(field.text.slice(equals + 1)) : unknown;
      return equals > 0 ? [[field.text.slice(0, equals), value] as const] : [];
    }),
  );
}
