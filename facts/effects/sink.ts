import {
  type DeleteEffect,
  type Doubt,
  type EffectBase,
  type EffectKind,
  type Effects,
  effectKinds,
  type InstallEffect,
  type NetworkEffect,
  type PathValue,
  type PushEffect,
  type ReadEffect,
  type RunEffect,
  type RunSource,
  type SureNetwork,
  type TargetEffect,
  type UrlValue,
  type WriteEffect,
} from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { fixedHost, parseTarget } from "../network/url.ts";
import { resolvePath } from "../paths/resolve.ts";
import type { PushReport, ReadOptions, Reporter } from "../programs/program.ts";
import { beginsUnknown, type Field, isNameless, knownBeginning, literalField } from "../shell/fields.ts";

/** What the effects being reported belong to. */
export interface Cause {
  readonly via: string;
  /** Index of the command, or -1. */
  readonly command: number;
  readonly cwd: string;
  readonly certain: boolean;
  /** Scheme that the program assumes for an address without one. */
  readonly scheme?: string;
  /** Where the code comes from that the program runs. */
  readonly source?: RunSource;
}

interface KnownPath {
  readonly value: PathValue;
  readonly certain: boolean;
}

/** Streams and the like: reading or writing them touches no file. */
const streams = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;
/** Kinds of effects that matter here also when they happen on another machine. */
const reaching: ReadonlySet<EffectKind> = new Set<EffectKind>(["runs", "network", "installs", "pushes"]);
const noUrl: UrlValue = { kind: "url", text: "", scheme: "", host: "", port: "", path: "", query: "", userinfo: "" };

/** A path of an address without its percent signs, or as it stands where they are none. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What an effect is apart from who causes it. */
function identity(effect: EffectBase): string {
  return JSON.stringify({ ...effect, via: "", certain: false, command: -1 });
}

