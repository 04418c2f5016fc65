import { patternText, type Text } from "../../schema/approximation.ts";
import { type Field, piecesOf } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import { isAddress, remove, runs, writes } from "./git-effects.ts";
import { at, here, workTree } from "./git-pathspec.ts";
import type { Call } from "./program.ts";
import { spelled } from "./spelled.ts";

/**
 * Reports the effects of git commands on work and history, in addition to their effects on files, as `config` effects (a folder
 * ends in `/**`):
 *
 *     git discard changes[/<path>] | untracked[/<path>] | ignored[/<path>] | stash | branch/<name> | worktree/<path> | submodule/<path>
 *     git erase reflog | objects
 *     git rewrite current | branch/<name> | history
 *     git skip hooks
 *
 * `discard` loses work that exists nowhere else, all of it if no path is given. `erase` removes the last way to restore it.
 * `rewrite` replaces commits that others may have. Source: git(1) and related pages; threats page, class 18.
 */
function tell(call: Call, what: Text, certain = true): void {
  call.to.config(spelled`git ${what}`, certain);
}

const wholeTree = /^(?:\.{0,2}\/?|:\/|:\(top\).*|:|\*+|\.\/\*+)$/;

function discardEach(call: Call, kind: string, paths: readonly Field[]): void {
  for (const path of paths) {
    const folder = path.text.endsWith("/") || path.kind === "pattern" || !isFile(path.text);
    const what = wholeTree.test(path.text) ? kind : `${kind}/${withoutEnd(path.text, "/")}${folder ? "/**" : ""}`;
    // A word that may be several, or none, may also be the whole tree.
    if (path.kind !== "unknown" || path.open) tell(call, `discard ${what}`, path.kind !== "unknown");
    else tell(call, spelled`discard ${kind}/${path}`, false);
  }
}

/** True for the name of a file: with an ending, a leading dot, or capitals as in `Makefile` and `LICENSE`. */
function isFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /^[A-Z]/.test(name) || (name.includes(".") && !/^\.{0,2}$/.test(name) && !name.endsWith("."));
}

/** `git reset --hard` loses every change that is not committed, `--merge` those that are staged. */
export function reset(call: Call): void {
  if (call.has("--hard") || call.has("--merge")) tell(call, "discard changes");
}

/** `git checkout` and `git switch`: force, whole trees, paths behind `--`, and branches that are set anew. */
export function checkout(call: Call): void {
  switches(call);
  if (call.has("--force") || call.has("--discard-changes")) tell(call, "discard changes");
  const dashes = call.words.findIndex((word) => word.text === "--");
  const named = dashes < 0 ? call.operands.filter((word) => wholeTree.test(word.text)) : call.words.slice(dashes + 1);
  if (!call.has("--patch")) discardEach(call, "changes", named);
  for (const option of ["-B", "--force-create"])
    for (const name of call.values(option)) tell(call, `rewrite branch/${name.text}`, name.kind !== "unknown");
}

/** Reports the branch of the work tree after `git checkout` or `git switch`, if it changes. */
function switches(call: Call): void {
  const created = ["-b", "-B", "--create", "--force-create", "--orphan"].map((name) => call.value(name)).find(Boolean);
  const [first, ...more] = call.operands;
  const hasPaths = call.words.some((word) => word.text === "--") || call.has("--patch");
  if (created) return call.to.onBranch(branchText(created));
  if (!first || hasPaths || call.has("--pathspec-from-file")) return;
  // Paths follow a commit; a name that reads like a file may be one, or a branch.
  if (call.subcommand === "checkout" && more.length > 0 && !call.has("--track")) return;
  const isName =
    first.kind === "literal" && /^[\w][\w./-]*$/.test(first.text) && !/^(?:HEAD|FETCH_HEAD)$/.test(first.text);
  const mayBePath = call.subcommand === "checkout" && /^\.|\/$|\.\w{1,5}$/.test(first.text);
  if (mayBePath && first.kind === "literal") return;
  const isLoose = call.has("--detach") || call.has("--track") || /^[0-9a-f]{7,40}$/.test(first.text);
  call.to.onBranch(
    isName && !isLoose ? first.text : first.kind === "unknown" && !isLoose ? branchText(first) : undefined,
  );
}

