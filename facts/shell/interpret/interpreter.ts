import { limits } from "../../../schema/limits.ts";
import { spend, spendText } from "../../meter.ts";
import type { Draft, Input, LooseRedirect } from "../draft.ts";
import type { Node, Sequence } from "../syntax.ts";
import { blank, printed, printedBy } from "../tape.ts";
import { WrittenFiles } from "../written.ts";
import type { FunctionBody } from "./binding.ts";
import { runSimple } from "./command.ts";
import { runCase, runIf, runLogical, runSequence } from "./control.ts";
import { runEndings } from "./endings.ts";
import { runEvaluation } from "./evaluation.ts";
import { joined } from "./join.ts";
import { runFor, runLoop } from "./loops.ts";
import type { Machine, Substituted, Surroundings } from "./machine.ts";
import { within } from "./machine.ts";
import { apart, behind, ends, endsOf, type Outcome, statusOf } from "./outcome.ts";
import { runPipeline, runRedirected } from "./pipelines.ts";
import type { Store } from "./store.ts";

// Nesting of statements, functions and nested texts taken together: the interpreter recurses at most this deep.
const depth = 512;
// Text that all folded words of one analysis may have, in units of the longest command.
const textFactor = 16;

/** One analysis: runs every statement on what is known and lists the commands it would run. Bounds end it with a reason; it never throws. */
export class Interpreter implements Machine {
  readonly drafts: Draft[] = [];
  readonly pipelines: number[][] = [];
  readonly loose: LooseRedirect[] = [];
  readonly files = new WrittenFiles();
  readonly bombs = new Set<string>();
  readonly definitions = new Map<Node, { readonly found: FunctionBody; readonly store: Store }>();
  readonly called = new Set<Node>();
  readonly traced = new Set<string>();
  readonly loops = new Map<Node, { readonly before: Store; readonly after: Store }>();
  recursions = 0;
  readonly repeats = new Map<Node, { readonly count: number; readonly piped: boolean }>();
  readonly dialect: string;
  readonly workspace: string;
  readonly home: string;
  around: Surroundings = {
    grade: "sure",
    guessed: false,
    moments: false,
    tail: true,
    ignoring: false,
    factor: 1,
    quiet: 0,
    merged: false,
    wrappers: [],
    strays: [],
    environment: new Map(),
    nesting: 0,
    calls: [],
    substituted: undefined,
    refused: undefined,
    loops: 0,
  };
  unseen: string | undefined;
  /** Reason and place for which the text is not understood. */
  failure: { readonly reason: string; readonly at: number } | undefined;
  private visits = 0;
  /** Number of parts visited again to compute what loops change. */
  tries = 0;
  private text = 0;
  private depth = 0;

  constructor({ dialect = "", workspace = "", home }: { dialect?: string; workspace?: string; home: string }) {
    this.dialect = dialect;
    this.workspace = workspace;
    this.home = home;
  }

  exceeded(reason: string, at = 0): void {
    this.failure ??= { reason, at };
  }

  spend(length: number): void {
    spendText(length);
    if (this.around.quiet > 0) return;
    this.text += length;
    if (this.text > textFactor * limits.shellLength)
      this.exceeded("the command expands to more text than can be analysed");
  }

  visit(): boolean {
    spend(4);
    if (this.around.quiet === 0) this.visits += 1;
    else this.tries += 1;
    if (this.visits > limits.shellNodes) this.exceeded("the command has more parts than can be analysed");
    return this.failure === undefined;
  }

  exec(node: Node, store: Store): Outcome {
    if (this.depth > depth) this.exceeded("the command nests deeper than can be analysed");
    if (!this.visit()) return { ok: store };
    this.depth += 1;
    const result = node.negated ? this.negated(node, store) : this.watched(node, store);
    this.depth -= 1;
    return result;
  }

  private negated(node: Node, store: Store): Outcome {
    const result = within(this, { ignoring: true, tail: false }, () => this.enter(node, store));
    const { ok, fail } = apart(result);
    if (ok) ok.status = "fail";
    if (fail) fail.status = "ok";
    return { ...result, ok: fail, fail: ok };
  }

