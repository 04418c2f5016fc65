import type { EffectBase, PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { spend, spendText } from "../meter.ts";
import { pathClass } from "../paths/classes.ts";
import { isFixture } from "../paths/fixtures.ts";
import { placeOf } from "../paths/resolve.ts";
import {
  beneath,
  homeWiring,
  isAboutWiring,
  isAboveHome,
  mayName,
  projectWiring,
  type WiringFolder,
  wiringFile,
  wiringIn,
} from "../paths/wiring.ts";
import { withoutEnd } from "../text/ends.ts";
import { patchedFiles } from "./patches.ts";
import { happensIfReached } from "./reached.ts";
import { repositoryOf } from "./repository.ts";
import type { Sink } from "./sink.ts";
import type { Tree } from "./trees.ts";

/** The effect behind a report: its program, its command, and how certain and reachable it is. */
type Cause = Pick<Tree, "via" | "command" | "certain"> & Pick<EffectBase, "reachable">;

// A longer patch or list of ignored files is not read.
const patchLength = 262_144;
const ignoreLength = 65_536;
/** Units of work of one look at the file system. */
const lookupUnits = 4;

/**
 * Reports effects that reach the files with which hosts call the guard, or the guard's own files, without naming them: removed or
 * replaced folders that contain them, trees that come from elsewhere, and repositories whose files change. Reported as settings:
 *
 *     guard remove <place> | guard replace <place>   the place has no other purpose, or is known to contain such files
 *     guard reach <place>                            the place may be among the changes
 *
 * Globs cover files that are named directly. The disk is asked where possible: a folder without such files does not count, and of
 * a folder that the disk does not show only the name counts. Each effect is checked once.
 */
export function reportGuarded(sink: Sink, environment: Environment): void {
  const { deletes, writes, trees } = sink.unguarded();
  if (deletes.length + writes.length + trees.length === 0) return;
  const guard = new GuardedPlaces(sink, environment);
  for (const one of deletes) {
    spend(1);
    if (one.path.pattern) guard.namedBy(one.path, one.recursive, "remove", one);
    else if (one.recursive) guard.removed(one.path, one);
  }
  for (const one of writes) {
    spend(1);
    if (one.path.pattern) guard.namedBy(one.path, false, "replace", one);
  }
  for (const one of trees) guard.tree(one);
}

class GuardedPlaces {
  readonly #sink: Sink;
  readonly #environment: Environment;
  readonly #home: string;
  readonly #known = new Map<string, boolean>();
  #standing: readonly string[] | undefined;

  constructor(sink: Sink, environment: Environment) {
    this.#sink = sink;
    this.#environment = environment;
    this.#home = placeOf(environment.home);
  }

  /** Reports a glob that spells a host's wiring, or that matches an existing file of it. */
  namedBy(path: PathValue, folders: boolean, how: "remove" | "replace", cause: Cause): void {
    if (isAboutWiring(path, folders))
      return this.#tell(happensIfReached(cause) || folders ? how : "reach", path.lexical, cause);
    if (how === "replace" || !path.lexical.includes("**") || path.lexical === "/**") return;
    const file = this.#all().find((one) => mayName(path, one));
    if (file !== undefined) this.#tell("reach", file, cause);
  }

  removed(path: PathValue, cause: Cause): void {
    if (this.#isSpare(path)) return;
    for (const folder of formsOf(path)) {
      const wired = wiringIn(folder);
      if (wired) {
        if (this.#isEmptyOf(folder, wired) || (!this.#isBase(wired.base, path) && !this.#stands(folder))) continue;
        return this.#tell("remove", folder, cause);
      }
      const file = isVague(path, folder, cause) ? undefined : this.#first(folder, cause.via === "git");
      if (file !== undefined) return this.#tell(cause.via === "git" ? "reach" : "remove", file, cause);
    }
  }

  tree(tree: Tree): void {
    spend(2);
    if (tree.how !== "patched" && this.#isSpare(tree.path)) return;
    if (tree.how === "perhaps") this.#perhaps(tree);
    else if (tree.how === "replaced") this.#replaced(tree.path, tree);
    else if (tree.how === "patched") this.#patched(tree);
    else this.#ofRepository(tree);
  }

  /** True for a host's folder, or a file in it, that no agent of this session reads. */
  #isSpare(path: PathValue): boolean {
    return (
      formsOf(path).some((one) => wiringIn(one) !== undefined || wiringFile(one)) && isFixture(path, this.#environment)
    );
  }

  /** Checks a tree that is put at a path, or inside it if the path is a folder. */
  #perhaps(tree: Tree): void {
    for (const folder of formsOf(tree.path)) {
      const wired = wiringIn(folder);
      if (!wired || this.#isFolder(folder) || !this.#isBase(wired.base, tree.path)) continue;
      return this.#tell("reach", folder, tree);
    }
  }

  #replaced(path: PathValue, cause: Cause): void {
    if (path.pattern) return this.namedBy(path, true, "replace", cause);
    const environment = this.#environment;
    for (const folder of formsOf(path)) {
      const wired = wiringIn(folder);
      if (wired ? this.#isBase(wired.base, path) : wiringFile(folder)) return this.#tell("replace", folder, cause);
      if (wired || isVague(path, folder, cause)) continue;
      const file = isAboveHome(folder, this.#home) ? folder : this.#first(folder);
      if (file !== undefined) return this.#tell("reach", file, cause);
    }
    if (pathClass("engine_folder", path, environment, "any") && !pathClass("protected_root", path, environment, "any"))
      this.#tell("replace", path.lexical, cause);
  }

  /** Reports the first wiring file that a patch names; an unreadable patch may reach any in the repository. */
  #patched(tree: Tree): void {
    const { path, patch } = tree;
    const text = patch === undefined ? undefined : this.#text(patch);
    if (text === undefined) return this.#ofRepository(tree, true);
    for (const file of patchedFiles(`${text}\n`).slice(0, 1_024)) {
      const named = this.#sink.resolve(file.path, path.lexical, false);
      for (const one of formsOf(named))
        if (wiringFile(one)) return this.#tell(file.change === "delete" ? "remove" : "replace", one, tree);
    }
  }

  /** Checks the files of a repository that git or a patch changes. */
  #ofRepository(tree: Tree, anyhow = false): void {
    if (tree.path.pattern) return this.#matching(tree);
    for (const folder of formsOf(tree.path)) {
      if (isVague(tree.path, folder, tree)) continue;
      if (anyhow && isAboveHome(folder, this.#home)) return this.#tell("reach", folder, tree);
      const root = this.#rootOf(folder);
      const file = this.#all().find((one) => beneath(one, root) !== undefined && this.#isChanged(one, root, tree.how));
      if (file !== undefined) return this.#tell("reach", file, tree);
    }
  }

  /** Files of a repository that a pattern of git names. */
  #matching(tree: Tree): void {
    if (isAboutWiring(tree.path, true)) return this.#tell("replace", tree.path.lexical, tree);
    const file = this.#all().find((one) => mayName(tree.path, one) && this.#isChanged(one, "", tree.how));
    if (file !== undefined) this.#tell("reach", file, tree);
  }

  /** Returns the repository of a folder: the one that holds `.git`, else the folder itself. */
  #rootOf(folder: string): string {
    return repositoryOf(folder, { lookup: (path) => ({ kind: this.#stands(path) ? "directory" : "absent" }) });
  }

  /**
   * True if a git operation may change the file. Git's index is not read: a file that mentions the guard and is not ignored may
   * be tracked.
   */
  #isChanged(file: string, root: string, how: Tree["how"]): boolean {
    if (how === "ignored") return true;
    const name = beneath(file, root) ?? "";
    const lists = [".gitignore", ".git/info/exclude"].map((one) => this.#text(`${root}/${one}`, ignoreLength) ?? "");
    if (lists.some((list) => ignores(list, name))) return false;
    if (how === "untracked" || !/\.(?:json|jsonc|toml)$/.test(file)) return true;
    return this.#text(file)?.includes("hookwarden") ?? true;
  }

  /**
   * True for a folder in which this session, or a later one of a user, may start: a home folder, or a folder above or inside the
   * workspace.
   */
  #isBase(folder: string, path: PathValue): boolean {
    const { cwd, workspace } = this.#environment;
    if (path.loose === true || folder === "/" || /^\/(?:root|(?:home|Users)\/[^/]+)$/.test(folder)) return true;
    const own = [this.#home, placeOf(workspace), placeOf(cwd)].filter((one) => one !== "");
    return own.some(
      (one) => beneath(one, folder) !== undefined || (one !== this.#home && beneath(folder, one) !== undefined),
    );
  }

  /** True for an existing folder of a host that holds none of its wiring. */
  #isEmptyOf(folder: string, { rows }: WiringFolder): boolean {
    if (!this.#isFolder(folder) || rows.includes("")) return false;
    return !rows.some((row) => this.#stands(`${folder}/${row}`));
  }

  #isFolder(path: string): boolean {
    spend(lookupUnits);
    return this.#sink.files.lookup(path).kind === "directory";
  }

  /** Returns the first existing file below a folder that guards this session. */
  #first(folder: string, byGit = false): string | undefined {
    const root = byGit ? this.#rootOf(folder) : folder;
    return this.#all(folder).find((file) => file !== folder && (!byGit || this.#isChanged(file, root, "untracked")));
  }

  /** Lists existing files that guard this session: all of them, or only those below a folder. */
  #all(folder?: string): readonly string[] {
    if (folder === undefined && this.#standing) return this.#standing;
    const { cwd, workspace } = this.#environment;
    const bases = new Set([workspace, cwd].map(placeOf).filter((base) => base.startsWith("/") && base !== this.#home));
    const places = [
      ...(this.#home === "" ? [] : homeWiring.map((row) => `${this.#home}/${row}`)),
      ...[...bases].flatMap((base) => projectWiring.map((row) => `${base === "/" ? "" : base}/${row}`)),
    ];
    spend(places.length);
    const below = folder === undefined ? places : places.filter((place) => beneath(place, folder) !== undefined);
    const standing = below.filter((place) => this.#stands(place));
    if (folder === undefined) this.#standing = standing;
    return standing;
  }

  /** True if the place exists. Folders that no host has are looked up once. */
  #stands(place: string): boolean {
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    spend(lookupUnits);
    const parent = place.slice(0, place.lastIndexOf("/"));
    const stands =
      (!/\/\.\w[^/]*$/.test(parent) || this.#stands(parent)) && this.#sink.files.lookup(place).kind !== "absent";
    this.#known.set(place, stands);
    return stands;
  }

  #text(path: string, most = patchLength): string | undefined {
    spend(lookupUnits);
    const text = this.#sink.files.readText(path, most);
    if (text !== undefined) spendText(text.length);
    return text;
  }

  #tell(how: "remove" | "replace" | "reach", place: string, cause: Cause): void {
    const { via, command, reachable } = cause;
    this.#sink.begin({ via, command, cwd: "", certain: happensIfReached(cause), reached: reachable !== true });
    this.#sink.config(`guard ${how} ${place}`);
  }
}

function formsOf(path: PathValue): readonly string[] {
  const forms = path.real === path.lexical ? [path.lexical] : [path.lexical, path.real];
  return path.fold ? forms.map((form) => form.toLowerCase()) : forms;
}

/** True for the root and its like where only an unknown word may name it: that is the matter of other rules. */
function isVague(path: PathValue, folder: string, cause: Cause): boolean {
  return (
    path.loose === true || (!happensIfReached(cause) && folder.split("/").filter((part) => part !== "").length < 1)
  );
}

/** Returns a line without slashes at its end, and without stars after a slash. */
function withoutFolderEnd(line: string): string {
  const bare = withoutEnd(line, "/*");
  const slash = line.indexOf("/", bare.length);
  return slash < 0 ? line : line.slice(0, slash);
}

/** True if a list of ignored files has a line for the file or a folder above it; lines that negate another are not considered. */
function ignores(list: string, name: string): boolean {
  const lines = list.split("\n");
  spend(lines.length);
  const parts = name.split("/");
  const base = parts.at(-1) ?? "";
  return lines.some((given) => {
    const line = withoutFolderEnd(given.trim()).replace(/^\//, "");
    if (line === "" || line.startsWith("#") || line.startsWith("!")) return false;
    return name === line || name.startsWith(`${line}/`) || base === line || line === `**/${base}`;
  });
}
