import type {
  DeleteEffect,
  Doubt,
  Effects,
  InstallEffect,
  NetworkEffect,
  PathValue,
  PushEffect,
  ReadEffect,
  RunEffect,
  TargetEffect,
  UrlValue,
  WriteEffect,
} from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { parseTarget } from "../network/url.ts";
import { resolvePath } from "../paths/resolve.ts";
import type { PushReport, ReadOptions, Reporter } from "../programs/program.ts";
import type { Field } from "../shell/fields.ts";

/** What the effects being reported belong to. */
export interface Cause {
  readonly via: string;
  /** Index of the command, or -1. */
  readonly command: number;
  readonly cwd: string;
  readonly certain: boolean;
  /** Scheme that the program assumes for an address without one. */
  readonly scheme?: string;
}

/** Streams and the like: reading or writing them touches no file. */
const streams = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;
const noUrl: UrlValue = { kind: "url", text: "", scheme: "", host: "", port: "", path: "", query: "", userinfo: "" };

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
  /** How many effects of the current cause are not certain. */
  uncertain = 0;
  private count = 0;
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

  /** The path of a word, or undefined for a stream and an empty word. */
  path(field: Field): { value: PathValue; certain: boolean } | undefined {
    if (field.content !== undefined || streams.test(field.text)) return undefined;
    if (field.text === "" && field.kind !== "unknown") return undefined;
    const { text } = field;
    // Folding has expanded what `~` there was: one that is left is a name.
    const plain = text === "" ? "/" : text.startsWith("~") && !field.tilde ? `./${text}` : text;
    const value = this.resolve(plain, this.cause.cwd, field.glob);
    return { value, certain: field.kind !== "unknown" && (this.cause.cwd !== "" || /^[/~]/.test(plain)) };
  }

  resolve(text: string, cwd: string, pattern: boolean): PathValue {
    const { home, case_insensitive: fold } = this.environment;
    return resolvePath(text, { cwd, home, fold, pattern }, this.files);
  }

  private base(certain: boolean): { via: string; certain: boolean; command: number } {
    this.count += 1;
    const sure = certain && this.cause.certain;
    if (!sure) this.uncertain += 1;
    return { via: this.cause.via, certain: sure, command: this.cause.command };
  }

  private get room(): boolean {
    if (this.count <= limits.effects) return true;
    this.count += 1;
    return false;
  }

  read(field: Field, options: ReadOptions = {}): void {
    const path = this.room && this.path(field);
    if (!path) return;
    const certain = path.certain && options.certain !== false;
    this.reads.push({
      path: path.value,
      recursive: options.recursive === true,
      metadata_only: options.metadata === true,
      ...this.base(certain),
    });
  }

  write(field: Field, certain = true): void {
    const path = this.room && this.path(field);
    if (path) this.writes.push({ path: path.value, ...this.base(path.certain && certain) });
  }

  writeInside(target: Field, inside: Field, sure: boolean): void {
    const folder = this.room ? this.path(target) : undefined;
    const kind = folder && !sure ? this.files.lookup(folder.value.real).kind : "directory";
    if (kind === "directory") this.write(inside);
    if (kind === "directory" || kind === "file") return;
    const path = this.path(inside);
    const before = this.uncertain;
    if (path) this.writes.push({ path: path.value, ...this.base(false) });
    this.uncertain = before;
  }

  delete(field: Field, recursive: boolean, certain = true): void {
    const path = this.room && this.path(field);
    if (path) this.deletes.push({ path: path.value, recursive, ...this.base(path.certain && certain) });
  }

  run(target: string, certain = true): void {
    if (this.room) this.runs.push({ target, ...this.base(certain) });
  }

  network(target: Field | string, direction: NetworkEffect["direction"], certain = true): void {
    if (!this.room) return;
    const text = typeof target === "string" ? target : target.text;
    const url = parseTarget(text, this.cause.scheme ?? "https");
    const known = typeof target === "string" || target.kind !== "unknown";
    this.networks.push({ url: url ?? { ...noUrl, text }, direction, ...this.base(certain && known) });
  }

  install(manager: string, source: string, name: string): void {
    if (this.room) this.installs.push({ manager, source, name, ...this.base(true) });
  }

  push(push: PushReport): void {
    if (!this.room) return;
    const branch = push.branch === "" ? (this.environment.branch ?? "") : push.branch;
    const { remote, forced, mirror } = push;
    this.pushes.push({
      remote,
      target: { branch },
      forced,
      mirror,
      delete: push.delete,
      ...this.base(push.certain && branch !== ""),
    });
  }

  config(target: string): void {
    if (this.room) this.configs.push({ target, ...this.base(true) });
  }

  kill(target: string, certain = true): void {
    if (this.room) this.kills.push({ target, ...this.base(certain) });
  }

  doubt(reason: string): void {
    this.uncertain += 1;
    if (this.doubts.length < 64) this.doubts.push({ reason });
  }
}
