import { limits } from "../../schema/limits.ts";
import { assignedIn, runningValues } from "./arithmetic.ts";
import { walkCase, walkIf, walkLogical } from "./branches.ts";
import type { Draft, FoldedRedirect, Input, LooseRedirect } from "./draft.ts";
import { type Atom, type Field, literalField, unknownAtom } from "./fields.ts";
import { recordGroup } from "./files.ts";
import { expandText, foldAssignment, foldAtom, foldWord, isWordList } from "./fold.ts";
import { inputOf, settle, share } from "./inputs.ts";
import { launch } from "./launch.ts";
import { walkFor, walkLoop } from "./loops.ts";
import type { Combination } from "./references.ts";
import { assign, fork, isArray, lookup, oneOf, type Scope, type Value } from "./scope.ts";
import type { Assignment, Node, Redirection, Sequence, Simple } from "./syntax.ts";
import { destinationOf, mergesErrors, printed, printedBy, type Tape } from "./tape.ts";
import type { FunctionBody, Trap } from "./walker.ts";
import type { Walking } from "./walking.ts";
import { anyOf, captured, eachWay, multiplied, possibly, room } from "./ways.ts";
import { contentOf, WrittenFiles } from "./written.ts";

// Nesting of statements, functions and nested texts taken together: the walk recurses at most this deep.
const depth = 512;
const noRedirects: readonly FoldedRedirect[] = [];
// Text that all folded words of one analysis may have, in units of the longest command.
const textFactor = 16;

/**
 * One analysis: visits every statement in every position and collects the commands it would run.
 * Bounds end it with a reason; it never throws. Source: threats page, classes 4 to 6.
 */
export class Walk implements Walking {
  readonly drafts: Draft[] = [];
  readonly pipelines: number[][] = [];
  readonly loose: LooseRedirect[] = [];
  readonly functions = new Map<string, FunctionBody>();
  readonly files = new WrittenFiles();
  readonly aliases = new Map<string, Field>();
  /** Wrappers around the text being walked, outermost first. */
  wrappers: readonly string[] = [];
  /** Variables given to the shell whose text is being walked, which all that it runs sees. */
  environment: ReadonlyMap<string, Atom> = new Map();
  nesting = 0;
  traps: Trap[] | undefined = [];
  readonly calling: Node[] = [];
  readonly repeats = new Map<Node, { count: number; piped: boolean }>();
  readonly bombs = new Set<string>();
  /** Every function defined, also one that a later definition hides. */
  readonly definitions: FunctionBody[] = [];
  certain = true;
  /** Why the text is not understood at all. */
  failure: { readonly reason: string; readonly at: number } | undefined;
  tape: Tape | undefined;
  factor = 1;
  private merged = false;
  private visits = 0;
  private text = 0;
  private redirections = 0;
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