  /** Runs a node; under `set -e` its failure ends the shell. */
  private watched(node: Node, store: Store): Outcome {
    const result = this.enter(node, store);
    if (!result.fail || this.around.ignoring || !single.has(node.kind)) return result;
    const setting = result.fail.option("errexit");
    if (setting === "off") return result;
    const { ok, fail } = apart(result);
    const ending = setting === "either" ? fail?.fork() : fail;
    if (ending) ending.status = "fail";
    return { ...result, ok, fail: setting === "either" ? fail : undefined, exit: joined(result.exit, ending) };
  }

  private enter(node: Node, store: Store): Outcome {
    switch (node.kind) {
      case "simple":
        return runSimple(this, node, store);
      case "sequence":
        return runSequence(this, node, store);
      case "pipeline":
        return runPipeline(this, node, store);
      case "logical":
        return runLogical(this, node, store);
      case "subshell":
        return this.subshell(node, store);
      case "redirected":
        return runRedirected(this, node, store);
      case "function":
        return this.define(node, store);
      case "if":
        return runIf(this, node, store);
      case "case":
        return runCase(this, node, store);
      case "loop":
        return within(this, { loops: this.around.loops + 1 }, () => runLoop(this, node, store));
      case "for":
        return within(this, { loops: this.around.loops + 1 }, () => runFor(this, node, store));
      default:
        return runEvaluation(this, node, store);
    }
  }

  private define({ name, body }: Extract<Node, { kind: "function" }>, store: Store): Outcome {
    const known = this.definitions.get(body)?.found;
    const found = known ?? { name, body };
    store.functions = store.functions.with(name, { bodies: [found], open: false });
    if (!known) this.definitions.set(body, { found, store: store.fork() });
    return ends(store, "ok");
  }

  private subshell({ body, background }: Extract<Node, { kind: "subshell" }>, store: Store): Outcome {
    const child = store.fork();
    child.endings = [];
    const tail = this.around.tail && background !== true;
    const ended = within(this, { tail }, () => runEndings(this, this.exec(body, child)));
    const last = endsOf(ended);
    if (last) {
      store.printed = last.printed;
      store.input = last.input;
      store.read = last.read;
      store.blamed = last.blamed;
    }
    return ends(store, background ? "ok" : statusOf(ended));
  }

  substitute(script: Sequence, store: Store, input?: Input): Substituted {
    const child = store.fork();
    child.endings = [];
    child.printed = blank;
    if (input !== undefined) {
      child.input = input;
      child.read = 0;
    }
    // Outside of POSIX mode a substitution does not end at its first failure.
    if (child.option("errexit") === "on") child.setOption("errexit", "either");
    const ended = within(this, { tail: false, merged: false }, () => runEndings(this, this.exec(script, child)));
    return { tape: endsOf(ended)?.printed ?? blank, status: statusOf(ended) };
  }

  record(draft: Draft, store: Store): void {
    this.drafts.push(draft);
    if (this.drafts.length > limits.shellCommands) this.exceeded("the text has more commands than can be analysed");
    // A filter copies its input: chains of them share the budget of text.
    if (draft.input?.atom && draft.output?.atom) this.spend(draft.output.atom.text.length);
    if (store.printed && draft.analysed !== true) store.printed = printed(store.printed, printedBy(draft));
  }

  link(writer: number, reader: number): void {
    const from = this.drafts[writer];
    const to = this.drafts[reader];
    if (!from || !to || to.pipedFrom >= 0) return;
    to.pipedFrom = writer;
    if (from.pipedTo < 0) from.pipedTo = reader;
  }

  /** Runs a whole text, then the traps at the shell's end, and functions that nothing in the text calls. */
  whole(tree: Sequence, store: Store): void {
    runEndings(this, this.exec(tree, store));
    for (const { found, store: known } of this.definitions.values()) {
      if (this.called.has(found.body)) continue;
      this.called.add(found.body);
      const child = known.fork();
      child.frames = [...child.frames, new Map()];
      child.printed = undefined;
      const calls = [{ body: found.body, arguments: "", any: true }];
      within(this, { grade: "maybe", tail: false, ignoring: true, calls }, () => behind(this.exec(found.body, child)));
    }
  }
}

/** Commands whose failure ends a shell under `set -e`; a list fails by a command in it. */
const single: ReadonlySet<Node["kind"]> = new Set(["simple", "pipeline", "subshell", "evaluation", "redirected"]);
