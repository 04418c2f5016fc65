import type { Environment } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend, spendText } from "../meter.ts";
import { pathClass } from "../paths/classes.ts";
import { modulesFile, productFile } from "../programs/hookwarden.ts";
import { programOf } from "../programs/registry.ts";
import type { Draft } from "../shell/draft.ts";
import { type Field, literalField, withText } from "../shell/fields.ts";
import { programName } from "../shell/names.ts";
import type { Sink } from "./sink.ts";

/** Programs that run a file which they are named. */
const runners: ReadonlySet<string> = new Set(
  "node nodejs bun bun-node deno deno-run tsx ts-node ts-node-esm esno jiti vite-node electron sh bash dash zsh ksh ash fish source . command exec".split(
    " ",
  ),
);
/** Programs that run a package's program by its name, or the script of a project that has one. */
const managers: ReadonlySet<string> = new Set("npm pnpm yarn bun npx bunx pnpx cnpm corepack".split(" "));
/** Verbs of package managers that inspect, install or remove a package, and run none. */
const packageVerbs =
  /^(?:install|i|in|ci|add|remove|rm|uninstall|un|unlink|r|view|v|info|show|search|find|audit|outdated|update|up|upgrade|link|ln|pack|publish|why|ls|list|la|ll|explain|docs|repo|bugs|home|cache|config|get|set|help|version|--version|global|patch|licenses|store|fetch|dedupe|rebuild|diff|deprecate|dist-tag|owner|star|unstar|pkg|query|init|create)$/;
const removal = /^(?:remove|rm|uninstall|un|unlink|r)$/;

/** Folders above a script that are searched for a manifest that tells whose script it is. */
const foldersAbove = 4;
const manifestBytes = 65_536;
/** Units of work of one look at the file system. */
const lookupUnits = 8;
/** Most copies of the product's files that are tracked in one call. */
const copyCount = 64;

/**
 * Finds runs of hookwarden under any other name: a file of it by any way to it, a copy made by the same call, its program
 * through a package manager, its modules loaded by inline code. A run of its files is also reported as a command named
 * `hookwarden`, so that one row tells its effects.
 */
export class EngineRuns {
  /** Paths to which the call copies files of the product, and with them all beneath. */
  readonly #copies: string[] = [];
  /** Indexes of commands that read such files, because their output may be piped to others. */
  readonly #reading = new Set<number>();
  /** Folders whose manifest or launcher says whether they are ours. */
  readonly #folders = new Map<string, boolean>();
  readonly #environment: Environment;
  readonly #files: FileSystem;

  constructor(environment: Environment, files: FileSystem) {
    this.#environment = environment;
    this.#files = files;
  }

  /**
   * Returns the run of hookwarden that a command performs, if any; `before` holds the numbers of effects in the sink before the
   * command.
   */
  runOf(draft: Draft, index: number, before: Counts, sink: Sink): Draft | undefined {
    spend(2 + draft.args.length);
    this.#follow(draft, index, before, sink);
    // A volume that folds letter case finds the program by any of them; its row has one.
    if (productFile.test(draft.program))
      return programOf(draft.program) ? undefined : derived(draft, draft.name, draft.args);
    const run = this.#named(draft, before, sink) ?? driven(draft);
    this.#loads(draft, run !== undefined, before, sink);
    return run;
  }