/**
 * Collects the effects of one call. A path or address that is not known makes its effect uncertain; an unknown
 * part of a path counts as empty, so `"$X/"` may be `/`, and a wholly unknown path may be `/` as well.
 * More than `limits.effects` effects make the call not understood. Source: language section 4.
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
  /** Links that the call itself makes: by path without letter case, what each names. */
  links: ReadonlyMap<string, string> | undefined;
  /** How many effects of the current cause are not certain. */
  uncertain = 0;
  private count = 0;
  private latest: { readonly field: Field; readonly cwd: string; readonly path: KnownPath | undefined } | undefined;
  private cause: Cause = { via: "", command: -1, cwd: "", certain: true };
  private readonly environment: Environment;
  private readonly files: FileSystem;

  constructor(environment: Environment, files: FileSystem) {
    this.environment = environment;
    this.files = files;
  }

  begin(cause: Cause): void {
    this.cause = cause;
    this.uncertain = 0;
  }

  get overflown(): boolean {
    return this.count > limits.effects;
  }

  effects(): Effects {
    const { reads, writes, deletes, runs, installs, pushes, kills } = this;
    return { reads, writes, deletes, runs, network: this.networks, installs, pushes, config: this.configs, kills };
  }

  /** The path of a word, or undefined for a stream and an empty word. One word is often read, written and shown. */
  path(field: Field): KnownPath | undefined {
    const { cwd } = this.cause;
    if (this.latest?.field === field && this.latest.cwd === cwd) return this.latest.path;
    const path = this.pathOf(field);
    this.latest = { field, cwd, path };
    return path;
  }

  private pathOf(field: Field): KnownPath | undefined {
    if (streams.test(field.text)) return undefined;
    if (field.text === "" && field.kind !== "unknown") return undefined;
    const { text } = field;
    // Folding has expanded what `~` there was: one that is left is a name.
    const plain = text === "" ? "/" : text.startsWith("~") && !field.tilde ? `./${text}` : text;
    const found = this.linked(this.resolve(plain, this.cause.cwd, field.glob));
    const value = beginsUnknown(field) ? { ...found, loose: true as const } : found;
    return { value, certain: field.kind !== "unknown" && (this.cause.cwd !== "" || /^[/~]/.test(plain)) };
  }

  /** The path with what it really names, where the call has made a link of it or of a folder above it. */
  private linked(path: PathValue): PathValue {
    if (!this.links) return path;
    const folded = path.lexical.toLowerCase();
    for (const [name, target] of this.links) {
      if (folded !== name && !folded.startsWith(`${name}/`)) continue;
      return { ...path, real: this.resolve(target + path.lexical.slice(name.length), "/", path.pattern).real };
    }
    return path;
  }

  resolve(text: string, cwd: string, pattern: boolean): PathValue {
    const { home, case_insensitive: fold } = this.environment;
    return resolvePath(text, { cwd, home, fold, pattern }, this.files);
  }

  /** Counts one effect; whether it is certain. Effects name each field, since a spread costs more than the rest. */
  private sure(certain: boolean): boolean {
    this.count += 1;
    const sure = certain && this.cause.certain;
    if (!sure) this.uncertain += 1;
    return sure;
  }

  private get room(): boolean {
    if (this.count <= limits.effects) return true;
    this.count += 1;
    return false;
  }

  read(field: Field, options: ReadOptions = {}): void {
    const path = this.room && this.path(field);
    if (!path) return;
    const certain = this.sure(path.certain && options.certain !== false);
    const { via, command } = this.cause;
    const { recursive = false, metadata = false } = options;
    // Of a folder without a name that is known nothing says that it is one above all others.
    const deep = recursive && !isNameless(field);
    this.reads.push({ path: path.value, recursive: deep, metadata_only: metadata, via, certain, command });
  }

  write(field: Field, certain = true): void {
    const path = this.room && this.path(field);
    if (path) this.written(path.value, path.certain && certain);
  }

  private written(path: PathValue, sure: boolean): void {
    const certain = this.sure(sure);
    const { via, command } = this.cause;
    this.writes.push({ path, via, certain, command });
  }

  writeInside(target: Field, inside: Field, sure: boolean): void {
    const folder = this.room ? this.path(target) : undefined;
    const kind = folder && !sure ? this.files.lookup(folder.value.real).kind : "directory";
    if (kind === "directory") this.write(inside);
    if (kind === "directory" || kind === "file") return;
    const path = this.path(inside);
    const before = this.uncertain;
    if (path) this.written(path.value, false);
    this.uncertain = before;
  }

  delete(field: Field, recursive: boolean, sure = true): void {
    const path = this.room && this.path(field);
    if (!path) return;
    const certain = this.sure(path.certain && sure);
    const { via, command } = this.cause;
    this.deletes.push({ path: path.value, recursive, via, certain, command });
  }

  run(target: string, sure = true, from?: RunSource): void {
    if (!this.room) return;
    const certain = this.sure(sure);
    const { via, command, source = "" } = this.cause;
    this.runs.push({ target, source: from ?? source, via, certain, command });
  }

  network(target: Field | string, direction: NetworkEffect["direction"], sure: boolean | "later" = true): void {
    if (!this.room) return;
    const text = typeof target === "string" ? target : target.text;
    const url = parseTarget(text, this.cause.scheme ?? "https");
    const now = sure === true;
    if (url?.scheme === "file" && url.path !== "") this.fileAt(url.path, direction, now);
    const known = typeof target === "string" || target.kind !== "unknown";
    const certain = this.sure(now && known);
    const { via, command } = this.cause;
    const surely = certain || sure === false || !url ? undefined : this.surely(target, url, direction);
    const effect: NetworkEffect = { url: url ?? { ...noUrl, text }, direction, via, certain, command };
    this.networks.push(surely ? { ...effect, surely } : effect);
  }

  /** What is certain of an access whose host is: that of an address which is known, or is so up to its path. */
  private surely(
    target: Field | string,
    url: UrlValue,
    direction: NetworkEffect["direction"],
  ): SureNetwork | undefined {
    if (!this.cause.certain) return undefined;
    const known = typeof target === "string" || target.kind === "literal";
    // What stands without quotes may be several words, of which each could be another address.
    if (!known && ((target as Field).open || fixedHost(knownBeginning(target as Field)) !== url.host)) return undefined;
    const { kind, scheme, host, port, userinfo } = url;
    const { via, command } = this.cause;
    return { url: { kind, scheme, host, port, userinfo }, direction, via, certain: true, command };
  }

  /** An address of this machine's own files: what is asked for there is read, what is sent there written. */
  private fileAt(path: string, direction: NetworkEffect["direction"], sure: boolean): void {
    const field = literalField(decoded(path), { start: -1, end: -1 });
    if (direction !== "upload") this.read(field, { certain: sure });
    if (direction !== "download") this.write(field, sure);
  }

  install(manager: string, source: string, name: string): void {
    if (!this.room) return;
    const certain = this.sure(true);
    const { via, command } = this.cause;
    this.installs.push({ manager, source, name, via, certain, command });
  }

  /** A package that the next install takes, because a file now names it. */
  mayInstall(manager: string, source: string, name: string): void {
    if (!this.room) return;
    const before = this.uncertain;
    const certain = this.sure(false);
    // That it is not certain is no doubt about the call.
    this.uncertain = before;
    const { via, command } = this.cause;
    this.installs.push({ manager, source, name, via, certain, command });
  }

  push(push: PushReport): void {
    if (!this.room) return;
    const branch = push.branch === "" ? (this.environment.branch ?? "") : push.branch;
    const { remote, forced, mirror } = push;
    const certain = this.sure(push.certain && branch !== "");
    const { via, command } = this.cause;
    this.pushes.push({ remote, target: { branch }, forced, mirror, delete: push.delete, via, certain, command });
  }

  config(target: string, certain = true): void {
    if (this.room) this.configs.push(this.targeted(target, certain));
  }

  kill(target: string, certain = true): void {
    if (this.room) this.kills.push(this.targeted(target, certain));
  }

  private targeted(target: string, sure: boolean): TargetEffect {
    const certain = this.sure(sure);
    const { via, command } = this.cause;
    return { target, via, certain, command };
  }

  /**
   * Adds what is certain among the effects of something that only may be run later, as possible effects. With
   * `elsewhere` it runs on another machine, and only what reaches other hosts counts. More than can be listed are dropped.
   */
  possible(effects: Effects, elsewhere: boolean): void {
    const into = this.effects();
    for (const kind of effectKinds) {
      if (elsewhere && !reaching.has(kind)) continue;
      const list = into[kind] as unknown as EffectBase[];
      const listed = new Set(list.map(identity));
      for (const one of effects[kind]) {
        if (!one.certain || this.count >= limits.effects || listed.has(identity(one))) continue;
        this.count += 1;
        list.push({ ...one, certain: false, command: -1 });
      }
    }
  }

  doubt(reason: string): void {
    this.uncertain += 1;
    if (this.doubts.length < 64) this.doubts.push({ reason });
  }
}