function branchText(word: Field): Text {
  return word.kind === "literal" ? word.text : patternText(piecesOf(word));
}

/** `git branch -m` renames the current branch, or one that may be it. */
function renames(call: Call): void {
  if (!call.has("--move") && !call.has("-M")) return;
  const [old, renamed] = call.operands;
  if (old) call.to.onBranch(renamed ? undefined : branchText(old));
}

/** `git restore`: the index alone may be made anew at any time. */
export function restore(call: Call): void {
  if (call.has("--patch") || (call.has("--staged") && !call.has("--worktree"))) return;
  discardEach(call, "changes", call.operands);
}

/** `git clean`: files that git does not know, with `-x` those too that it ignores. */
export function cleaned(call: Call): void {
  if (call.has("--dry-run") || call.has("--interactive")) return;
  const kind = call.has("-x") || call.has("-X") ? "ignored" : "untracked";
  if (call.operands.length === 0) tell(call, `discard ${kind}`);
  else discardEach(call, kind, call.operands);
}

/** `git read-tree --reset -u`: the work tree becomes that of a commit, and changes in it are lost. */
export function treeRead(call: Call): void {
  if ((call.has("--reset") && call.has("-u")) || call.has("--reset-i")) {
    tell(call, "discard changes");
    call.to.write(at(call, here(call)));
    call.to.tree(workTree(call), "tracked");
  }
}

