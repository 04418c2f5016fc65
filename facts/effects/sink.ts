import { Approximation, type Text } from "../../schema/approximation.ts";
import type {
  DeleteEffect,
  Doubt,
  EffectBase,
  Effects,
  InstallEffect,
  NetworkEffect,
  PathValue,
  PushEffect,
  ReadEffect,
  RunEffect,
  RunSource,
  TargetEffect,
  TreeTakes,
  UrlValue,
  WriteEffect,
} from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { otherwiseServed, partlyKnownUrl, unreadable } from "../network/partly.ts";
import { parseTarget } from "../network/url.ts";
import { pinned } from "../programs/pinned.ts";
import type { PushReport, ReadOptions, Reporter, TreeChange } from "../programs/program.ts";
import { type Field, literalField, piecesOf, rewritten } from "../shell/fields.ts";
import { CurrentBranch } from "./current-branch.ts";
import { repositoryOf } from "./repository.ts";
import { decoded, isSocket, socketField } from "./sockets.ts";
import { type Tree, wholeOf } from "./trees.ts";
import { type KnownPath, WordPaths } from "./word-paths.ts";

/** The command or tool whose effects are being reported. */
export interface Cause {
  readonly via: string;
  /** Index of the command, or -1. */
  readonly command: number;
  readonly cwd: string;
  /** True if the effects are known, not guessed. */
  readonly certain: boolean;
  /** False where a branch or a jump of the text may leave it out. */
  readonly reached?: boolean;
  /** Scheme that the program assumes for an address without one. */
  readonly scheme?: string;
  /** Source of the code that the program runs. */
  readonly source?: RunSource;
}

const placed = true;
const reachable = true;
const written = true;
const noUrl: UrlValue = { kind: "url", text: "", scheme: "", host: "", port: "", path: "", query: "", userinfo: "" };

/** Returns the part of a folder that a word means. A recursive effect on each entry leaves nothing out. */
function takenOf({ beneath, takes }: Field, recursive: boolean): TreeTakes | undefined {
  return beneath && recursive ? undefined : takes;
}

/**
 * Collects the effects of one call. An unknown path or address makes its effect uncertain. More than `limits.effects` effects
 * make the call not understood. Source: language section 4.
 */
export class Sink implements Reporter {
  readonly reads: ReadEffect[] = [];
  readonly writes: WriteEffect[] = [];
  readonly deletes: DeleteEffect[] = [];
  readonly runs: RunEffect[] = [];
  readonly networks: NetworkEffect[] = [];
  readonly installs: InstallEffect[] = [];
  readonly pushes: PushEffect[] = [];
  readonly configs: TargetEffect[] = [];
  readonly kills: TargetEffect[] = [];
  readonly doubts: Doubt[] = [];
  /** Folders whose content changes as a whole. They are not effects (`guarded.ts`). */
  private readonly trees: Tree[] = [];
  private guarded = { deletes: 0, writes: 0, trees: 0 };
  readonly paths: WordPaths;
  /** How many effects of the current cause are not certain. */
  uncertain = 0;
  /** The first bound over which something that runs now or later was not read. */
  private unread: string | undefined;
  private count = 0;
  /** The writes of the current cause, by their paths. */
  private readonly writtenAt = new Map<string, number>();
  private cause: Cause = { via: "", command: -1, cwd: "", certain: true };
  readonly files: FileSystem;
  readonly branch: CurrentBranch;

  constructor(environment: Environment, files: FileSystem) {
    this.branch = new CurrentBranch(environment, files);
    this.files = files;
    this.paths = new WordPaths(environment, files);
  }

  begin(cause: Cause): void {
    this.cause = cause;
    this.uncertain = 0;
    if (this.writtenAt.size > 0) this.writtenAt.clear();
  }

  get overflown(): boolean {
    return this.count > limits.effects;
  }

  /** Reason why the call is not understood: its effects, or a text that it writes, exceed a bound. */
  get over(): string | undefined {
    return this.overflown ? "the call has more effects than can be listed" : this.unread;
  }

  /** Counts one separately added effect; false if no more can be listed. */
  takeOne(): boolean {
    if (this.count >= limits.effects) return false;
    this.count += 1;
    return true;
  }

  /** Records that a text that runs now or later is over a bound, so that the call's effects are not known. */
  notRead(reason: string): void {
    this.unread ??= reason;
  }

  effects(): Effects {
    const { reads, writes, deletes, runs, installs, pushes, kills } = this;
    return { reads, writes, deletes, runs, network: this.networks, installs, pushes, config: this.configs, kills };
  }

  /** The path of a word, or undefined for a stream and an empty word. */
  path(field: Field): KnownPath | undefined {
    return this.paths.of(field, this.cause.cwd);
  }

  resolve(text: string, cwd: string, pattern: boolean): PathValue {
    return this.paths.resolve(text, cwd, pattern);
  }

  /** Counts one effect; whether it is certain. Effects name each field, since a spread costs more than the rest. */
  private sure(certain: boolean): boolean {
    spend(4);
    this.count += 1;
    const sure = certain && this.cause.certain;
    if (!sure) this.uncertain += 1;
    return sure;
  }

