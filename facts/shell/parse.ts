import {
  type Redirection as BashRedirection,
  type Word as BashWord,
  forEachChild,
  type ParsedScript,
  parse as parseBash,
  type Statement,
  type SyntaxNode,
  type WordPart,
} from "unbash";
import { limits } from "../../schema/limits.ts";
import { overBounds, problem } from "./bounds.ts";
import { bodyOf, negating, verbatimAt } from "./parse-parts.ts";
import type { Assignment, For, Node, Part, Place, Problem, Redirection, Sequence, Simple, Word } from "./syntax.ts";

/** Mapping of a nested text's offsets: shifted into the outermost text, or all to one place of it. */
export type Origin = { readonly shift: number } | Place;

/**
 * Parses a bash text into our tree. A text over a bound, with a control character or with any syntax error
 * gives a problem: it is not understood. Never throws. Source: language section 4, libraries "shell parsing".
 */
export function parseShell(text: string, origin: Origin = { shift: 0 }): Sequence | Problem {
  const refusal = overBounds(text);
  if (refusal) return refusal;
  let script: ParsedScript;
  try {
    script = parseBash(text);
  } catch {
    return problem("the command could not be parsed", 0);
  }
  const converter = new Converter(text, origin);
  const tree = converter.script(script);
  return converter.problem ?? tree;
}

const noWords: readonly Word[] = [];

type List = { readonly pos: number; readonly end: number; readonly commands: readonly Statement[] };

/** One conversion of a parser tree. Nesting is bounded by the parser (256), size by the node count. */
class Converter {
  problem: Problem | undefined;
  private readonly source: string;
  private readonly origin: Origin;
  /** Set where all offsets map to one place. */
  private readonly fixed: Place | undefined;
  private readonly shift: number;
  private readonly count: { nodes: number };

  constructor(source: string, origin: Origin, count = { nodes: 0 }) {
    this.source = source;
    this.origin = origin;
    // A place may be more than its two offsets, which is not to get into the nodes.
    this.fixed = "shift" in origin ? undefined : { start: origin.start, end: origin.end };
    this.shift = "shift" in origin ? origin.shift : 0;
    this.count = count;
  }

  script(script: ParsedScript): Sequence {
    if (script.source !== undefined) return this.backticks(script, script.source);
    const error = script.errors?.[0];
    if (error) this.fail(`syntax error: ${error.message}`, error.pos, true);
    return this.sequence(script);
  }

  /** Reads escaped backticks. Their offsets refer to a separate decoded text, so all parts get the outer place. */
  private backticks(script: ParsedScript, source: string): Sequence {
    const inner = new Converter(source, this.here, this.count);
    const { source: _, ...rest } = script;
    const tree = inner.script(rest);
    if (inner.problem) this.problem ??= inner.problem;
    return tree;
  }

  /** Place of the substitution being converted, for texts without offsets of their own. */
  private here: Place = { start: 0, end: 0 };

  private fail(reason: string, at: number, syntax = false): void {
    this.problem ??= { ...problem(reason, this.place({ pos: at, end: at }).start), syntax };
  }

  private visit(): boolean {
    this.count.nodes += 1;
    if (this.count.nodes <= limits.shellNodes) return true;
    this.fail("the command has more parts than can be analysed", 0);
    return false;
  }

  private place(node: { readonly pos: number; readonly end: number }): Place {
    // An expansion that is never closed can reach past the text without an error of the parser's.
    if (node.end > this.source.length) this.fail("the command ends inside an expansion", this.source.length, true);
    if (this.fixed) return this.fixed;
    return { start: node.pos + this.shift, end: node.end + this.shift };
  }

  private sequence(list: List): Sequence {
    const items: Node[] = [];
    for (const statement of list.commands) {
      if (!this.visit()) break;
      const node = this.node(statement.command);
      if (!statement.background) items.push(node);
      else items.push({ kind: "subshell", ...this.place(statement), body: node, background: true });
    }
    const { start, end } = this.place(list);
    return { kind: "sequence", start, end, items };
  }

  private node(node: SyntaxNode): Node {
    if (!this.visit()) return { kind: "sequence", start: 0, end: 0, items: [] };
    switch (node.type) {
      case "Command":
        return this.simple(node);
      case "Pipeline":
        if (node.commands.length === 1 && node.commands[0]) return negating(this.node(node.commands[0]), node.prefixes);
        return negating(
          {
            kind: "pipeline",
            ...this.place(node),
            items: node.commands.map((item) => this.node(item)),
            merges: node.operators.map((operator) => operator === "|&"),
          },
          node.prefixes,
        );
      case "AndOr":
        return {
          kind: "logical",
          ...this.place(node),
          items: node.commands.map((item) => this.node(item)),
          operators: [...node.operators],
        };
      case "Subshell":
        return { kind: "subshell", ...this.place(node), body: this.sequence(node.body) };
      case "BraceGroup":
        return this.sequence(node.body);
      case "CompoundList":
        return this.sequence(node);
      case "Redirected":
        return {
          kind: "redirected",
          ...this.place(node),
          body: this.node(node.command),
          redirects: this.redirections(node.redirects),
        };
      case "Function":
        return { kind: "function", ...this.place(node), name: node.name.value, body: this.node(node.body) };
      case "Coproc":
        return { kind: "subshell", ...this.place(node), body: this.node(node.body) };
      default:
        return this.compound(node);
    }
  }

