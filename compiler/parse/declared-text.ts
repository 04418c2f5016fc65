import type { Span } from "../../diagnostics/source.ts";
import { didYouMean } from "../../diagnostics/suggest.ts";
import type { Expression } from "../../rules/ast.ts";
import type { DeclaredHole, DeclaredText } from "../../schema/declarations.ts";
import { limits } from "../../schema/limits.ts";
import { scalarSource, type YamlScalar } from "../yaml-node.ts";
import type { ParseContext } from "./context.ts";
import { parseTemplate } from "./template.ts";

/** One option with all its spellings. */
export interface OptionDraft {
  readonly names: readonly string[];
  /** True if a value follows the option. */
  readonly takes: boolean;
}

/** Parts of the call that a text of a declaration may insert, for a program or a tool. */
export type Holes = { readonly of: "program"; readonly options: readonly OptionDraft[] } | { readonly of: "tool" };

/**
 * Reads a text of a declaration: constant parts, and parts of the call in braces. A part that the call does not have is reported
 * at its place.
 */
export function declaredText(context: ParseContext, node: YamlScalar, holes: Holes): DeclaredText {
  const source = scalarSource(context.source, node);
  if (source.text.length > limits.declaredText) {
    const message = `text of ${source.text.length} characters, at most ${limits.declaredText}`;
    context.report("HW418", node.span, message, "shorten it");
    return [];
  }
  const { parts, diagnostics } = parseTemplate(source);
  context.add(diagnostics);
  if (parts.length > limits.declaredParts) {
    const message = `text of ${parts.length} parts, at most ${limits.declaredParts}`;
    context.report("HW418", node.span, message, "ask less of the call in one text");
    return [];
  }
  const [only] = parts;
  const hole = /^(?:operand\(\d+\)|operands|option\(['"].+['"]\)|args\.\w+)$/.exec(
    typeof only === "string" ? only : "",
  )?.[0];
  if (parts.length === 1 && hole !== undefined)
    context.report("HW205", node.span, `\`${hole}\` is a constant text here`, `write it in braces: \`"{${hole}}"\``);
  if (holes.of === "tool" && parts.length === 1 && typeof only === "string" && argumentWords.has(only))
    context.report(
      "HW205",
      node.span,
      `\`${only}\` is a constant text here`,
      `write an argument in braces: \`"{args.${only}}"\``,
    );
  if (parts.length === 0) context.report("HW205", node.span, "empty text", "write what the effect is on");
  return parts.flatMap((part): DeclaredText => {
    if (typeof part === "string") return [part];
    const hole = part.kind === "error" ? undefined : holeOf(context, part, holes);
    return hole ? [hole] : [];
  });
}

/** Words that are names of arguments, and that no tool has as a constant. */
const argumentWords: ReadonlySet<string> = new Set("path filename file_path filepath url uri".split(" "));

function holeOf(context: ParseContext, part: Expression, holes: Holes): DeclaredHole | undefined {
  const found = holes.of === "tool" ? argumentsIn(part) : wordIn(part);
  if (!found) {
    const help =
      holes.of === "tool"
        ? "write `{args.name}`, an argument of the call"
        : "write `{operand(0)}`, `{operands}` or `{option('--name')}`";
    context.report("HW205", part.span, `a ${holes.of} does not say this of its call`, help);
    return undefined;
  }
  if (holes.of === "program" && "option" in found) reportOption(context, found.option, part.span, holes.options);
  return found;
}

function reportOption(context: ParseContext, name: string, span: Span, options: readonly OptionDraft[]): void {
  const option = options.find(({ names }) => names.includes(name));
  if (option?.takes) return;
  const message = option ? `\`${name}\` is a flag, which has no value` : `option \`${name}\` is not declared`;
  const values = options.filter(({ takes }) => takes).flatMap(({ names }) => names);
  const help =
    option || values.length === 0
      ? `declare it under \`options\` as \`${name}: value\`, if a word follows it`
      : didYouMean(name, values);
  context.report("HW417", span, message, help);
}

/** Reads `args.name`, at any depth; undefined for any other expression. */
function argumentsIn(part: Expression): DeclaredHole | undefined {
  const names: string[] = [];
  let at = part;
  while (at.kind === "member" && !at.optional) {
    names.unshift(at.field);
    at = at.of;
  }
  if (at.kind === "index" && at.of.kind === "name" && at.of.name === "args" && at.index.kind === "literal") {
    if (typeof at.index.value !== "string") return undefined;
    return { args: [at.index.value, ...names] };
  }
  return at.kind === "name" && at.name === "args" && names.length > 0 ? { args: names } : undefined;
}

/** Reads `operands`, `operand(0)` or `option('--name')`; undefined for any other expression. */
function wordIn(part: Expression): DeclaredHole | undefined {
  if (part.kind === "name") return part.name === "operands" ? { operands: true } : undefined;
  if (part.kind !== "call" || part.receiver || part.args.length !== 1) return undefined;
  const [given] = part.args;
  if (given?.kind !== "literal") return undefined;
  const { value } = given;
  if (part.name === "operand" && given.type === "int" && Number(value) >= 0 && Number(value) <= limits.declaredOperand)
    return { operand: Number(value) };
  return part.name === "option" && typeof value === "string" ? { option: value } : undefined;
}