  private get room(): boolean {
    spend(1);
    if (this.count <= limits.effects) return true;
    this.count += 1;
    return false;
  }

  read(field: Field, options: ReadOptions = {}): void {
    const path = this.room && this.path(field);
    if (!path) return;
    const sure = options.certain !== false && options.perhaps !== true;
    const before = this.uncertain;
    const certain = this.sure(path.certain && sure);
    // Doubt about which file is read is no doubt about the command: an allow for it allows its reads. A word that may be several is
    // a doubt.
    if (options.certain !== false && (path.certain || path.one)) this.uncertain = before;
    const { via, command } = this.cause;
    const { recursive = false, metadata = false, takes } = options;
    const value =
      (recursive || field.beneath) && !metadata
        ? wholeOf(path.value, field, takes ?? takenOf(field, recursive))
        : path.value;
    const read = { path: value, recursive, metadata_only: metadata, via, certain, command };
    this.reads.push(this.graded(this.isPlaced(path, sure) ? { ...read, placed } : read));
  }

  write(field: Field, certain = true): void {
    const path = this.room && this.path(field);
    if (!path) return;
    const value = field.beneath ? wholeOf(path.value, field, field.takes) : path.value;
    this.written(value, path.certain && certain, this.isPlaced(path, certain));
  }

  /** Reports a link that is made at a place: its target is not written. */
  link(field: Field): void {
    const path = this.room && this.path(field);
    if (path) this.written(this.paths.ofLink(path.value), path.certain, this.isPlaced(path, true));
  }

  /** Reports the parent folders that a path creates if they may be missing. Each is a possible write. */
  folders(field: Field): void {
    const path = this.room && this.path(field);
    if (!path || path.value.partly || path.value.pattern) return;
    const before = this.uncertain;
    for (const folder of this.paths.missingAbove(path.value)) this.written(folder, false, path.certain);
    this.uncertain = before;
  }

  /** True for an effect that surely happens, at a single place that is uncertain or partly known. */
  private isPlaced(path: KnownPath, sure: boolean): boolean {
    return sure && this.cause.certain && path.one && !path.certain;
  }

  /** An effect that may not be reached is not certain, but its place is known. */
  private graded<T extends EffectBase>(effect: T): T {
    return this.cause.reached === false && effect.certain ? { ...effect, certain: false, placed, reachable } : effect;
  }

  private written(path: PathValue, sure: boolean, isPlaced = false): void {
    if (path.lexical.endsWith("/.git/HEAD")) this.branch.moves(undefined);
    const certain = this.sure(sure);
    const { via, command } = this.cause;
    this.writtenAt.set(path.lexical, this.writes.length);
    const write = { path, recursive: false, via, certain, command };
    this.writes.push(this.graded(isPlaced && this.cause.certain ? { ...write, placed } : write));
  }

  tree(folder: Field, how: TreeChange, patch?: Field): void {
    const path = this.room && this.path(folder);
    if (!path || this.trees.length >= limits.effects) return;
    const { via, command } = this.cause;
    const file = patch && this.path(patch)?.value.real;
    const tree = { path: path.value, how, via, command, certain: path.certain && this.cause.certain };
    this.trees.push(file === undefined ? tree : { ...tree, patch: file });
    if (how === "replaced" || how === "perhaps") this.filled(path.value, folder);
  }

  /** Marks the listed write of a folder as recursive when the folder is filled as a whole. */
  private filled(path: PathValue, folder: Field): void {
    const at = this.writtenAt.get(path.lexical);
    const listed = at === undefined ? undefined : this.writes[at];
    if (listed?.recursive === false)
      this.writes[at as number] = { ...listed, path: wholeOf(path, folder), recursive: true };
  }

  repository(folder: Field): string {
    return repositoryOf(this.path(folder)?.value.real ?? "", this.files);
  }

  /** True if an effect reported before writes or deletes the file, or a folder above it as a whole. */
  hasWritten({ lexical, real }: PathValue): boolean {
    spend(1 + this.writes.length + this.deletes.length);
    return [...this.writes, ...this.deletes].some(({ path, recursive }) =>
      [path.lexical, path.real].some(
        (one) => one === lexical || one === real || (recursive && [lexical, real].some((p) => p.startsWith(`${one}/`))),
      ),
    );
  }

  /** Returns deletes, writes and trees reported since the last call; the search for files that guard the call asks for them. */
  unguarded(): { deletes: readonly DeleteEffect[]; writes: readonly WriteEffect[]; trees: readonly Tree[] } {
    const { deletes, writes, trees } = this.guarded;
    this.guarded = { deletes: this.deletes.length, writes: this.writes.length, trees: this.trees.length };
    return {
      deletes: this.deletes.slice(deletes),
      writes: this.writes.slice(writes),
      trees: this.trees.slice(trees),
    };
  }

  writeInside(target: Field, inside: Field, sure: boolean, tree = false): void {
    const folder = this.room ? this.path(target) : undefined;
    const kind = folder && !sure ? this.paths.kindAt(folder.value) : "directory";
    if (kind === "directory") this.write(inside);
    else if (kind !== "file") {
      const path = this.path(inside);
      const before = this.uncertain;
      if (path) this.written(path.value, false, path.one);
      this.uncertain = before;
    }
    if (!tree) return;
    this.tree(inside, "replaced");
    if (kind !== "directory") this.tree(target, "perhaps");
  }

