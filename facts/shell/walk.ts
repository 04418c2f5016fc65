import { limits } from "../../schema/limits.ts";
import { changesIn } from "./changes.ts";
import type { Draft, FoldedRedirect, Input, LooseRedirect } from "./draft.ts";
import { type Atom, type Field, unknownAtom } from "./fields.ts";
import { foldAssignment, foldAtom, foldWord, isWordList } from "./fold.ts";
import { launch } from "./launch.ts";
import { adopt, assign, fork, isArray, join, lookup, type Scope, type Value } from "./scope.ts";
import type { Assignment, For, Node, Redirection, Sequence, Simple } from "./syntax.ts";
import type { FunctionBody, Walker } from "./walker.ts";

// Rounds of `for` loops walked one by one, nested loops counted together; more make the variable unknown.
const rounds = 64;
// Nesting of statements, functions and nested texts taken together: the walk recurses at most this deep.
const depth = 512;
// Text that all folded words of one analysis may have, in units of the longest command.
const textFactor = 16;

/**
 * One analysis: visits every statement in every position and collects the commands it would run.
 * Bounds end it with a reason; it never throws. Source: threats page, classes 4 to 6.
 */
export class Walk implements Walker {
  readonly drafts: Draft[] = [];
  readonly pipelines: number[][] = [];
  readonly loose: LooseRedirect[] = [];
  readonly functions = new Map<string, FunctionBody>();
  /** Program names that the text itself copied to other names. */
  readonly copies = new Map<string, string>();
  /** Wrappers around the text being walked, outermost first. */
  wrappers: readonly string[] = [];
  nesting = 0;
  readonly calling: Node[] = [];
  /** Every function defined, also one that a later definition hides. */
  readonly definitions: FunctionBody[] = [];
  certain = true;
  /** Why the text is not understood at all. */
  failure: { readonly reason: string; readonly at: number } | undefined;
  private visits = 0;
  private text = 0;
  private factor = 1;
  private depth = 0;

  exceeded(reason: string, at = 0): void {
    this.failure ??= { reason, at };
  }

  spend(length: number): void {
    this.text += length;
    if (this.text > textFactor * limits.shellLength)
      this.exceeded("the command expands to more text than can be analysed");
  }

  visit(): boolean {
    this.visits += 1;
    if (this.visits > limits.shellNodes) this.exceeded("the command has more parts than can be analysed");
    return this.failure === undefined;
  }

  /** Walks what a substitution runs; its output if that is constant. */
  substitute(script: Sequence, scope: Scope, input?: Input): Atom | undefined {
    const from = this.drafts.length;
    this.node(script, fork(scope), input);
    const last = this.drafts.at(-1);
    if (script.items.length !== 1 || this.drafts.length === from || !last) return undefined;
    const output = last.output?.atom;
    return (
      output && {
        ...output,
        text: output.text.replace(/\n+$/, ""),
        ...(output.template === undefined ? {} : { template: output.template.replace(/\n+$/, "") }),
      }
    );
  }

  node(node: Node, scope: Scope, input: Input): void {
    if (this.depth > depth) this.exceeded("the command nests deeper than can be analysed");
    if (!this.visit()) return;
    this.depth += 1;
    this.enter(node, scope, input);
    this.depth -= 1;
  }

  private enter(node: Node, scope: Scope, input: Input): void {
    switch (node.kind) {
      case "simple":
        this.simple(node, scope, input);
        return;
      case "sequence":
        for (const item of node.items) this.node(item, scope, input);
        return;
      case "pipeline":
        this.pipeline(node.items, scope, input);
        return;
      case "logical":
        this.logical(node, scope, input);
        return;
      case "subshell":
        this.node(node.body, fork(scope), input);
        return;
      case "redirected": {
        const redirects = this.redirects(node.redirects, scope);
        for (const redirect of redirects) this.loose.push({ redirect, cwd: scope.cwd, place: node });
        this.node(node.body, scope, inputOf(redirects, input));
        return;
      }
      case "function":
        this.define(node.name, { body: node.body, scope: fork(scope), called: false });
        return;
      default:
        this.branching(node, scope, input);
    }
  }

  private define(name: string, found: FunctionBody): void {
    this.functions.set(name, found);
    this.definitions.push(found);
  }

