import type { EffectKind, Effects } from "./facts.ts";
import type { FileSystem } from "./files.ts";
import type { Environment } from "./judged-event.ts";

/** Tests that may hold for a place in any folder: globs, and the class of secrets. */
export interface FloatingSet {
  readonly globs: readonly string[];
  readonly secret: boolean;
}

/** Floating tests of a plan for one event and tool, in total and for each kind of effect that some of them read. */
export interface FloatingTests extends FloatingSet {
  /** Names them all. */
  readonly digest: string;
  readonly byKind: ReadonlyMap<EffectKind, FloatingSet>;
}

/** Answer of a look at the disk, as data: an observation. */
export interface TreeAnswer {
  /** The first path that each test found, below the root; one that ends in `/` is a folder. */
  readonly found: readonly string[];
  /** Why not all was seen. */
  readonly why?: string;
}

/** Question to the disk: a folder in both forms, the part of it that is taken, and the tests. */
export interface TreeQuestion {
  readonly root: string;
  readonly real?: string;
  readonly takes?: string;
  readonly tests: string;
}

/** Keeps answers of one event: those on record, and those that the disk gave. */
export interface TreeAnswers {
  known(question: TreeQuestion): TreeAnswer | undefined;
  keep(question: TreeQuestion, answer: TreeAnswer): void;
  /** Records that the content is not known, since neither a disk nor a record tells it. */
  notKnown(): void;
}

/** Parts of the language and of facts that the engine needs to ask the disk about folders (decision 27). */
export interface TreeVocabulary {
  /** Returns the tests of a function call, by its constant texts, that may hold in any folder. */
  floating(id: string, texts: readonly string[]): FloatingSet;
  /** Returns the effects of a call with the disk's answers; the same object where no test asks the disk. */
  contents(
    effects: Effects,
    tests: FloatingTests,
    environment: Environment,
    files: FileSystem,
    answers: TreeAnswers,
  ): Effects;
}