  private compound(node: SyntaxNode): Node {
    const place = this.place(node);
    switch (node.type) {
      case "If":
        return {
          kind: "if",
          ...place,
          tests: [node.clause, ...node.elif.map((branch) => branch.clause)].map((list) => this.sequence(list)),
          bodies: [node.then, ...node.elif.map((branch) => branch.then)].map((list) => this.sequence(list)),
          otherwise: node.else && this.sequence(node.else),
        };
      case "While":
        return this.loop(place, [this.sequence(node.clause)], node.body, node.kind);
      case "ArithmeticFor": {
        const parts = [node.initialize, node.test, node.update].filter((part) => part !== undefined);
        const head = parts.map((part) => this.evaluation(part));
        return this.loop(place, head, node.body, "counting");
      }
      case "For":
      case "Select":
        return this.forLoop(node);
      case "Case":
        return {
          kind: "case",
          ...place,
          word: this.word(node.word),
          items: node.items.map((item) => ({
            patterns: item.pattern.map((word) => this.word(word)),
            body: this.sequence(item.body),
            ...(item.terminator === ";&" || item.terminator === ";;&" ? { falls: item.terminator } : {}),
          })),
        };
      default:
        return this.evaluation(node);
    }
  }

  private loop(place: Place, head: readonly Node[], body: List, how: "while" | "until" | "counting"): Node {
    return { kind: "loop", ...place, head, body: this.sequence(body), how };
  }

  private forLoop(node: Extract<SyntaxNode, { type: "For" | "Select" }>): For {
    return {
      kind: "for",
      ...this.place(node),
      name: node.name.value,
      words: node.wordlist?.map((word) => this.word(word)),
      body: this.sequence(node.body),
      bodyText: this.source.slice(node.body.pos, node.body.end),
      ...(node.type === "Select" ? { asks: true } : {}),
    };
  }

  /** Reads `[[ … ]]` and `(( … ))`; only their substitutions matter. */
  private evaluation(node: SyntaxNode): Node {
    const words: Word[] = [];
    const scripts: Sequence[] = [];
    this.gather(node, words, scripts);
    return { kind: "evaluation", ...this.place(node), raw: this.source.slice(node.pos, node.end), words, scripts };
  }

  /** Words and scripts below a node, in source order. A chain of operators nests deeply, hence no recursion. */
  private gather(root: SyntaxNode, words: Word[], scripts: Sequence[]): void {
    const open: SyntaxNode[] = [root];
    while (open.length > 0 && this.visit()) {
      const node = open.pop() as SyntaxNode;
      if (node.type === "Word") {
        words.push(this.word(node));
      } else if (
        node.type === "CommandExpansion" ||
        node.type === "ArithmeticCommandExpansion" ||
        node.type === "ProcessSubstitution"
      ) {
        scripts.push(this.substitution(node));
      } else {
        const children: SyntaxNode[] = [];
        forEachChild(node, (child) => children.push(child));
        while (children.length > 0) open.push(children.pop() as SyntaxNode);
      }
    }
  }

