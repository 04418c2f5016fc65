import { parseSync } from "rolldown/utils";

/** An import or re-export of one module by another; `dynamic` also for `typeof import(…)` types, which load nothing. */
export interface Import {
  readonly specifier: string;
  readonly dynamic: boolean;
  readonly line: number;
}

/** A function of any form, by its name if it has one. `suite` is true for the callback of a test suite. */
export interface FunctionSize {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
  readonly suite: boolean;
}

/** A declaration that a module exports. */
export interface Export {
  readonly name: string;
  readonly line: number;
  readonly documented: boolean;
}

/** What the checks want to know of one TypeScript module. */
export interface Module {
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionSize[];
  readonly exports: readonly Export[];
  /** Texts given to calls, e.g. the name in `require("re2")`. */
  readonly callTexts: readonly { readonly text: string; readonly line: number }[];
  /** Dotted names as written, e.g. `Date.now`, `it.only`, and names of globals. */
  readonly names: readonly { readonly text: string; readonly line: number }[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const parsed = new Map<string, Module>();

/** The facts of a module, by a full parse; throws an Error on a syntax error. */
export function moduleOf(path: string, text: string): Module {
  const key = `${path}\0${text}`;
  const known = parsed.get(key);
  if (known) return known;
  const result = parseSync(path, text, { lang: "ts" });
  if (result.errors.length > 0) throw new Error(`${path}: ${result.errors[0]?.message}`);
  const module = new Reader(text, result.comments).read(result.program as unknown as Node);
  parsed.set(key, module);
  return module;
}

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

class Reader {
  readonly #text: string;
  readonly #docEnds: ReadonlySet<number>;
  readonly #imports: Import[] = [];
  readonly #functions: FunctionSize[] = [];
  readonly #exports: Export[] = [];
  readonly #callTexts: { text: string; line: number }[] = [];
  readonly #names: { text: string; line: number }[] = [];

  constructor(text: string, comments: readonly { type: string; value: string; end: number }[]) {
    this.#text = text;
    this.#docEnds = new Set(comments.filter((c) => c.type === "Block" && c.value.startsWith("*")).map((c) => c.end));
  }

  read(program: Node): Module {
    const pending: { node: Node; parent: Node | undefined }[] = [{ node: program, parent: undefined }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      this.#visit(next.node, next.parent);
      for (const child of children(next.node)) pending.push({ node: child, parent: next.node });
    }
    return {
      imports: this.#imports,
      functions: this.#functions,
      exports: this.#exports,
      callTexts: this.#callTexts,
      names: this.#names,
    };
  }

  #visit(node: Node, parent: Node | undefined): void {
    this.#import(node);
    if (functionTypes.has(node.type)) this.#function(node, parent);
    if (node.type === "ExportNamedDeclaration" && node.declaration) this.#export(node, node.declaration as Node);
    if (node.type === "ExportDefaultDeclaration") this.#export(node, node.declaration as Node);
    if (node.type === "CallExpression") this.#call(node);
    if (node.type === "MemberExpression" && !node.computed) this.#name(`${dotted(node)}`, node);
    if (node.type === "Identifier" && isFree(node, parent)) this.#name(String(node.name), node);
    if (node.type === "NewExpression" && (node.arguments as Node[]).length === 0) {
      this.#name(`new ${dotted(node.callee as Node)}()`, node);
    }
  }

  #import(node: Node): void {
    const dynamic = node.type === "ImportExpression" || node.type === "TSImportType";
    const declared = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"].includes(node.type);
    if (!dynamic && !declared) return;
    const source = (node.source ?? node.argument) as Node | null | undefined;
    const literal = (source?.type === "TSLiteralType" ? source.literal : source) as Node | null | undefined;
    if (literal && typeof literal.value === "string") {
      this.#imports.push({ specifier: literal.value, dynamic, line: this.#line(node.start) });
    }
  }

  #function(node: Node, parent: Node | undefined): void {
    const named = (node.id ?? parent?.id ?? parent?.key) as Node | null | undefined;
    const callee = parent?.type === "CallExpression" ? dotted(parent.callee as Node) : "";
    const suite = /^describe\b/.test(callee) || /^describe\b/.test(calleeText(this.#text, parent));
    const line = this.#line(node.start);
    const lines = this.#line(node.end) - line + 1;
    this.#functions.push({ name: String(named?.name ?? "(anonymous)"), line, lines, suite });
  }

  #export(node: Node, declaration: Node): void {
    const before = this.#text.slice(0, node.start).trimEnd().length;
    const first = (declaration.declarations as Node[] | undefined)?.[0];
    const id = (declaration.id ?? first?.id) as Node | null | undefined;
    this.#exports.push({
      name: String(id?.name ?? "default"),
      line: this.#line(node.start),
      documented: this.#docEnds.has(before),
    });
  }

  #call(node: Node): void {
    for (const argument of node.arguments as Node[]) {
      if (argument.type !== "Literal" || typeof argument.value !== "string") continue;
      this.#callTexts.push({ text: argument.value, line: this.#line(argument.start) });
    }
  }

  #name(text: string, node: Node): void {
    this.#names.push({ text, line: this.#line(node.start) });
  }

  #line(offset: number): number {
    let line = 1;
    for (let at = this.#text.indexOf("\n"); at >= 0 && at < offset; at = this.#text.indexOf("\n", at + 1)) line += 1;
    return line;
  }
}

function children(node: Node): Node[] {
  const found: Node[] = [];
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === "object" && item !== null && typeof (item as Node).type === "string")
        found.push(item as Node);
    }
  }
  return found;
}

/** `a.b.c` for a chain of plain members, else the last name after a dot. */
function dotted(node: Node): string {
  if (node.type === "Identifier") return String(node.name);
  if (node.type !== "MemberExpression" || node.computed) return "";
  return `${dotted(node.object as Node)}.${String((node.property as Node).name)}`;
}

function calleeText(text: string, parent: Node | undefined): string {
  return parent?.type === "CallExpression" ? text.slice(parent.start, parent.start + 20) : "";
}

/** True for a name that stands for a value, not for a member, key or declaration. */
function isFree(node: Node, parent: Node | undefined): boolean {
  if (!parent) return false;
  if (parent.type === "MemberExpression") return parent.object === node || Boolean(parent.computed);
  if (parent.type === "Property") return parent.value === node || Boolean(parent.shorthand);
  return !/^(TS|Import|Export|MethodDefinition|PropertyDefinition|Function|Class)/.test(parent.type);
}