  /** Walks what a substitution runs; its output if that is constant, or one of a few. */
  substitute(script: Sequence, scope: Scope, input?: Input): Atom | undefined {
    const tape = captured(this, () => this.node(script, fork(scope), input));
    const atoms = tape.map((one) => trimmed(one?.atom ?? unknownAtom));
    if (atoms.length === 1) return tape[0]?.atom ? atoms[0] : undefined;
    const value = oneOf(atoms);
    return isArray(value) ? undefined : value;
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
        this.pipeline(node, scope, input);
        return;
      case "logical":
        walkLogical(this, node, scope, input);
        return;
      case "subshell":
        this.node(node.body, fork(scope), input);
        return;
      case "redirected":
        eachWay(this, node.redirects, scope, (child) => {
          const redirects = this.redirects(node.redirects, child);
          for (const redirect of redirects) this.loose.push({ redirect, cwd: child.cwd, place: node });
          const [from, { cwd }] = [this.drafts.length, child];
          this.redirected(redirects, child, () => this.node(node.body, child, inputOf(redirects, input)));
          recordGroup(this, redirects, cwd, from);
        });
        return;
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
      case "if":
        walkIf(this, node, scope, input);
        return;
      case "case":
        walkCase(this, node, scope, input);
        return;
      case "loop":
        walkLoop(this, node, scope, input);
        return;
      case "for":
        walkFor(this, node, scope, input);
        return;
      case "evaluation":
        for (const word of node.words) foldAtom(word, scope, this);
        for (const script of node.scripts) this.substitute(script, scope);
        for (const text of runningValues(node.raw, scope)) expandText(text, node, scope, this);
        for (const name of assignedIn(node.raw)) assign(scope, name, unknownAtom);
    }
  }

  branch(body: Node, scope: Scope, input: Input): Scope {
    const child = fork(scope);
    const own = share(input);
    this.node(body, child, own);
    settle(input, own);
    return child;
  }

  private pipeline(node: Extract<Node, { kind: "pipeline" }>, scope: Scope, input: Input): void {
    let feeds: Tape | undefined;
    let previous = -1;
    const indices: number[] = [];
    node.items.forEach((item, i) => {
      const from = this.drafts.length;
      const stage = (): void => this.stage(item, scope, feeds, input);
      if (i === node.items.length - 1) stage();
      else feeds = this.merging(node.merges[i] === true, () => captured(this, stage));
      for (let index = from; index < this.drafts.length; index++) this.link(previous, index);
      previous = this.drafts.length > from ? this.drafts.length - 1 : -1;
      if (previous >= 0) indices.push(previous);
    });
    if (indices.length > 1) this.pipelines.push(indices);
  }

  /** One command of a pipeline, once for each text that it may read. */
  private stage(item: Node, scope: Scope, feeds: Tape | undefined, input: Input): void {
    if (!feeds) this.node(item, fork(scope), input);
    else this.feed(feeds, (one) => this.node(item, fork(scope), one));
  }

  /** Walks a reader once for each text that it may be given. */
  private feed(tape: Tape, reader: (input: Input) => void): void {
    const inputs = tape.length > room(this) ? [null] : tape;
    const steps = inputs.map((one) => () => reader(share(one)));
    const all = (): void => multiplied(this, inputs.length, () => anyOf(this, steps));
    if (inputs.length > 1) possibly(this, all);
    else all();
  }

  /** Walks a step in which errors may be printed where the output goes. */
  private merging<T>(merged: boolean, step: () => T): T {
    const outer = this.merged;
    this.merged ||= merged;
    const result = step();
    this.merged = outer;
    return result;
  }

  /** Walks what prints to redirections: away from the reader there is, and perhaps into a script. */
  private redirected(redirects: readonly FoldedRedirect[], scope: Scope, step: () => void, written?: Tape): void {
    const merged = mergesErrors(redirects);
    const destination = destinationOf(redirects, this.merged || merged);
    const tape = this.merging(merged, () => {
      if (destination !== "kept") return captured(this, step);
      step();
      return undefined;
    });
    for (const { target } of redirects) {
      const script = target?.feeds;
      if (script) this.feed(target === destination ? (written ?? tape ?? [null]) : [null], this.reader(script, scope));
    }
  }

  private reader(script: Node, scope: Scope): (input: Input) => void {
    return (input) => this.node(script, fork(scope), input);
  }

  record(draft: Draft): void {
    this.drafts.push(draft);
    if (this.drafts.length > limits.shellCommands) this.exceeded("the text has more commands than can be analysed");
    // A filter copies its input: chains of them share the budget of text.
    if (draft.input?.atom && draft.output?.atom) this.spend(draft.output.atom.text.length);
    if (this.tape && draft.analysed !== true) this.tape = printed(this.tape, printedBy(draft));
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
    if (!scope.shared.choices) {
      this.command(node, scope, input);
      return;
    }
    const [head, next] = node.words;
    const variable = head?.kind === "word" && head.parts.length === 1 ? head.parts[0] : undefined;
    // Where the variable is empty an option stands in the place of the program: no program has such a name.
    const runs = (way: Combination): boolean =>
      variable?.kind !== "parameter" ||
      variable.operator !== "" ||
      !way.some(([name, value]) => name === variable.name && isEmpty(value)) ||
      (next?.kind === "word" && !/^-[\w-]/.test(next.raw));
    eachWay(this, node, scope, (child) => this.command(node, child, input), runs);
  }

  /** A shell that goes on runs what `PROMPT_COMMAND` holds before its next prompt, as it runs the text of a trap. */
  private prompt(node: Simple, scope: Scope): void {
    const value = lookup(scope, "PROMPT_COMMAND");
    if (!value || isArray(value)) return;
    const text: Field = { ...literalField(value.text, node), ...value };
    const fields = [literalField("trap", node), text, literalField("DEBUG", node)];
    const { wrappers } = this;
    const plain = { env: this.environment, redirects: noRedirects, input: undefined, feeder: -1, functions: false };
    launch(this, { ...plain, fields, wrappers, cwd: scope.cwd, place: node, certain: false }, scope);
  }

  private command(node: Simple, scope: Scope, input: Input): void {
    const from = this.drafts.length;
    const fields: Field[] = [];
    for (const word of node.words) {
      if (word.kind === "word") for (const field of foldWord(word, scope, this, true)) fields.push(field);
      else {
        this.assignment(word, scope);
        fields.push(foldAssignment(word, fork(scope), this));
      }
    }
    const redirects = node.redirects.length === 0 ? noRedirects : this.redirects(node.redirects, scope, fields);
    const env = this.variables(node, scope, fields.length > 0);
    const head = fields[0];
    if (!head) {
      if (node.assignments.some((item) => item.name === "PROMPT_COMMAND")) this.prompt(node, scope);
      this.redirected(redirects, scope, () => undefined);
      // `$(< file)` prints the file.
      const given = redirects.length > 0 && this.tape ? inputOf(redirects, undefined) : undefined;
      if (given && this.tape) this.tape = printed(this.tape, given);
      for (const redirect of redirects) this.loose.push({ redirect, cwd: scope.cwd, place: node });
      return;
    }
    const at = this.drafts.length;
    const call = {
      fields,
      env,
      redirects,
      wrappers: this.wrappers,
      cwd: scope.cwd,
      place: node,
      input: inputOf(redirects, input),
      feeder: at > from ? at - 1 : -1,
      functions: true,
      certain: this.certain,
    };
    if (redirects.length === 0) launch(this, call, scope);
    // `exec > >(…)` redirects all that comes later.
    const later = fields.length === 1 && head.text === "exec" ? ([null] as const) : undefined;
    if (redirects.length > 0) this.redirected(redirects, scope, () => launch(this, call, scope), later);
    for (const field of fields) if (field.feeds) this.feed(this.writtenTo(field, at), this.reader(field.feeds, scope));
  }

  /** Variables that a command sees besides those of the shell; without a command they are the shell's own. */
  private variables(node: Simple, scope: Scope, running: boolean): ReadonlyMap<string, Atom> {
    if (node.assignments.length === 0) return this.environment;
    const env = new Map(this.environment);
    for (const item of node.assignments) {
      const value = this.assignment(item, running ? fork(scope) : scope);
      if (running) env.set(item.name, isArray(value) ? unknownAtom : value);
    }
    return env;
  }

  /** What a program writes to the file of a `>(…)` among its words: `tee` what it reads, others what is not known. */
  private writtenTo(field: Field, from: number): Tape {
    const writer = this.drafts.slice(from).find((draft) => draft.args.some((word) => word.feeds === field.feeds));
    return [writer?.program === "tee" ? (writer.input ?? null) : null];
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

  private redirects(items: readonly Redirection[], scope: Scope, words: readonly Field[] = []): FoldedRedirect[] {
    const folded: FoldedRedirect[] = [];
    for (const item of items) {
      const { operator, descriptor } = item;
      const data = item.body && foldAtom(item.body, scope, this);
      if (!item.target) folded.push({ operator, descriptor, target: undefined, data });
      else
        for (const word of foldWord(item.target, scope, this, true)) {
          const content = operator.startsWith("<") ? contentOf(word, this.files, scope.cwd) : undefined;
          folded.push({ operator, descriptor, target: content ? { ...word, ...content } : word, data });
        }
      // zsh reads `>! file` as a redirection to the word behind it.
      const forced = item.target?.raw === "!" ? words.find((word) => word.place.start >= item.end) : undefined;
      if (forced) folded.push({ operator, descriptor, target: forced, data });
    }
    this.redirections += folded.length;
    if (this.redirections > limits.effects) this.exceeded("the command has more redirections than can be analysed");
    return folded;
  }
}

function isEmpty(value: Value): boolean {
  return !isArray(value) && value.kind === "literal" && value.text === "";
}

/** A substitution drops the line ends behind its text. */
function trimmed(atom: Atom): Atom {
  const text = atom.text.replace(/\n+$/, "");
  return atom.template === undefined
    ? { ...atom, text }
    : { ...atom, text, template: atom.template.replace(/\n+$/, "") };
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