/** `git checkout-index`: files come back as the index has them, with force over what is there. */
export function indexWritten(call: Call): void {
  const folder = call.value("--prefix");
  if (folder && !/^(?:\.\/*)*$/.test(folder.text)) {
    call.to.write(at(call, folder));
    return call.to.tree(at(call, folder), "replaced");
  }
  writes(call);
  if (!call.has("--force")) return;
  discardEach(call, "changes", call.operands);
  if (!call.has("--all") && !call.has("--stdin")) return;
  tell(call, "discard changes");
  call.to.write(at(call, here(call)));
  call.to.tree(workTree(call), "tracked");
}

/** `git stash drop` and `clear`. */
export function stashed(call: Call): void {
  if (call.operands[0]?.text === "branch") call.to.onBranch(undefined);
  if (/^(?:drop|clear)$/.test(call.operands[0]?.text ?? "")) tell(call, "discard stash");
}

/** `git branch`: `-D` loses commits that are on no other branch, `-f`, `-M` and `-C` set a branch anew. */
export function branched(call: Call): void {
  renames(call);
  const force = call.has("--force");
  if (call.has("-D") || (force && call.has("--delete"))) {
    for (const name of call.operands) tell(call, `discard branch/${name.text}`, name.kind !== "unknown");
    return;
  }
  const moves = call.has("-M") || call.has("-C") || (force && (call.has("--move") || call.has("--copy")));
  const target = moves ? call.operands.at(-1) : force ? call.operands[0] : undefined;
  if (target) tell(call, `rewrite branch/${target.text}`, target.kind !== "unknown");
}

/** `git commit`: amending replaces the last commit. */
export function committed(call: Call): void {
  if (call.has("--amend") && !call.has("--dry-run")) tell(call, "rewrite current");
  skipsHooks(call);
}

/** `git rebase`: replaces the commits of the branch that is named last, else of the current one. */
export function rebased(call: Call): void {
  skipsHooks(call);
  if (["--abort", "--continue", "--skip", "--quit", "--edit-todo"].some((name) => call.has(name))) return;
  const branch = call.operands[1];
  if (branch) call.to.onBranch(branchText(branch));
  tell(call, branch ? `rewrite branch/${branch.text}` : "rewrite current", branch?.kind !== "unknown");
}

/** `git update-ref` on a branch sets it anew. */
export function moved(call: Call): void {
  const [ref] = call.operands;
  const name = /^refs\/heads\/(.+)$/s.exec(ref?.text ?? "")?.[1];
  if (ref?.text === "HEAD") call.to.onBranch(undefined);
  if (name !== undefined) tell(call, `${call.has("--delete") ? "discard" : "rewrite"} branch/${name}`);
}

const expiring: ReadonlySet<string> = new Set(["expire", "delete", "drop"]);

/** `git reflog expire`: lost commits are found again by the list of former branch tips. */
export function forgets(call: Call): void {
  if (expiring.has(call.operands[0]?.text ?? "") && !call.has("--dry-run")) tell(call, "erase reflog");
}

/** `git gc --prune=now` and `git prune`: objects that nothing names are gone at once. */
export function collects(call: Call): void {
  const prune = call.value("--prune")?.text;
  if (call.subcommand === "prune" ? !call.has("--dry-run") : prune !== undefined && prune !== "never")
    tell(call, "erase objects");
  if (call.subcommand === "gc") runs(call);
}

/** `git worktree`: adds or removes a work tree; with force also one that holds changes. */
export function workTrees(call: Call): void {
  const [verb, path] = call.operands;
  if (verb?.text === "add" && path) {
    call.to.newTree();
    call.to.write(at(call, path));
    call.to.tree(at(call, path), "replaced");
  }
  if (verb?.text !== "remove" || !path) return;
  call.to.delete(at(call, path), true);
  if (call.has("--force")) tell(call, spelled`discard worktree/${path}`, path.kind !== "unknown");
}

/** `git submodule`: `add` downloads a repository, `deinit --force` loses the changes in one. */
export function submodules(call: Call): void {
  const [verb, first, folder] = call.operands;
  if (verb?.text === "deinit" && call.has("--force")) {
    if (call.operands.length < 2) tell(call, "discard submodule/*");
    for (const path of call.operands.slice(1)) tell(call, spelled`discard submodule/${path}`, path.kind !== "unknown");
  }
  if (verb?.text === "add" && first) {
    if (isAddress(first)) call.to.network(first, "download");
    if (folder) call.to.write(at(call, folder));
  }
  runs(call);
}

/** `git filter-branch` and `git filter-repo` replace every commit. */
export function filtered(call: Call): void {
  tell(call, "rewrite history");
  runs(call);
}

/** `git rm` with force loses the changes in the files it removes. */
export function removed(call: Call): void {
  remove(call);
  if (call.has("--force") && !call.has("--cached") && !call.has("--dry-run"))
    discardEach(call, "changes", call.operands);
}

/** Variables that make hook managers skip the hooks. */
const skipping: ReadonlyMap<string, RegExp> = new Map([
  ["HUSKY", /^0$/],
  ["HUSKY_SKIP_HOOKS", /^(?:1|true)$/],
  ["LEFTHOOK", /^(?:0|false)$/],
  ["LEFTHOOK_EXCLUDE", /./],
  ["SKIP", /./],
  ["OVERCOMMIT_DISABLE", /^1$/],
]);

/** `--no-verify`, and the variables of hook managers: the checks of the project do not run. */
export function skipsHooks(call: Call): void {
  const told = [...call.draft.env].some(([name, value]) => skipping.get(name)?.test(value.text) === true);
  if (told || call.has("--no-verify")) tell(call, "skip hooks");
}

/** Reports for `merge` and similar commands that they write git's folder, and whether they skip hooks. */
export function merged(call: Call): void {
  skipsHooks(call);
  if (call.has("--check")) return;
  call.to.write(at(call, here(call)));
  const isPatch = call.subcommand === "am" || call.subcommand === "apply";
  if (call.has("--abort") || (isPatch && ["--stat", "--cached", "--numstat"].some((name) => call.has(name)))) return;
  if (!isPatch || call.operands.length === 0) call.to.tree(workTree(call), isPatch ? "patched" : "tracked");
  else for (const file of call.operands) call.to.tree(workTree(call), "patched", file);
}

/** `git sparse-checkout`: files of the work tree come and go. */
export function sparse(call: Call): void {
  if (call.operands[0]?.text === "list") return;
  call.to.write(at(call, here(call)));
  call.to.tree(workTree(call), "tracked");
}
