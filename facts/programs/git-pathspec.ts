import { spend } from "../meter.ts";
import { type Field, literalField, together, withText } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import type { Call } from "./program.ts";

/** Returns git's working folder as a path: the target of a subcommand without operands. */
export const here = (call: Call): Field => literalField(".", call.draft.place);

/** Returns a path beneath a folder; each may be known in part. An absolute path stays as it is. */
function beneath(folder: Field, path: Field): Field {
  if (path.text.startsWith("/") && path.kind !== "unknown") return path;
  if (folder.kind !== "unknown" && path.kind !== "unknown") return withText(path, `${folder.text}/${path.text}`);
  const { known, open, text } = together(together(folder, literalField("/", folder.place)), path);
  const { template: _, ...rest } = path;
  return { ...rest, text, kind: "unknown", open, verbatim: -1, ...(known ? { known } : {}) };
}

/** A variable of git: given to the command, or set by the text before it. */
function variable(call: Call, name: string): Field | undefined {
  const { env, moved } = call.draft;
  const atom = env.get(name) ?? moved.findLast(([other]) => other === name)?.[1];
  return atom && { ...here(call), ...atom };
}

/** The folder of `git -C dir`, if one is given; each `-C` starts at the one before. */
export function started(call: Call): Field | undefined {
  return call
    .values("-C")
    .filter(({ kind, text }) => kind !== "literal" || text !== "")
    .reduce<Field | undefined>((before, folder) => (before ? beneath(before, folder) : folder), undefined);
}

/** Resolves a path against the folder of `git -C dir`. */
function fromStart(call: Call, path: Field): Field {
  const folder = started(call);
  return folder ? beneath(folder, path) : path;
}

/** The work tree that an option or a variable names. */
function namedTree(call: Call): Field | undefined {
  const named = call.value("--work-tree") ?? variable(call, "GIT_WORK_TREE");
  return named && fromStart(call, named);
}

/** True for a folder that may be another than the command's own and those above it. */
function isElsewhere(folder: Field, cwd: string): boolean {
  if (folder.kind !== "literal") return true;
  spend(1 + (folder.text.length >> 2));
  if (folder.text.split("/").every((part) => part === "" || part === "." || part === "..") && folder.text !== "/")
    return false;
  return !`${cwd}/`.startsWith(`${withoutEnd(folder.text, "/")}/`);
}

/**
 * Resolves a path where relative paths of the subcommand start: in the folder of `git -C dir`, or in a work tree that is named and
 * does not contain the folder.
 */
export function at(call: Call, path: Field): Field {
  const tree = namedTree(call);
  return tree && isElsewhere(tree, call.draft.cwd) ? beneath(tree, path) : fromStart(call, path);
}

/** Returns the work tree that git changes: the current one, or the one that an option names. */
export function workTree(call: Call): Field {
  return namedTree(call) ?? fromStart(call, here(call));
}

/** Returns git's own folder of the repository that a command changes: `.git`, or the one that `--git-dir` or `GIT_DIR` names. */
export function gitFolder(call: Call): Field {
  const named = call.value("--git-dir") ?? variable(call, "GIT_DIR");
  return fromStart(call, named ?? literalField(".git", call.draft.place));
}

/** Returns a place in git's own folder, named by a word: `refs/heads/` and a branch. */
export function inGit(call: Call, place: string, name?: Field): Field {
  const folder = gitFolder(call);
  const inside = literalField(place, name?.place ?? call.draft.place);
  return beneath(folder, name ? { ...together(inside, name), glob: name.glob } : inside);
}

/** True where an option or a variable names a repository other than that of the folder. */
export function namesRepository(call: Call): boolean {
  return call.has("--git-dir") || variable(call, "GIT_DIR") !== undefined;
}

/** Meaning of one pathspec: paths, all but some paths, or the whole tree. */
export interface Pathspec {
  readonly path: Field;
  /** True for a tree as a whole: the folder, its top, or all but what is left out. */
  readonly whole: boolean;
}

interface Magic {
  readonly top: boolean;
  readonly excluded: boolean;
  readonly literal: boolean;
  readonly text: string;
}

/** The signs before a pathspec: `:/x`, `:!x`, `:^x`, `:(top,icase)x`. Source: gitglossary(7). */
function magicOf(text: string): Magic {
  const long = /^:\(([a-z,:=\w -]{0,256})\)(.*)$/s.exec(text);
  if (long) {
    const words = (long[1] as string).split(",").map((word) => word.trim());
    return {
      top: words.includes("top"),
      excluded: words.includes("exclude"),
      literal: words.includes("literal"),
      text: long[2] as string,
    };
  }
  const short = /^:([/!^]*):?(.*)$/s.exec(text);
  if (!short) return { top: false, excluded: false, literal: false, text };
  const signs = short[1] as string;
  return { top: signs.includes("/"), excluded: /[!^]/.test(signs), literal: false, text: short[2] as string };
}

const wild = /[*?[]/;
const folderOnly = /^(?:(?:.*\/)?\.{1,2}\/*|\/*)$/s;

/**
 * Returns the paths that pathspecs name. A star crosses slashes, and exclusions alone select all other paths. Globs that the
 * shell expands are already paths.
 */
export function pathspecs(call: Call, words: readonly Field[]): readonly Pathspec[] {
  const read = words.map((word) => ({ word, magic: magicOf(word.kind === "unknown" ? "" : word.text) }));
  const named = read.filter(({ magic }) => !magic.excluded);
  if (named.length === 0) return read.length === 0 ? [] : [{ path: at(call, here(call)), whole: true }];
  return named.map(({ word, magic }) => {
    // The shell has expanded its own patterns: they name files, without those that begin with a dot.
    if (word.kind !== "literal") return { path: at(call, word), whole: false };
    const path = magic.top ? topped(call, word, magic.text) : at(call, plain(word, magic.text));
    if (magic.literal || !wild.test(magic.text)) return { path, whole: folderOnly.test(magic.text) };
    const isAll = /^(?:\.\/)*\*+$/.test(magic.text);
    return isAll
      ? { path: withText(path, withoutStars(path.text) || "."), whole: true }
      : { path: globbed(path), whole: false };
  });
}

/** Returns a path without its trailing stars and the slash before them. */
function withoutStars(path: string): string {
  const text = withoutEnd(path, "*");
  return text.endsWith("/") && text !== path ? text.slice(0, -1) : text;
}

function plain(word: Field, text: string): Field {
  return text === word.text ? word : withText(word, text === "" ? "." : text);
}

/** Returns a path that starts at the top of git's repository. */
function topped(call: Call, word: Field, text: string): Field {
  const top = call.to.repository(at(call, here(call)));
  return withText(word, text === "" ? top : `${top}/${text}`);
}

/** Returns the path as a shell pattern: a star at the beginning of a name may also match folders. */
function globbed(path: Field): Field {
  const star = path.text.search(wild);
  const from = path.text.lastIndexOf("/", star) + 1;
  const rest = path.text.slice(from);
  const deep = rest.startsWith("*")
    ? `**/${rest.replace(/^\*+\/?/, (found) => (found.endsWith("/") ? "" : "*"))}`
    : rest;
  const text = path.text.slice(0, from) + deep.replace(/^\*\*\/\*$/, "**");
  return { ...path, text, kind: "pattern", glob: true, verbatim: -1 };
}
