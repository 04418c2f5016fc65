import type { EffectBase, Effects, PathValue, TreeContent } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import type { FloatingSet, FloatingTests, TreeAnswer, TreeAnswers, TreeQuestion } from "../../schema/trees.ts";
import { metered, spend, spendText, unitsLeft } from "../meter.ts";
import { asksForSecrets, floatingClass, floatingClassTest, pathClass } from "./classes.ts";
import { asksDisk, compiled, glob, type MatchOptions, preparedKey, takesKey } from "./match.ts";
import { placeOf } from "./resolve.ts";
import { GlobIndex } from "./row-index.ts";
import { type Taking, takingOf } from "./tree-takes.ts";
import { type Seen, walkTree } from "./tree-walk.ts";
import { floats } from "./whole-trees.ts";

const treeKinds = ["reads", "writes", "deletes"] as const;
type PathEffect = EffectBase & { readonly path: PathValue };

/** One folder, or glob, of the call that a test asks the disk about. */
interface Asked {
  readonly effect: PathEffect;
  readonly path: PathValue;
  readonly tests: readonly string[];
}

/**
 * Returns the effects with the disk's content of folders that floating tests ask about; the same object where no test asks.
 * Each root is walked once for all tests and effects. Source: reach page, "Asking the disk".
 */
export function withContents(
  effects: Effects,
  tests: FloatingTests,
  environment: Environment,
  files: FileSystem,
  answers: TreeAnswers,
): Effects {
  const open = treeKinds.flatMap((kind) => {
    const own = tests.byKind.get(kind);
    const effectsOf = effects[kind] as readonly PathEffect[];
    return own ? effectsOf.filter(({ path }) => takesContent(path)).map((effect) => ({ effect, tests: own })) : [];
  });
  if (open.length === 0) return effects;
  const looks = new Looks(effects, tests, environment, files, answers);
  const contents = metered(
    limits.treeWork,
    () => looks.contents(open.flatMap((one) => askedOf(one.effect, one.tests, environment))),
    () => new Map(open.map((one) => [one.effect, unseenContent(one.effect.path, one.tests)])),
  );
  if (contents.size === 0) return effects;
  const told = <E extends PathEffect>(list: readonly E[]): E[] =>
    list.map((effect) => {
      const content = contents.get(effect);
      return content ? { ...effect, path: { ...effect.path, content } } : effect;
    });
  return { ...effects, reads: told(effects.reads), writes: told(effects.writes), deletes: told(effects.deletes) };
}

/**
 * True for a whole tree or a glob, whose content is looked up. A lone `/**`, which may be any path, has none: that path may not
 * exist yet.
 */
function takesContent({ tree, pattern, lexical }: PathValue): boolean {
  return (tree === true || pattern) && lexical !== "/**";
}

function askedOf(effect: PathEffect, { globs, secret }: FloatingSet, environment: Environment): Asked[] {
  const { path } = effect;
  spend(globs.length);
  const asking = askingGlobs(path, globs, optionsOf(environment));
  const tests = secret && asksForSecrets(path, environment) ? [...asking, floatingClassTest] : asking;
  return tests.length === 0 ? [] : [{ effect, path, tests }];
}

/** Globs that need a look at the disk, by list of globs: a plan uses the same list object for all its calls. */
const askingBefore = new WeakMap<readonly string[], Map<string, Asking>>();
const maxAsking = 500;

interface Asking {
  readonly globs: readonly string[];
  readonly cost: number;
}

function askingGlobs(path: PathValue, globs: readonly string[], options: MatchOptions): readonly string[] {
  if (path.holes || path.partly) return [];
  let known = askingBefore.get(globs);
  if (!known) {
    known = new Map();
    askingBefore.set(globs, known);
  }
  const key = `${options.home}\0${preparedKey(path)}`;
  const told = known.get(key);
  if (told) {
    spend(told.cost);
    return told.globs;
  }
  const before = unitsLeft();
  const asking = globs.filter((one) => asksDisk(path, one, options));
  if (known.size >= maxAsking) known.clear();
  known.set(key, { globs: asking, cost: before - unitsLeft() });
  return asking;
}

function optionsOf({ home, workspace, cwd }: Environment): MatchOptions {
  return { forms: "any", home: placeOf(home), workspace: placeOf(workspace || cwd) };
}

function unseenContent(path: PathValue, { globs, secret }: FloatingSet): TreeContent {
  const asked = new Set(secret ? [...globs, floatingClassTest] : globs);
  return { asked, found: [], unseen: `${shown(path)} (${tooMuchWork})` };
}

const tooMuchWork = "looking there takes too much work";

/** Looks at the disk for one payload. */
class Looks {
  readonly #effects: Effects;
  readonly #tests: FloatingTests;
  readonly #environment: Environment;
  readonly #files: FileSystem;
  readonly #answers: TreeAnswers;

  constructor(
    effects: Effects,
    tests: FloatingTests,
    environment: Environment,
    files: FileSystem,
    answers: TreeAnswers,
  ) {
    this.#effects = effects;
    this.#tests = tests;
    this.#environment = environment;
    this.#files = files;
    this.#answers = answers;
  }

