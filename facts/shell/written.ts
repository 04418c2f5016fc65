import { limits } from "../../schema/limits.ts";
import { spend, spendText } from "../meter.ts";
import { cleanPath } from "./directories.ts";
import { type Atom, type Field, literalAtom, type Origin, unknownAtom, unknownVariable } from "./fields.ts";
import { globMatches } from "./globs.ts";

/** A file that the text itself wrote: every text it had, the current one last. */
export interface WrittenFile {
  /** Path as first written. */
  readonly path: string;
  readonly texts: readonly Atom[];
  /** Program of which the file is a copy; empty if there is none. */
  readonly program: string;
  /** Set if the last text may not have been written, because of a branch or a possible exit. */
  readonly varies?: boolean;
}

// Texts kept of one file; earlier ones count as unknown.
const versions = 8;
// Most files that one glob is compared with; with more, the glob's file is unknown.
const globbed = 256;

/**
 * Files that one shell text writes, by canonical path, so that a later command of the text that runs one is judged by its
 * content. A text in a branch may or may not have been written: earlier texts stay possible. Letter case is folded, since the
 * volume may. Source: threats page, class 9.
 */
export class WrittenFiles {
  private readonly files = new Map<string, WrittenFile>();
  private readonly names = new Map<string, string[]>();
  /** Of `names`, those of files in an unknown folder. */
  private readonly looseNames = new Map<string, string[]>();
  private readonly links = new Map<string, string>();
  /** Folders into which something from elsewhere was unpacked. */
  private readonly unpacked = new Map<string, Origin>();
  /** Beginnings of files that became too long to be followed. */
  readonly tooLong = new Map<string, string>();
  /** Set while a write may not happen. */
  unsure = false;
  /** Files being run, so that a script that calls itself ends. */
  readonly running = new Set<string>();

  get empty(): boolean {
    return this.files.size === 0 && this.unpacked.size === 0;
  }

  /** Targets of links, by case-folded path. */
  get aliases(): ReadonlyMap<string, string> {
    return this.links;
  }

  /** Records that the folder's content now comes from an archive or a repository of that origin. */
  unpack(key: string, origin: Origin): void {
    if (this.unpacked.size < globbed) this.unpacked.set(folded(key), origin);
  }

  /** Returns the file at a path that came out of an archive; a bare word may be anything else. */
  beneathUnpacked(text: string, key: string): WrittenFile | undefined {
    if (this.unpacked.size === 0 || !/[/.]/.test(text)) return undefined;
    for (let at = folded(key); at.length > 1; at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))) {
      spendText(at.length);
      const origin = this.unpacked.get(at.slice(0, Math.max(at.lastIndexOf("/"), 0)) || "/");
      if (origin) return { path: key, texts: [{ ...unknownAtom, origin }], program: "" };
    }
    return undefined;
  }

  /** Every file, in the order in which they were first written. */
  all(): IterableIterator<WrittenFile> {
    return this.files.values();
  }

  /** Records that a file is overwritten. */
  replace(key: string, text: Atom, program = ""): void {
    const at = this.target(key);
    const before = this.files.get(folded(at));
    const texts = [...(before?.texts ?? []), this.bounded(at, text)];
    this.put(at, { texts: texts.length > versions ? [unknownAtom, ...texts.slice(1 - versions)] : texts, program });
  }

  /** Appends text; earlier content that was not written here is not known. */
  append(key: string, text: Atom): void {
    const at = this.target(key);
    const before = this.files.get(folded(at));
    const texts = (before?.texts ?? [{ ...unknownAtom, template: `\${${unknownVariable}}\n` }]).map((one) =>
      this.bounded(at, concatenated([one, text])),
    );
    this.put(at, { texts, program: "" });
  }

  /** `to` is another name of `from`. */
  link(from: string, to: string): void {
    const [at, name] = [this.target(from), folded(to)];
    if (folded(at) === name) return;
    this.links.set(name, at);
    this.name(to);
  }

  /** `to` holds what `from` holds, and so does everything beneath a folder. */
  copy(from: string, to: string): void {
    const source = this.files.get(folded(this.target(from)));
    if (source) {
      const { path: _, ...held } = source;
      this.put(this.target(to), held);
    }
    const beneath = folded(`${from === "/" ? "" : from}/`);
    if (this.files.size > globbed) return;
    spend(this.files.size);
    for (const [key, file] of [...this.files])
      if (key.startsWith(beneath)) this.put(`${to}/${file.path.slice(beneath.length)}`, file);
  }

  /** Returns the file at a path; if only the name is known, the file with that name in any folder. */
  at(key: string): { readonly key: string; readonly file: WrittenFile; readonly exact: boolean } | undefined {
    const target = this.target(key);
    const file = this.files.get(folded(target));
    if (file) return { key: target, file, exact: true };
    for (const other of (isLoose(key) ? this.names : this.looseNames).get(folded(nameOf(key))) ?? []) {
      spend(2);
      const loose = this.files.get(folded(this.target(other)));
      if (loose) return { key: this.target(other), file: loose, exact: false };
    }
    return undefined;
  }

  /** Returns the file with a name in any folder, as a search path may find it. */
  named(name: string): { readonly key: string; readonly file: WrittenFile } | undefined {
    const key = this.names.get(folded(name))?.at(-1);
    const file = key === undefined ? undefined : this.files.get(folded(this.target(key)));
    return key === undefined || !file ? undefined : { key: this.target(key), file };
  }

  /** Every written file that a glob over paths may match; undefined when there are too many to compare. */
  matching(pattern: string): WrittenFile[] | undefined {
    if (this.files.size > globbed) return undefined;
    const found: WrittenFile[] = [];
    const loose = folded(pattern).replace(/\/(?:\*\*\/)+/g, "/*");
    for (const [key, file] of this.files) if (globMatches(loose, key)) found.push(file);
    spend(this.files.size);
    return found;
  }

  private target(key: string): string {
    let at = key;
    for (let i = 0; i < limits.symlinks; i++) {
      spendText(at.length);
      const next = this.links.get(folded(at));
      if (next === undefined) return at;
      at = next;
    }
    return at;
  }

  private bounded(path: string, text: Atom): Atom {
    if (text.text.length <= limits.shellLength && (text.template?.length ?? 0) <= limits.shellLength) return text;
    this.tooLong.set(path, (text.template ?? text.text).slice(0, beginning));
    return text.origin ? { ...unknownAtom, origin: text.origin } : unknownAtom;
  }

  private put(path: string, { texts, program, varies = false }: Omit<WrittenFile, "path">): void {
    const key = folded(path);
    const before = this.files.get(key);
    if (!before) this.name(path);
    this.files.set(key, { path: before?.path ?? path, texts, program, varies: varies || this.unsure });
  }

  private name(path: string): void {
    const name = folded(nameOf(path));
    for (const names of isLoose(path) ? [this.names, this.looseNames] : [this.names]) {
      const list = names.get(name);
      if (list) list.push(path);
      else names.set(name, [path]);
    }
  }
}