  private branching(node: Node, scope: Scope, input: Input): void {
    switch (node.kind) {
      case "if": {
        const branches = node.bodies.map((body, i) => {
          const test = node.tests[i];
          if (test) this.node(test, scope, input);
          return this.branch(body, scope, input);
        });
        join(scope, [...branches, node.otherwise ? this.branch(node.otherwise, scope, input) : fork(scope)]);
        return;
      }
      case "case": {
        foldWord(node.word, scope, this);
        for (const item of node.items) for (const pattern of item.patterns) foldWord(pattern, scope, this);
        join(scope, [fork(scope), ...node.items.map((item) => this.branch(item.body, scope, input))]);
        return;
      }
      case "loop": {
        this.forget(node, scope);
        for (const head of node.head) this.node(head, scope, input);
        join(scope, [fork(scope), this.branch(node.body, scope, input)]);
        return;
      }
      case "for":
        this.forLoop(node, scope, input);
        return;
      case "evaluation":
        for (const word of node.words) foldAtom(word, scope, this);
        for (const script of node.scripts) this.substitute(script, scope);
    }
  }

  private branch(body: Node, scope: Scope, input: Input): Scope {
    const child = fork(scope);
    this.node(body, child, input);
    return child;
  }

  /** Drops what any round of a loop may change. */
  private forget(node: Node, scope: Scope): void {
    const changes = changesIn(node);
    for (const name of changes.names) assign(scope, name, unknownAtom);
    if (changes.directory) scope.cwd = "";
  }

  private forLoop(node: For, scope: Scope, input: Input): void {
    const positional = scope.positional?.map((atom) => atom);
    const values: readonly Atom[] = node.words
      ? node.words.flatMap((word) => foldWord(word, scope, this))
      : (positional ?? [unknownAtom]);
    const used = node.bodyText.includes(node.name);
    const many = values.length * this.factor > rounds || values.some((value) => "open" in value && value.open === true);
    if (!used || many || values.length === 0) {
      this.forget(node.body, scope);
      assign(scope, node.name, used ? (values.length === 1 ? (values[0] as Atom) : unknownAtom) : unknownAtom);
      join(scope, [fork(scope), this.branch(node.body, scope, input)]);
      return;
    }
    const outer = this.factor;
    this.factor *= values.length;
    const child = fork(scope);
    for (const value of values) {
      assign(child, node.name, value);
      this.node(node.body, child, input);
    }
    this.factor = outer;
    adopt(scope, child);
  }

  /** `a && b || c`: what stands right of `||` starts where the left failed; success of `cd` is assumed otherwise. */
  private logical(node: Extract<Node, { kind: "logical" }>, scope: Scope, input: Input): void {
    let current = fork(scope);
    let sure = true;
    node.items.forEach((item, i) => {
      if (i > 0 && node.operators[i - 1] === "||") {
        const other = this.branch(item, scope, input);
        if (other.cwd !== scope.cwd && other.cwd !== current.cwd) current.cwd = "";
        this.merge(current, other);
        sure = false;
        return;
      }
      if (sure && i > 0) {
        adopt(scope, current);
        current = fork(scope);
        sure = always(node.items[i - 1] as Node);
      }
      this.node(item, current, input);
    });
    if (sure && always(node.items[node.items.length - 2] as Node)) {
      adopt(scope, current);
      return;
    }
    const { cwd, previous } = current;
    join(scope, [fork(scope), current]);
    scope.cwd = cwd;
    scope.previous = previous;
  }

  private merge(current: Scope, other: Scope): void {
    for (const name of other.variables.keys()) {
      const left = lookup(current, name);
      if (!left || left !== lookup(other, name)) assign(current, name, unknownAtom);
    }
  }

  private pipeline(items: readonly Node[], scope: Scope, input: Input): void {
    let feed = input;
    let previous = -1;
    const indices: number[] = [];
    for (const item of items) {
      const from = this.drafts.length;
      this.node(item, fork(scope), feed);
      const heads = range(from, this.drafts.length);
      for (const index of heads) this.link(previous, index);
      const last = this.drafts.length - 1;
      feed = last >= from ? (this.drafts[last]?.output ?? null) : null;
      previous = last >= from ? last : -1;
      if (previous >= 0) indices.push(previous);
    }
    if (indices.length > 1) this.pipelines.push(indices);
  }

