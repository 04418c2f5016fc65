import type { Effects, FactSet, PathValue } from "../schema/facts.ts";
import type { AuditBody, RecordedTree } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { FileSystem } from "../schema/ports.ts";
import type { TreeAnswer, TreeAnswers, TreeQuestion } from "../schema/trees.ts";
import { canonicalJson } from "./canonical.ts";
import { floatingTests } from "./floating-tests.ts";
import type { LinkedPlan } from "./link-plan.ts";

/** Events that ask the disk: calls that are still to happen. */
const calls: ReadonlySet<string> = new Set(["tool_call", "user_bash", "user_python"]);

/** Answers of the disk, or of a record of it, about the folders of one event. */
export class EventTrees implements TreeAnswers {
  readonly #recorded: ReadonlyMap<string, RecordedTree>;
  readonly #asked = new Map<string, RecordedTree>();
  /** Neither a disk nor the record says what lies in some folder. */
  unseen = false;

  constructor(recorded: ReadonlyMap<string, RecordedTree> = noTrees) {
    this.#recorded = recorded;
  }

  known(question: TreeQuestion): TreeAnswer | undefined {
    const key = canonicalJson(question);
    const known = this.#asked.get(key) ?? this.#recorded.get(key);
    if (known) this.#asked.set(key, known);
    return known;
  }

  keep(question: TreeQuestion, { found, why }: TreeAnswer): void {
    const complete = why === undefined;
    const answer = { ...question, found: [...found], complete, ...(!complete && { why }) };
    this.#asked.set(canonicalJson(question), answer);
  }

  notKnown(): void {
    this.unseen = true;
  }

  /** The answers on which the decision depends; undefined for most decisions, which ask nothing. */
  get observed(): RecordedTree[] | undefined {
    return this.#asked.size === 0 ? undefined : [...this.#asked.values()];
  }
}

const noTrees: ReadonlyMap<string, RecordedTree> = new Map();

/** Answers about folders as a record has them, for judging its event again. One that is on record in part is left out. */
export function treesOf({ observations }: Pick<AuditBody, "observations">): ReadonlyMap<string, RecordedTree> {
  const given = Object.hasOwn(observations, "trees") ? observations.trees : undefined;
  if (!given) return noTrees;
  return new Map(
    given
      .filter(({ partial }) => !partial)
      .map((tree) => {
        const { found: _, complete: _complete, why: _why, ...question } = tree;
        return [canonicalJson(question), tree];
      }),
  );
}

/** True for a record whose decision rests on an answer that it has in part. */
export function hasPartialTrees({ observations }: Pick<AuditBody, "observations">): boolean {
  return (observations.trees ?? []).some(({ partial }) => partial === true);
}

/** Returns a masked answer; `partial` if masking changed it, because a replay would then differ. */
export function maskedTree(before: RecordedTree, after: RecordedTree | undefined): RecordedTree {
  if (after && canonicalJson(before) === canonicalJson(after)) return before;
  return { ...withheld, ...after, tests: before.tests, complete: before.complete, partial: true };
}

const withheld = { root: "(withheld)", found: [] };

/**
 * Returns the facts of a call with the disk's answers about folders for the plan's floating tests; the same object if no test
 * asks. It runs whenever facts are made, whichever rules an index selects, so that the disk gets the same questions.
 */
export function askedFacts(
  plan: Pick<LinkedPlan, "plan" | "vocabulary">,
  event: JudgedEvent,
  facts: FactSet,
  files: FileSystem,
  trees: TreeAnswers,
): FactSet {
  const ask = (given: FactSet): FactSet => {
    const { effects } = calls.has(event.event) ? given : noEffects;
    const tests = effects && hasFolders(effects) ? floatingTests(plan, event) : undefined;
    const told = effects && tests && plan.vocabulary.trees?.contents(effects, tests, event.environment, files, trees);
    // Facts of further readings look up folders separately.
    const beside = plan.plan.declared !== undefined || given.supposed !== undefined;
    return (told && told !== effects) || beside ? new AskedFacts(given, told || effects, ask) : given;
  };
  return ask(facts);
}

const allTold: NonNullable<FactSet["untold"]> = new Set();
const noEffects = { effects: undefined };
const kinds = ["reads", "writes", "deletes"] as const;

function hasFolders(effects: Effects): boolean {
  for (const kind of kinds) for (const { path } of effects[kind]) if (path.tree || path.pattern) return true;
  return false;
}

/** Facts of a call whose effects say what lies in the folders that it takes. */
class AskedFacts implements FactSet {
  readonly effects: Effects | undefined;
  readonly approximate: FactSet["approximate"];
  readonly #facts: FactSet;
  readonly #ask: (facts: FactSet) => FactSet;

  constructor(facts: FactSet, effects: Effects | undefined, ask: (facts: FactSet) => FactSet) {
    this.#facts = facts;
    this.#ask = ask;
    this.effects = effects ?? facts.effects;
    const unseen = kinds.filter((kind) =>
      (effects?.[kind] as readonly { path: PathValue }[] | undefined)?.some(isUnseen),
    );
    this.approximate = unseen.length === 0 ? facts.approximate : new Set([...(facts.approximate ?? []), ...unseen]);
  }

  get understanding(): FactSet["understanding"] {
    return this.#facts.understanding;
  }

  get doubts(): FactSet["doubts"] {
    return this.#facts.doubts;
  }

  get shell(): FactSet["shell"] {
    return this.#facts.shell;
  }

  get secrets(): FactSet["secrets"] {
    return this.#facts.secrets;
  }

  get text(): FactSet["text"] {
    return this.#facts.text;
  }

  get untold(): NonNullable<FactSet["untold"]> {
    return this.#facts.untold ?? allTold;
  }

  get further(): FactSet["further"] {
    const { further } = this.#facts;
    return further && this.#ask(further);
  }

  get supposed(): FactSet["supposed"] {
    const { supposed } = this.#facts;
    return supposed && this.#ask(supposed);
  }

  get supposes(): FactSet["supposes"] {
    return this.#facts.supposes;
  }

  get scripts(): FactSet["scripts"] {
    return this.#facts.scripts;
  }

  get unseen(): FactSet["unseen"] {
    return this.#facts.unseen;
  }

  get carried(): NonNullable<FactSet["carried"]> {
    return this.#facts.carried ?? [];
  }
}

function isUnseen({ path }: { readonly path: PathValue }): boolean {
  return path.content?.unseen !== undefined;
}
