import type { TreeTakes } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { type Field, globOfField } from "../shell/fields.ts";
import type { Call } from "./program.ts";

/** Returns globs of the names that may be taken; undefined where one of them mentions folders as well. */
function globsOf(fields: readonly Field[]): readonly string[] | undefined {
  const texts = fields.map(globOfField);
  return texts.every((text) => text !== "" && !/[/\\]/.test(text)) ? texts : undefined;
}

/** Keeps the names that are known, because an unknown name leaves out nothing. */
function knownGlobs(fields: readonly Field[]): readonly string[] {
  // Braces mean themselves to some programs.
  const known = fields.filter((one) => one.kind !== "unknown" && globsOf([one]) && !one.text.includes("{"));
  return known.map(({ text }) => text);
}

/** Returns a selection without the parts that do not restrict it; undefined where it takes all. */
function takes({ what, only, not, notFolders, follows }: TreeTakes): TreeTakes | undefined {
  const made = {
    what,
    ...(only && only.length > 0 && { only }),
    ...(not && not.length > 0 && { not }),
    ...(notFolders && notFolders.length > 0 && { notFolders }),
    ...(follows && { follows }),
  };
  return what === "all" && Object.keys(made).length === 1 ? undefined : made;
}

/** Returns which files of a folder `grep -r` reads. Source: grep(1). */
export function takenByGrep(call: Call): TreeTakes | undefined {
  const only = globsOf(call.values("--include"));
  return takes({
    what: "all",
    ...(only && { only }),
    not: knownGlobs(call.values("--exclude")),
    notFolders: knownGlobs(call.values("--exclude-dir")),
    ...(call.has("--dereference-recursive") && { follows: true }),
  });
}

/** Options that make a search read hidden and ignored files too. */
const unrestricted =
  /^(?:-\.|--hidden|--no-ignore[\w-]*|--unrestricted|--skip-vcs-ignores|-[A-TV-Zb-tv-z]*[uUa][A-Za-z]*)$/;

/** Returns which files are read by a search that skips hidden and ignored files by default. Source: rg(1), ag(1). */
export function takenBySearch(call: Call): TreeTakes | undefined {
  spend(2 * call.words.length);
  const globs = call.values("--glob").concat(call.values("--iglob"));
  const isKept = ({ text }: Field): boolean => !text.startsWith("!");
  const kept = globs.filter(isKept);
  const not = knownGlobs(globs.filter((one) => !isKept(one)).map((one) => ({ ...one, text: one.text.slice(1) })));
  const open = call.program === "ack" || call.words.some((word) => unrestricted.test(word.text) || isOpen(word));
  // A file that a glob names is searched even if it is hidden or ignored.
  const only = kept.length > 0 ? globsOf(kept) : undefined;
  const isFollowed = call.words.some(({ text }) => text === "-L" || text === "--follow");
  return takes({
    what: open || kept.length > 0 ? "all" : "visible",
    ...(only && { only }),
    not,
    notFolders: not,
    ...(isFollowed && { follows: true }),
  });
}

function isOpen(word: Field): boolean {
  return word.kind === "unknown" && word.open;
}

const following = /^(?:-[A-KM-Za-z]*L[A-Za-z]*|--dereference|--copy-links)$/;

/** Returns which files are taken by an archiver or copier that skips names by `--exclude`. Source: tar(1), rsync(1), cp(1). */
export function takenWithout(call: Call): TreeTakes | undefined {
  spend(call.words.length);
  const isOrdered = call.words.some(({ text }) => /^--(?:include|filter)\b/.test(text));
  const not = isOrdered ? [] : knownGlobs(call.values("--exclude"));
  const isFollowed = call.words.some(({ text }) => following.test(text));
  return takes({ what: "all", not, notFolders: not, ...(isFollowed && { follows: true }) });
}

/** Files of a folder that git takes: none that it ignores. */
export const tracked: TreeTakes = { what: "tracked" };

/** Files of a language, by their endings. */
function sources(endings: string): TreeTakes {
  return { what: "sources", only: endings.split(" ").map((ending) => `*.${ending}`) };
}

/** Checkers and formatters read the files of their languages. Source: their manuals. */
export const checkedSources = sources(
  "js jsx mjs cjs ts tsx mts cts vue svelte astro json jsonc json5 css scss sass less html htm md mdx yaml yml toml graphql hbs " +
    "py pyi ipynb rb rake go rs c cc cpp cxx h hh hpp m mm java kt proto sh bash zsh",
);

/** Files read by infrastructure tools that describe it in files of their own. */
export const infrastructureSources = sources("tf tofu tfvars tfstate hcl json");

/** Reports the code that a program reads to learn its tasks. */
export const programSources = sources("js mjs cjs ts mts cts py go java cs yaml yml json toml");