  /** Says that `reader` reads what `writer` prints, unless either is already connected. */
  link(writer: number, reader: number): void {
    const from = this.drafts[writer];
    const to = this.drafts[reader];
    if (!from || !to || to.pipedFrom >= 0) return;
    to.pipedFrom = writer;
    if (from.pipedTo < 0) from.pipedTo = reader;
  }

  private simple(node: Simple, scope: Scope, input: Input): void {
    const from = this.drafts.length;
    const fields: Field[] = [];
    for (const word of node.words) {
      if (word.kind === "word") for (const field of foldWord(word, scope, this)) fields.push(field);
      else {
        this.assignment(word, scope);
        fields.push(foldAssignment(word, fork(scope), this));
      }
    }
    const redirects = this.redirects(node.redirects, scope);
    const env = new Map<string, Atom>();
    for (const item of node.assignments) {
      const target = fields.length > 0 ? fork(scope) : scope;
      const value = this.assignment(item, target);
      if (fields.length > 0) env.set(item.name, isArray(value) ? unknownAtom : value);
    }
    if (fields.length === 0) {
      for (const redirect of redirects) this.loose.push({ redirect, cwd: scope.cwd, place: node });
      return;
    }
    const feeder = this.drafts.length > from ? this.drafts.length - 1 : -1;
    launch(
      this,
      {
        fields,
        env,
        redirects,
        wrappers: this.wrappers,
        cwd: scope.cwd,
        place: node,
        input: inputOf(redirects, input),
        feeder,
        functions: true,
        certain: this.certain,
      },
      scope,
    );
  }

  private assignment(item: Assignment, scope: Scope): Value {
    if (item.index) foldAtom(item.index, scope, this);
    const value = isWordList(item.value)
      ? item.value.flatMap((word) => foldWord(word, scope, this))
      : foldAtom(item.value, scope, this);
    const before = item.append ? lookup(scope, item.name) : undefined;
    const result = item.index ? unknownAtom : item.append ? appended(before, value) : value;
    if (!isArray(result) && result.text.length > limits.shellLength)
      this.exceeded("a value is longer than can be analysed");
    assign(scope, item.name, result);
    return result;
  }

  private redirects(items: readonly Redirection[], scope: Scope): FoldedRedirect[] {
    return items.flatMap((item): FoldedRedirect[] => {
      const data = item.body && foldAtom(item.body, scope, this);
      const targets = item.target ? foldWord(item.target, scope, this) : [undefined];
      return targets.map((target) => ({ operator: item.operator, descriptor: item.descriptor, target, data }));
    });
  }
}

function appended(before: Value | undefined, value: Value): Value {
  if (before === undefined) return isArray(value) ? value : unknownAtom;
  if (isArray(before) || isArray(value))
    return [...(isArray(before) ? before : [before]), ...(isArray(value) ? value : [value])].slice(
      0,
      limits.braceWords,
    );
  return {
    text: before.text + value.text,
    kind: before.kind === "literal" && value.kind === "literal" ? "literal" : "unknown",
  };
}

/** What a command reads, given its redirections and what it would read without them. */
function inputOf(redirects: readonly FoldedRedirect[], input: Input): Input {
  let result = input;
  for (const redirect of redirects) {
    if (redirect.descriptor > 0) continue;
    if (redirect.data) result = { atom: redirect.data };
    else if (redirect.operator === "<" || redirect.operator === "<>") {
      const content = redirect.target?.content;
      result = typeof content === "string" ? { atom: { text: content, kind: "literal" } } : null;
    }
  }
  return result;
}

const reliable: ReadonlySet<string> = new Set([
  "cd",
  "export",
  "mkdir",
  "echo",
  "set",
  "true",
  "umask",
  "source",
  ".",
  "pushd",
  "git",
]);

/** True for what practically always succeeds, so that a chain behind it is not a branch. */
function always(node: Node | undefined): boolean {
  if (node?.kind !== "simple") return false;
  const [first] = node.words;
  return first === undefined || first.kind === "assignment" || reliable.has(first.raw);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