  private substitution(node: {
    readonly pos: number;
    readonly end: number;
    readonly text: string;
    readonly script: ParsedScript | undefined;
  }): Sequence {
    const outer = this.here;
    this.here = this.place(node);
    // The parser ends a pattern (`${x/$(…)/y}`) at the first slash, even inside a substitution: then its commands are not known.
    const { text } = node;
    if (!node.script || !/[)`]$/.test(text)) this.fail("a substitution could not be parsed", node.pos);
    const tree: Sequence = node.script ? this.script(node.script) : { kind: "sequence", ...this.here, items: [] };
    this.here = outer;
    return tree;
  }

  private simple(node: Extract<SyntaxNode, { type: "Command" }>): Simple {
    const assignments: Assignment[] = [];
    const words: (Word | Assignment)[] = node.name ? [this.word(node.name)] : [];
    for (const item of node.prefix) if (item.type === "Assignment") assignments.push(this.assignment(item));
    for (const item of node.args) words.push(item.type === "Assignment" ? this.assignment(item) : this.word(item));
    const redirects = this.redirections(node.redirects);
    const { start, end } = this.place(node);
    return { kind: "simple", start, end, assignments, words, redirects };
  }

  private assignment(node: Extract<SyntaxNode, { type: "Assignment" }>): Assignment {
    this.visit();
    return {
      kind: "assignment",
      ...this.place(node),
      name: node.name,
      append: node.append === true,
      index: node.index && this.word(node.index),
      value: node.value.type === "Word" ? this.word(node.value) : node.value.elements.map((word) => this.word(word)),
    };
  }

  private redirections(nodes: readonly BashRedirection[]): Redirection[] {
    const redirects: Redirection[] = [];
    for (const node of nodes) {
      this.visit();
      const { operator } = node;
      const descriptor = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : -1;
      const { start, end } = this.place(node);
      const word = node.type !== "HereDoc" && node.target ? this.word(node.target) : undefined;
      const body = node.type === "HereDoc" ? this.hereDocument(node) : node.type === "HereString" ? word : undefined;
      const target = node.type === "HereDoc" || node.type === "HereString" ? undefined : word;
      redirects.push({ start, end, operator, descriptor, target, body });
    }
    return redirects;
  }

  private hereDocument(node: Extract<BashRedirection, { type: "HereDoc" }>): Word {
    const { text, quoted } = bodyOf(node);
    const parts: Part[] =
      node.body.parts && !quoted ? this.parts(node.body.parts, true) : [{ kind: "text", value: text, quoted: true }];
    const verbatim = text === node.body.text && "shift" in this.origin ? node.body.pos + this.origin.shift : -1;
    return { kind: "word", ...this.place(node.body), raw: node.body.text, parts, braces: false, verbatim };
  }

  word(node: BashWord): Word {
    this.visit();
    // Each getter of the parser's nodes reads the text anew.
    const { text: raw, parts: nodes } = node;
    const { start, end } = this.place(node);
    const parts: Part[] = nodes ? this.parts(nodes, false) : [{ kind: "text", value: node.value, quoted: false }];
    let braces = false;
    if (nodes) for (const part of nodes) if (part.type === "BraceExpansion") braces = true;
    const verbatim = this.fixed ? -1 : verbatimAt(node.value, raw, start);
    return { kind: "word", start, end, raw, parts, braces, verbatim };
  }

  private parts(nodes: readonly WordPart[], quoted: boolean): Part[] {
    const parts: Part[] = [];
    for (const node of nodes) this.part(node, quoted, parts);
    return parts;
  }

  private part(node: WordPart, quoted: boolean, into: Part[]): void {
    if (!this.visit()) return;
    switch (node.type) {
      case "Literal":
        into.push({ kind: "text", value: node.value, quoted });
        return;
      case "SingleQuoted":
      case "AnsiCQuoted":
        into.push({ kind: "text", value: node.value, quoted: true });
        return;
      case "DoubleQuoted":
      case "LocaleString":
        if (node.parts.length === 0) into.push({ kind: "text", value: "", quoted: true });
        else for (const part of node.parts) this.part(part, true, into);
        return;
      case "Glob":
      case "ExtendedGlob":
        into.push({ kind: "glob", value: node.text });
        if (node.parts)
          for (const part of this.parts(node.parts, quoted))
            if (part.kind !== "text" && part.kind !== "glob") into.push(part);
        return;
      case "BraceExpansion":
        if (node.parts) for (const part of node.parts) this.part(part, quoted, into);
        else into.push({ kind: "text", value: node.text, quoted });
        return;
      default:
        this.expansion(node, quoted, into);
    }
  }

  private expansion(node: WordPart, quoted: boolean, into: Part[]): void {
    switch (node.type) {
      case "SimpleExpansion":
        into.push({
          kind: "parameter",
          name: node.text.slice(1),
          prefix: "",
          operator: "",
          words: noWords,
          index: undefined,
          quoted,
        });
        return;
      case "ParameterExpansion": {
        const words: Word[] = [];
        if (node.operation)
          forEachChild(node.operation, (child) => child.type === "Word" && words.push(this.word(child)));
        const index = node.index && this.word(node.index);
        const operator = node.operation?.operator ?? "";
        into.push({
          kind: "parameter",
          name: node.parameter,
          prefix: node.prefix ?? "",
          operator,
          words,
          index,
          quoted,
        });
        return;
      }
      case "CommandExpansion":
        into.push({ kind: "command", script: this.substitution(node), quoted });
        return;
      case "ProcessSubstitution":
        into.push({ kind: "process", direction: node.operator, script: this.substitution(node) });
        return;
      case "ArithmeticExpansion": {
        const words: Word[] = [];
        const scripts: Sequence[] = [];
        if (node.expression) this.gather(node.expression, words, scripts);
        into.push({ kind: "arithmetic", raw: expressionIn(node.text), scripts, words, quoted });
        return;
      }
      default:
        this.fail("a word could not be read", node.pos);
    }
  }
}

/** The expression in `$((…))`, and in the older `$[…]`. */
function expressionIn(text: string): string {
  return text.startsWith("$[") ? text.slice(2, -1) : text.slice(3, -2);
}