  #named(draft: Draft, before: Counts, sink: Sink): Draft | undefined {
    const managedRun = managers.has(draft.program) ? managed(draft, sink) : undefined;
    if (managedRun) return managedRun;
    if (draft.program === "" || runners.has(draft.program)) return this.#script(draft, before, sink);
    // A program in no table may be a link to ours or a copy of it, or may run a program among its words.
    return programOf(draft.program) ? undefined : this.#unknown(draft, before, sink);
  }

  #script(draft: Draft, before: Counts, sink: Sink): Draft | undefined {
    const named = draft.args.findIndex(isProductName);
    if (named >= 0) return derived(draft, draft.args[named] as Field, draft.args.slice(named + 1));
    for (let i = before.reads; i < sink.reads.length; i++) {
      const { path } = sink.reads[i] as (typeof sink.reads)[number];
      if (!this.#isProduct(path.real) && !this.#isProduct(path.lexical) && !this.#isPackaged(path.real)) continue;
      const at = draft.args.findIndex((word) => word.text === path.text || word.text.endsWith(`=${path.text}`));
      return derived(draft, withText(draft.name, path.real), draft.args.slice(at + 1));
    }
    // A file that the call has written is not read again to be known.
    const copied = this.#copies.length === 0 ? -1 : draft.args.findIndex((word) => this.#isCopy(word, sink));
    return copied < 0 ? undefined : derived(draft, draft.args[copied] as Field, draft.args.slice(copied + 1));
  }

  #isCopy(word: Field, sink: Sink): boolean {
    spend(1 + this.#copies.length);
    if (word.text.startsWith("-") || word.kind === "unknown") return false;
    const path = sink.path(word)?.value;
    return path !== undefined && this.#copies.some((copy) => isAt(path.lexical, copy) || isAt(path.real, copy));
  }

  #unknown(draft: Draft, before: Counts, sink: Sink): Draft | undefined {
    const named = draft.args.findIndex((word) => isProductName(word) && /[/.]/.test(word.text));
    if (named >= 0) return derived(draft, draft.args[named] as Field, draft.args.slice(named + 1));
    for (let i = before.reads; i < sink.reads.length; i++) {
      const { path } = sink.reads[i] as (typeof sink.reads)[number];
      if (!this.#isProduct(path.real) && !this.#isProduct(path.lexical)) continue;
      const at = draft.args.findIndex((word) => word.text === path.text);
      return derived(draft, withText(draft.name, path.real), draft.args.slice(at + 1));
    }
    return undefined;
  }

  /** True for a file of the product: by its name, below its package, among the engine's own places, or a copy of these. */
  #isProduct(path: string): boolean {
    spend(2 + this.#copies.length + (path.length >> 5));
    if (productFile.test(path.slice(path.lastIndexOf("/") + 1))) return true;
    if (this.#copies.some((copy) => isAt(path, copy))) return true;
    return isProgramFile(path) && this.#isOwn(path);
  }

  #isOwn(path: string): boolean {
    if (/\/node_modules\/hookwarden(?:\/|$)|\/hookwarden\/(?:dist|cli)\//i.test(path)) return true;
    const { engine } = this.#environment;
    if (engine === undefined) return false;
    const value = { kind: "path", text: path, lexical: path, real: path, pattern: false, fold: true } as const;
    return pathClass("engine_place", value, this.#environment, "any");
  }

  /** True for a file of a package that is ours by its manifest, or of a folder that holds our launcher. */
  #isPackaged(path: string): boolean {
    if (!isProgramFile(path)) return false;
    const folder = path.slice(0, path.lastIndexOf("/"));
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const is = this.#isOurs(folder);
    this.#folders.set(folder, is);
    return is;
  }

  /** Asks the file system, which costs more than to look at a word. */
  #isOurs(below: string): boolean {
    let folder = below;
    for (let i = 0; i < foldersAbove && folder !== ""; i++, folder = folder.slice(0, folder.lastIndexOf("/"))) {
      spend(lookupUnits * 3);
      for (const name of ["hookwarden-hook.cjs", "bin/hookwarden-hook.cjs"])
        if (this.#files.lookup(`${folder}/${name}`).kind === "file") return true;
      if (this.#files.lookup(`${folder}/package.json`).kind === "absent") continue;
      const manifest = this.#files.readText(`${folder}/package.json`, manifestBytes) ?? "";
      spendText(manifest.length);
      return /"name"\s*:\s*"hookwarden"/.test(manifest);
    }
    return false;
  }

  /** Follows copies: a command that reads the product, or is piped from one that does, writes a copy of it. */
  #follow(draft: Draft, index: number, before: Counts, sink: Sink): void {
    let reads = draft.pipedFrom >= 0 && this.#reading.has(draft.pipedFrom);
    for (let i = before.reads; i < sink.reads.length && !reads; i++) {
      const { path, metadata_only: only } = sink.reads[i] as (typeof sink.reads)[number];
      reads = !only && (this.#isSource(path.real) || this.#isSource(path.lexical));
    }
    // A link names its target, and reads nothing.
    reads ||=
      linking.has(draft.program) &&
      draft.args.some((word) => !word.text.startsWith("-") && this.#isSource(sink.path(word)?.value.lexical ?? ""));
    if (!reads) return;
    spend(sink.writes.length - before.writes);
    this.#reading.add(index);
    for (let i = before.writes; i < sink.writes.length && this.#copies.length < copyCount; i++) {
      const { path } = sink.writes[i] as (typeof sink.writes)[number];
      if (!path.pattern && path.lexical !== "/") this.#copies.push(path.lexical, path.real);
    }
  }

  /** True for a path that a copy of the product may come from: its package, or a file or folder in it. */
  #isSource(path: string): boolean {
    spend(2 + this.#copies.length + (path.length >> 5));
    if (this.#copies.some((copy) => isAt(path, copy))) return true;
    const last = path.slice(path.lastIndexOf("/") + 1);
    if (productFile.test(last) && (/\/hookwarden\/?$/.test(path) || last.includes("."))) return true;
    return (isProgramFile(path) || !/\.\w+$/.test(last)) && last !== "node" && this.#isOwn(path);
  }

  /**
   * Modules of the product that code loads by a path, or by a name that its package does not export. A run of the product already
   * reports its script; modules that code loads beside it still count.
   */
  #loads(draft: Draft, isRun: boolean, before: Counts, sink: Sink): void {
    for (let i = before.runs, end = sink.runs.length; i < end; i++) {
      const { target } = sink.runs[i] as (typeof sink.runs)[number];
      if (typeof target !== "string") continue;
      spend(1 + (Math.min(target.length, 4_096) >> 5));
      if (target.length > 4_096 || !/^[./~]|^file:|hookwarden\//i.test(target) || /\s/.test(target)) continue;
      if (isRun && draft.args.some(({ text }) => text === target)) continue;
      const field = { ...literalField(target, nowhere), tilde: true };
      const { real, lexical } = sink.path(field)?.value ?? { real: "", lexical: "" };
      const isInner = modulesFile.test(target) || /^hookwarden\/(?:dist|cli|store|adapters)(?:\/|$)/i.test(target);
      if (isInner || (/\.(?:[cm]?js|program)$/.test(target) && (this.#isProduct(real) || this.#isProduct(lexical))))
        sink.config(`hookwarden load ${programName(target)}`, false);
    }
  }
}

/** How many effects of each kind there were before a command. */
export interface Counts {
  readonly reads: number;
  readonly writes: number;
  readonly runs: number;
}

/** How many effects a sink holds now. */
export function countsOf(sink: Sink): Counts {
  return { reads: sink.reads.length, writes: sink.writes.length, runs: sink.runs.length };
}

const linking: ReadonlySet<string> = new Set(["ln", "gln", "link"]);

function isAt(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const nowhere = { start: -1, end: -1 };

/** Code, or a program without an ending. Node itself is a place of the engine, and no file of ours. */
function isProgramFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /\.(?:[cm]?[jt]s|sh|cmd|ps1|program)$/i.test(name) || productFile.test(name);
}

function isProductName(word: Field): boolean {
  if (word.text.startsWith("-") && !word.text.includes("=")) return false;
  const text = word.text.slice(word.text.startsWith("-") ? word.text.indexOf("=") + 1 : 0);
  return productFile.test(programName(text)) || specifier.test(text);
}

/** Specifier of the package that a runtime downloads itself. */
const specifier = /^(?:npm|jsr):\/?hookwarden(?:@[^/]*)?(?:\/|$)/i;

/**
 * Finds the program run through a package manager (`yarn hookwarden trust`, `pnpm exec hookwarden`, `bun run x/hookwarden.js`),
 * and removals of the package.
 */
function managed(draft: Draft, sink: Sink): Draft | undefined {
  const at = draft.args.findIndex((word) => isProductName(word) || /^hookwarden@/.test(word.text));
  if (at < 0) return undefined;
  const before = draft.args.slice(0, at).filter((word) => !word.text.startsWith("-"));
  if (before.some((word) => removal.test(word.text))) sink.config("hookwarden uninstall package");
  if (before.some((word) => packageVerbs.test(word.text))) return undefined;
  return derived(draft, draft.args[at] as Field, draft.args.slice(at + 1));
}

/**
 * Programs of the tables that start a command which their own code or recipe makes from the words behind it; a program in no
 * table is one too.
 */
const drivers =
  /^(?:python[\d.]*|pypy\d?|ipython|node|nodejs|bun|deno|tsx|ts-node|ruby|perl|php|lua|Rscript|java|dotnet|mono|go|cargo|zig|swift|make|gmake|just|task|rake|uv|uvx|pipx|npx|pnpx|bunx|npm|pnpm|yarn|poetry|hatch|pdm|empty|dtach|abduco|ts|tsp|pueue|task-spooler|entr|watchexec|nodemon|pm2|forever)$/;
/** A verb by which a human changes the guard, behind the program's name in one text. */
const told =
  /^(?:\w+=)?\s*["']?(?:[\w./~-]*\/)?hookwarden\s+((?:trust|reload|approve|install|uninstall|serve|token|hook|mcp\s+--forget|audit\s+(?:init|prune)|init\s+--host)\b.{0,512})/is;
const verbs = /^(?:trust|reload|approve|install|uninstall|serve|token|hook|mcp|audit|init)$/;
/** Options whose value people read. */
const prose =
  /^--?(?:m|t|b|title|message|body|text|description|subject|comment|summary|prompt|note|reason|query|grep)$/;

/** Finds a run of hookwarden among the words of a driver: `python3 drive.py hookwarden trust .`, also as one text. */
function driven(draft: Draft): Draft | undefined {
  if (!drivers.test(draft.program) && programOf(draft.program) !== undefined) return undefined;
  const { args } = draft;
  const isBeforeVerb = beforeVerbs(args);
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as Field;
    if (word.kind === "unknown" || prose.test(args[i - 1]?.text ?? "")) continue;
    if (isBeforeVerb[i] && isProductName(word)) return derived(draft, word, args.slice(i + 1));
    const text = told.exec(word.text.slice(0, 1_024).replace(/^--?[\w-]+=/, ""))?.[1];
    if (text === undefined) continue;
    spendText(text.length);
    return derived(
      draft,
      word,
      text.split(/[\s"']+/).map((one) => literalField(one, word.place)),
    );
  }
  return undefined;
}

/** Tells for each word whether the next non-option word is a verb by which a human changes the guard. */
function beforeVerbs(args: readonly Field[]): readonly boolean[] {
  let isVerb = false;
  return args
    .map(({ text }) => text)
    .reverse()
    .map((text) => {
      const before = isVerb;
      if (!text.startsWith("-")) isVerb = verbs.test(text);
      return before;
    })
    .reverse();
}

function derived(draft: Draft, name: Field, args: readonly Field[]): Draft {
  const isHook = /^hookwarden-(?:hook|client)/i.test(programName(name.text));
  const program = isHook ? "hookwarden-hook" : "hookwarden";
  return {
    ...draft,
    program,
    name: withText(name, program),
    args,
    wrappers: [...draft.wrappers, draft.program],
    redirects: [],
    candidates: [],
    pipedFrom: -1,
    pipedTo: -1,
    output: undefined,
    doubts: [],
  };
}