  contents(asked: readonly Asked[]): Map<PathEffect, TreeContent> {
    const takers = new Map<string, Taker>();
    const fillers = asked.map((one) => fillersOf(one, this.#effects));
    for (const path of [...asked.map(({ path }) => path), ...fillers.flatMap(({ from }) => from)]) {
      const key = keyOf(path);
      if (!takers.has(key)) takers.set(key, new Taker(path, this.#tests, this.#environment));
    }
    this.#ask([...takers.values()]);
    const contents = new Map<PathEffect, TreeContent>();
    for (const [i, one] of asked.entries()) {
      const { from, unseen } = fillers[i] as Fillers;
      const own = [one.path, ...from].map((path) => takers.get(keyOf(path)) as Taker);
      const found = own.flatMap((taker) => taker.found);
      found.push(...writtenIn(one, this.#effects, own[0] as Taker));
      const why = own.map(({ why }) => why).find((each) => each !== undefined) ?? unseen;
      const content = { asked: new Set(one.tests), found };
      contents.set(one.effect, why === undefined ? content : { ...content, unseen: `${shown(one.path)} (${why})` });
    }
    return contents;
  }

  /** Asks once for each root: first the record, then the disk. */
  #ask(takers: readonly Taker[]): void {
    for (const taker of takers.slice(limits.trees))
      taker.why = `the call has more than ${limits.trees} folders to look into`;
    const open = takers.slice(0, limits.trees).filter((taker) => {
      const known = this.#answers.known(taker.question);
      if (known) taker.take(known);
      return !known;
    });
    if (!this.#files.list) {
      for (const taker of open) taker.why = "the disk is not known";
      if (open.length > 0) this.#answers.notKnown();
      return;
    }
    for (const group of byRoot(open)) {
      this.#walk(group);
      for (const taker of group) this.#answers.keep(taker.question, taker.answer);
    }
  }

  #walk(group: readonly Taker[]): void {
    const takes = group.map(({ path }) => path.takes?.what ?? "all");
    const walk = {
      root: (group[0] as Taker).taking.root[1],
      hidden: takes.some((what) => what !== "visible"),
      ignored: takes.some((what) => what === "all" || what === "sources"),
      ignores: takes.some((what) => what === "visible" || what === "tracked"),
      entered: literalNames(this.#tests.globs),
    };
    const visit = (seen: Seen): boolean => {
      let more = false;
      for (const taker of group) more = taker.see(seen) || more;
      return more;
    };
    const why = metered(
      limits.treeWork,
      () => walkTree(walk, this.#files, visit),
      () => tooMuchWork,
    );
    for (const taker of group) if (taker.wants) taker.why ??= why;
  }
}

function byRoot(takers: readonly Taker[]): readonly (readonly Taker[])[] {
  const groups = new Map<string, Taker[]>();
  for (const taker of takers) {
    const [, root] = taker.taking.root;
    const known = groups.get(root);
    if (known) known.push(taker);
    else groups.set(root, [taker]);
  }
  return [...groups.values()];
}

/** Names that globs spell. */
function literalNames(globs: readonly string[]): ReadonlySet<string> {
  return new Set(globs.flatMap((one) => one.split("/").filter((part) => part !== "" && !/[*?[{\\]/.test(part))));
}

/** Returns a key that is equal for paths of a call with the same question. */
function keyOf({ lexical, real, takes, pattern, tree }: PathValue): string {
  spendText(lexical.length + real.length);
  const how = takes !== undefined || pattern ? `${takes ? takesKey(takes) : ""} ${pattern} ${tree === true}` : "";
  return JSON.stringify([lexical, real, how]);
}

function questionOf(path: PathValue, { digest }: FloatingTests): TreeQuestion {
  const { lexical, real, takes, pattern, tree } = path;
  const special = takes !== undefined || pattern;
  return {
    root: lexical,
    ...(real !== lexical && { real }),
    ...(special && { takes: JSON.stringify({ ...takes, ...(pattern && { glob: true, tree: tree === true }) }) }),
    tests: digest,
  };
}

/** Collects the entries of a folder that one path of the call takes and that tests find. */
class Taker {
  readonly path: PathValue;
  readonly #tests: FloatingTests;
  readonly taking: Taking;
  readonly found: PathValue[] = [];
  why: string | undefined;
  readonly #names: string[] = [];
  readonly #environment: Environment;
  readonly #options: MatchOptions;
  #globs: readonly string[];
  #secret: boolean;
  #index: GlobIndex;

  constructor(path: PathValue, tests: FloatingTests, environment: Environment) {
    this.path = path;
    this.#tests = tests;
    this.taking = takingOf(path);
    this.#environment = environment;
    this.#options = optionsOf(environment);
    this.#globs = tests.globs;
    this.#secret = tests.secret;
    this.#index = new GlobIndex(tests.globs);
  }

  /** The question to the disk, in the form that records have. */
  get question(): TreeQuestion {
    return questionOf(this.path, this.#tests);
  }

  /** True while some test has found nothing. */
  get wants(): boolean {
    return this.#globs.length > 0 || this.#secret;
  }

  get answer(): TreeAnswer {
    return this.why === undefined ? { found: this.#names } : { found: this.#names, why: this.why };
  }

  /** Adds an earlier answer. */
  take({ found, why }: TreeAnswer): void {
    for (const name of found) this.found.push(this.#beneath(name.replace(/\/$/, ""), name.endsWith("/")));
    this.why = why;
  }

  /** Looks at one entry; false once nothing more is wanted. */
  see(seen: Seen): boolean {
    if (!this.wants || this.#names.length >= limits.treeFound) return false;
    if (!this.taking.takes(seen)) return true;
    if (seen.kind === "symlink" && this.path.takes?.follows)
      this.why ??= `${seen.names.join("/")} is a link that is followed`;
    const isFolder = seen.kind === "directory";
    const name = seen.names.join("/");
    const one = this.#beneath(name, isFolder);
    if (!this.#passes(one)) return true;
    this.found.push(one);
    this.#names.push(isFolder ? `${name}/` : name);
    if (this.#names.length < limits.treeFound) return this.wants;
    this.why ??= `tests find more than ${limits.treeFound} paths there`;
    return false;
  }

  /** True if a test finds a path; it then looks for no more. */
  #passes(one: PathValue): boolean {
    const isSecret = this.#secret && pathClass(floatingClass, one, this.#environment, "any");
    const hit = this.#globs.length > 0 && this.#index.matches(one, this.#options);
    if (!isSecret && !hit) return false;
    if (isSecret) this.#secret = false;
    if (hit) {
      this.#globs = this.#globs.filter((test) => !glob(one, test, this.#options));
      this.#index = new GlobIndex(this.#globs);
    }
    return true;
  }

  #beneath(name: string, isFolder: boolean): PathValue {
    const [lexical, real] = this.taking.root.map((root) => `${root === "/" ? "" : root}/${name}`) as [string, string];
    const { fold } = this.path;
    const one: PathValue = { kind: "path", text: lexical, lexical, real, pattern: false, fold };
    return isFolder ? { ...one, tree: true } : one;
  }
}

/** The sources that fill a folder before the call takes it. */
interface Fillers {
  /** Folders that are copied or moved there. */
  readonly from: readonly PathValue[];
  /** Something else fills it. */
  readonly unseen: string | undefined;
}

/** Finds the sources that earlier commands copied into a folder as a whole; the content of a copy is looked up at its source. */
function fillersOf({ effect, path }: Asked, { reads, writes, deletes }: Effects): Fillers {
  const from: PathValue[] = [];
  let unseen: string | undefined;
  spend(writes.length);
  for (const write of writes) {
    if (!write.path.tree || write.path === path || !isBefore(write, effect) || !overlap(write.path, path)) continue;
    spend(reads.length + deletes.length);
    const sources = [...reads, ...deletes].filter(({ command, path: own }) => command === write.command && own.tree);
    if (sources.length === 0) unseen ??= `\`${write.via}\` fills it`;
    for (const source of sources) if (!source.path.partly) from.push({ ...source.path, ...takenOf(path) });
  }
  return { from, unseen };
}

/** Returns which part of a copy is taken: the same as of the folder that contains it. */
function takenOf({ takes }: PathValue): Pick<PathValue, "takes"> {
  return takes ? { takes } : {};
}

function isBefore(write: EffectBase, effect: EffectBase): boolean {
  return write.command < 0 || effect.command < 0 || write.command < effect.command;
}

function overlap(a: PathValue, b: PathValue): boolean {
  const [one, other] = [takingOf(a).root[1], takingOf(b).root[1]];
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** Paths that the call itself writes into the folder: they lie there when it is taken. */
function writtenIn({ path }: Asked, { writes }: Effects, { taking }: Taker): PathValue[] {
  spend(writes.length);
  const [lexical, real] = taking.root;
  return writes.flatMap(({ path: own }) => {
    if (own === path || own.pattern || own.partly || own.loose) return [];
    // A link that the call creates lies at one path and leads to another.
    const names = below(own.lexical, lexical) ?? below(own.real, real);
    if (!names) return [];
    const hidden = names.some((name) => name.startsWith("."));
    const seen: Seen = { names, kind: own.tree ? "directory" : "file", hidden, ignored: { search: false, git: false } };
    return taking.takes(seen) ? [own] : [];
  });
}

/** Returns the names of a path below a folder; undefined if it lies elsewhere. */
function below(path: string, folder: string): string[] | undefined {
  if (path === folder || !isWithin(path, folder)) return undefined;
  return path
    .slice(folder.length)
    .split("/")
    .filter((part) => part !== "");
}

function shown({ lexical }: PathValue): string {
  return `what lies in ${lexical}`;
}

/** True for a glob with an alternative that names no fixed place, wherever the home folder lies. */
export function isFloatingGlob(pattern: string): boolean {
  return compiled(pattern, "/home", false)?.some(floats) === true;
}
