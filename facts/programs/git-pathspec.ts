import { type Field, literalField, withText } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import type { Call } from "./program.ts";

/** Returns git's working folder as a path: the target of a subcommand without operands. */
export const here = (call: Call): Field => literalField(".", call.draft.place);

/** Resolves a path against the folder of `git -C dir`, where relative paths of the subcommand start. */
export function at(call: Call, path: Field): Field {
  const folder = call.value("-C");
  return folder && !path.text.startsWith("/") ? withText(path, `${folder.text}/${path.text}`) : path;
}

/** Returns the work tree that git changes: the current one, or the one that an option names. */
export function workTree(call: Call): Field {
  const named = call.value("--work-tree");
  const given = call.draft.env.get("GIT_WORK_TREE");
  return named ? at(call, named) : given ? withText(here(call), given.text) : at(call, here(call));
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