/** Returns a path in one letter case, because the volume may ignore case. */
function folded(path: string): string {
  return path.toLowerCase();
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** True for a path in an unknown folder. */
function isLoose(key: string): boolean {
  return key.startsWith("?") || key.includes(unknownVariable);
}

/** Characters of a file that say what kind it is: the first line of a script. */
const beginning = 512;

const streams = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Returns the key of a file: its absolute path if the folder is known; undefined if the word is no file. */
export function fileKey(word: Field, cwd: string): string | undefined {
  const text = word.kind === "unknown" ? (word.template ?? "") : word.text;
  spend(1 + ((text.length + cwd.length) >> 4));
  if (text === "" || streams.test(text)) return undefined;
  const unknownStart = text.startsWith(`\${${unknownVariable}}`);
  const folder = cwd === "" || unknownStart ? "?" : "";
  const plain = text.startsWith("/") ? text.replace(/^\/proc\/(?:self|\d+)\/root(?=\/)/, "") : text;
  if (plain.startsWith("/")) return cleanPath(plain);
  return `${folder}${cleanPath(folder === "" ? `${cwd}/${plain}` : plain)}`;
}

/** Texts one after the other: known where all are, else with a template that says which part is. */
export function concatenated(atoms: readonly Atom[]): Atom {
  const origin = originIn(atoms);
  spend(2 * atoms.length);
  for (const atom of atoms) spend((atom.template ?? atom.text).length >> 6);
  // Added up and not joined: a text that grows by appending is copied once, when it is read.
  const text = atoms.reduce((sum, atom) => sum + atom.text, "");
  if (atoms.every((atom) => atom.kind === "literal")) return { ...literalAtom(text), ...origin };
  const template = atoms.reduce((sum, atom) => sum + templateOf(atom), "");
  return { text, kind: "unknown", template, ...origin };
}

function templateOf(atom: Atom): string {
  return atom.template ?? (atom.kind === "unknown" ? unknownLine : atom.text);
}

const unknownLine = `\${${unknownVariable}}\n`;

/** Returns the origin of joined values: the network outranks a decoder. */
export function originIn(atoms: readonly { readonly origin?: Origin }[]): { origin?: Origin } {
  let found: Origin | undefined;
  for (const { origin } of atoms) if (origin !== undefined && found !== "network") found = origin;
  return found === undefined ? {} : { origin: found };
}

/** Returns the content of a written file that a word names, as `content` and `holds` of a field; undefined if the text wrote none. */
export function contentOf(word: Field, files: WrittenFiles, cwd: string): Partial<Field> | undefined {
  if (files.empty || word.content !== undefined) return undefined;
  const key = fileKey(word, cwd);
  if (key === undefined) return undefined;
  const found = files.at(key);
  if (found) return held(found.file.texts, found.file.varies);
  const inside = files.beneathUnpacked(word.text, key);
  if (inside) return held(inside.texts);
  if (word.kind !== "pattern") return undefined;
  const matched = files.matching(key);
  if (!matched) return held([unknownAtom]);
  return matched.length === 0 ? undefined : held([...matched.flatMap((file) => file.texts), unknownAtom]);
}

/** Texts of one file as `content` and `holds` of a field, with the origin that any of them has. */
export function held(texts: readonly Atom[], varies = false): Partial<Field> {
  const last = texts.at(-1) ?? unknownAtom;
  const content = texts.length === 1 && last.kind === "literal" ? last.text : null;
  return { content, holds: texts, ...(varies ? { varies } : {}), ...originIn(texts) };
}