  mayBeFolder(field: Field): boolean {
    const path = this.path(field);
    return !path?.certain || this.paths.kindAt(path.value) !== "file";
  }

  delete(field: Field, recursive: boolean, sure = true): void {
    const path = this.room && this.path(field);
    if (!path) return;
    const certain = this.sure(path.certain && sure);
    const { via, command } = this.cause;
    const value = recursive || field.beneath ? wholeOf(path.value, field, takenOf(field, recursive)) : path.value;
    const deleted = { path: value, recursive, via, certain, command };
    this.deletes.push(this.graded(this.isPlaced(path, sure) ? { ...deleted, placed } : deleted));
  }

  run(target: Text, sure = true, from?: RunSource): void {
    if (!this.room) return;
    const certain = this.sure(sure);
    const { via, command, source = "" } = this.cause;
    this.runs.push(this.graded({ target, source: from ?? source, via, certain, command }));
  }

  network(target: Field | string, direction: NetworkEffect["direction"], sure: boolean | "later" = true): void {
    if (!this.room) return;
    const text = typeof target === "string" ? target : target.text;
    if (isSocket.test(text)) return this.write(socketField(target, text), sure === true);
    const scheme = this.cause.scheme ?? "https";
    const guess = parseTarget(text, scheme);
    const now = sure === true;
    if (guess?.scheme === "file" && guess.path !== "") this.fileAt(target, guess.path, direction, now);
    const field = typeof target !== "string" && target.kind === "unknown" ? target : undefined;
    const certain = this.sure(now && !field);
    const { via, command } = this.cause;
    const url = guess ?? { ...noUrl, text };
    const known = guess ? otherwiseServed(guess) : unreadable(text);
    const partly = field ? partlyKnownUrl(piecesOf(field), scheme) : known;
    const effect: NetworkEffect = { url: partly ? { ...url, partly } : url, direction, via, certain, command };
    // A word that may split into several could name several addresses.
    const isPlaced = !certain && sure !== false && this.cause.certain && field?.open !== true;
    this.networks.push(this.graded(isPlaced ? { ...effect, placed } : effect));
  }

  /** Reports a request to an address of this machine's own files: a download reads the file, an upload writes it. */
  private fileAt(target: Field | string, path: string, direction: NetworkEffect["direction"], sure: boolean): void {
    const field =
      typeof target !== "string" && target.kind === "unknown"
        ? rewritten(target, (text) => decoded(parseTarget(text)?.path ?? text))
        : literalField(decoded(path), { start: -1, end: -1 });
    if (direction !== "upload") this.read(field, { certain: sure });
    if (direction !== "download") this.write(field, sure);
  }

  install(manager: string, source: Text, name: Text, version?: string): void {
    if (!this.room) return;
    const certain = this.sure(true);
    const { via, command } = this.cause;
    this.installs.push(
      this.graded({ manager, source, name, pinned: pinned(manager, source, name, version), via, certain, command }),
    );
  }

  /** Reports a package that the next install will fetch, because a file now names it. */
  mayInstall(manager: string, source: string, name: string): void {
    if (!this.room) return;
    const before = this.uncertain;
    const certain = this.sure(false);
    // An uncertain install raises no doubt about the call.
    this.uncertain = before;
    const { via, command } = this.cause;
    this.installs.push({
      manager,
      source,
      name,
      pinned: pinned(manager, source, name),
      via,
      certain,
      command,
      written,
    });
  }

  push(push: PushReport): void {
    if (!this.room) return;
    const { remote, forced, mirror, folder } = push;
    const place = folder ? (this.path(folder)?.value.lexical ?? "") : this.cause.cwd;
    const branch = push.branch ?? this.branch.of(place);
    const certain = this.sure(push.certain && (typeof branch === "string" || branch.form === "all"));
    const { via, command } = this.cause;
    const pushed = { remote, target: { branch }, forced, mirror, delete: push.delete, via, certain, command };
    this.pushes.push(this.graded(pushed));
  }

  onBranch(branch: Text | undefined): void {
    this.branch.moves(branch);
  }

  newTree(): void {
    this.branch.makes();
  }

  config(target: Text, certain = true): void {
    if (this.room) this.configs.push(this.targeted(target, certain));
  }

  kill(target: Text, certain = true): void {
    if (this.room) this.kills.push(this.targeted(target, certain));
  }

  private targeted(target: Text, sure: boolean): TargetEffect {
    const certain = this.sure(sure);
    const { via, command } = this.cause;
    const effect = { target, via, certain, command };
    // The effect surely happens, to a partly known target.
    const isPlaced = !certain && this.cause.certain && target instanceof Approximation;
    return this.graded(isPlaced ? { ...effect, placed } : effect);
  }

  doubt(reason: string): void {
    this.uncertain += 1;
    if (this.doubts.length < 64) this.doubts.push({ reason });
  }
}
