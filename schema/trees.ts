import type { EffectKind, Effects } from "./facts.ts";
import type { FileSystem } from "./files.ts";
import type { Environment } from "./judged-event.ts";

/** Tests that may hold for a place in any folder: globs, and the class of secrets. */
export interface FloatingSet {
  readonly globs: readonly string[];
  readonly secret: boolean;
}

/** Those of a plan for one event and tool, all together and for each kind of effects that some look at. */
export interface FloatingTests extends FloatingSet {
  /** Names them all. */
  readonly digest: string;
  readonly byKind: ReadonlyMap<EffectKind, FloatingSet>;
}

/** What a look at the disk answered, as data: an observation. */
export interface TreeAnswer {
  /** The first path that each test found, below the root; one that ends in `/` is a folder. */
  readonly found: readonly string[];
  /** Why not all was seen. */
  readonly why?: string;
}

/** What was asked: a folder in both forms, what is taken of it, and the tests. */
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
  /** Nobody knows what lies there, since neither a disk nor a record says it. */
  notKnown(): void;
}

/** What the engine needs of the language and of facts to ask the disk about folders (decision 27). */
export interface TreeVocabulary {
  /** What a call of a function tests, by its constant texts, that may lie in any folder. */
  floating(id: string, texts: readonly string[]): FloatingSet;
  /** The effects of a call with what the disk says; the very same ones where no test asks it. */
  contents(
    effects: Effects,
    tests: FloatingTests,
    environment: Environment,
    files: FileSystem,
    answers: TreeAnswers,
  ): Effects;
}
