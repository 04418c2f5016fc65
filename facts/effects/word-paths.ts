import type { Pieces } from "../../schema/approximation.ts";
import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import type { Entry, FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { partlyKnown, withoutGlobs } from "../paths/partly.ts";
import { agentHome, isWindows, resolvePath } from "../paths/resolve.ts";
import { beginsUnknown, type Field, piecesOf } from "../shell/fields.ts";
import type { MadeLinks } from "./made-links.ts";

/** The path that a word names. */
export interface KnownPath {
  readonly value: PathValue;
  readonly certain: boolean;
  /** True if it is a single path, even if its text is not known. */
  readonly one: boolean;
}

/** Streams and the like: reading or writing them touches no file. */
const streams = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Most parent folders created for one path that are listed. */
const mostMissing = 16;

/**
 * Resolves the paths that words of one call name. For a partly known word, `PathValue.partly` holds the known parts. Its texts
 * are then a guess with unknown parts left empty, used to guard files of the session.
 */
export class WordPaths {
  links: MadeLinks | undefined;
  readonly #environment: Environment;
  readonly #files: FileSystem;
  #latest: { readonly field: Field; readonly cwd: string; readonly path: KnownPath | undefined } | undefined;

  constructor(environment: Environment, files: FileSystem) {
    this.#environment = environment;
    this.#files = files;
  }

  /** The path of a word, or undefined for a stream and an empty word. One word is often read, written and shown. */
  of(field: Field, cwd: string): KnownPath | undefined {
    if (this.#latest?.field === field && this.#latest.cwd === cwd) return this.#latest.path;
    const path = this.#pathOf(field, cwd);
    this.#latest = { field, cwd, path };
    return path;
  }

  /** Both forms of the path of a text. */
  resolve(text: string, cwd: string, pattern: boolean): PathValue {
    const { case_insensitive: fold } = this.#environment;
    return resolvePath(text, { cwd, home: agentHome(this.#environment), fold, pattern }, this.#files);
  }

  #pathOf(field: Field, cwd: string): KnownPath | undefined {
    if (field.kind !== "unknown" && (field.text === "" || streams.test(field.text))) return undefined;
    const { text } = field;
    spend(4);
    // Folding has expanded what `~` there was: one that is left is a name.
    const plain = text === "" ? "/" : text.startsWith("~") && !field.tilde ? `./${text}` : text;
    const found = this.#linked(this.resolve(plain, cwd, field.glob));
    const certain = field.kind !== "unknown" && (cwd !== "" || /^[/~]/.test(plain));
    const named = field.dots && found.pattern ? { ...found, dots: "folders" as const } : found;
    const value = beginsUnknown(field) ? { ...named, loose: true as const } : named;
    if (certain || (field.kind !== "unknown" && this.#environment.cwd === "")) return { value, certain, one: certain };
    const pieces = knownOf(field);
    const partly = partlyKnown(pieces, {
      cwd,
      windows: isWindows({ cwd, home: this.#environment.home }),
      resolve: (folder) => this.#linked(this.resolve(folder, cwd, false)),
    });
    const isName = pieces.every((piece) => typeof piece === "string" || piece.hole === "name");
    return { value: { ...value, partly }, certain, one: isName || !field.open };
  }

  /** Returns the kind of entry at a path before the call. A link that the call makes is there only later. */
  kindAt({ lexical, real }: PathValue): Entry["kind"] {
    return this.#files.lookup(this.links?.targets.has(lexical.toLowerCase()) ? lexical : real).kind;
  }

  /** Returns the parent folders of a path that may be missing: not those that contain the current, home or top folder. */
  missingAbove({ lexical }: PathValue): PathValue[] {
    const { cwd, home, workspace } = this.#environment;
    const there = [cwd, home, workspace].filter((folder) => folder !== "");
    const missing: PathValue[] = [];
    for (
      let end = lexical.lastIndexOf("/");
      lexical.lastIndexOf("/", end - 1) > 0;
      end = lexical.lastIndexOf("/", end - 1)
    ) {
      const folder = lexical.slice(0, end);
      if (missing.length === mostMissing || there.some((one) => one === folder || one.startsWith(`${folder}/`))) break;
      const path = this.resolve(folder, "/", false);
      if (this.#files.lookup(path.real).kind === "directory") break;
      missing.push(path);
    }
    return missing;
  }

  /** Returns the path of a link that is created: the call's links are followed only in its parent folders. */
  ofLink(path: PathValue): PathValue {
    const { lexical, pattern, partly } = path;
    if (!this.links?.targets.has(lexical.toLowerCase()) || partly) return path;
    const at = lexical.lastIndexOf("/");
    const folder = this.#linked(this.resolve(lexical.slice(0, at) || "/", "/", pattern));
    return { ...path, real: `${folder.real === "/" ? "" : folder.real}${lexical.slice(at)}` };
  }

  /** Returns the path with its real target, where the call has made a link of it or of a folder above it. */
  #linked(path: PathValue): PathValue {
    if (!this.links) return path;
    const name = this.links.first(path.lexical.toLowerCase());
    if (name === undefined) return path;
    const target = this.links.targets.get(name) as string;
    return { ...path, real: this.resolve(target + path.lexical.slice(name.length), "/", path.pattern).real };
  }
}

function knownOf(field: Field): Pieces {
  const pieces = field.kind === "unknown" ? piecesOf(field) : [field.text];
  return field.glob ? withoutGlobs(pieces) : pieces;
}
