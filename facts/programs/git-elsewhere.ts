import type { Field } from "../shell/fields.ts";
import { gitFolder, namesRepository, started } from "./git-pathspec.ts";
import type { Call } from "./program.ts";

/** Subcommands that change the repository itself: its objects, refs or index. */
const changing: ReadonlySet<string> = new Set(
  (
    "add stage am bisect branch checkout cherry-pick commit fetch filter-branch filter-repo gc init merge mv notes prune pull " +
    "read-tree rebase reflog remote replace reset restore revert rm sparse-checkout stash submodule switch symbolic-ref tag " +
    "update-index update-ref worktree"
  ).split(" "),
);

/** First operands with which a subcommand only shows something, by subcommand. */
const showing: ReadonlyMap<string, RegExp> = new Map([
  ["bisect", /^(?:log|view|visualize|terms)?$/],
  ["notes", /^(?:list|show|get-ref)?$/],
  ["reflog", /^(?!expire|delete|drop)/],
  ["remote", /^(?:show|get-url)?$/],
  ["sparse-checkout", /^(?:list)?$/],
  ["stash", /^(?:list|show)$/],
  ["submodule", /^(?:status|summary|foreach)?$/],
  ["worktree", /^(?:list)?$/],
  ["branch", /^$/],
  ["tag", /^$/],
]);
const listing = [
  ...["--list", "-l", "--show-current", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"],
  ...["--get", "--dry-run", "-n"],
];

/**
 * Reports for a command that changes a repository elsewhere (`git -C ../other commit`, `--git-dir`, `GIT_DIR`) that the folder of
 * that repository is written. The repository of the command's own folder is not reported.
 */
export function changesElsewhere(call: Call): void {
  if (!changing.has(call.subcommand) || onlyShows(call)) return;
  const folder = namesRepository(call) ? gitFolder(call) : started(call);
  if (folder && leaves(folder, call.draft.cwd)) call.to.write(gitFolder(call));
}

function onlyShows(call: Call): boolean {
  if (call.has("--dry-run")) return true;
  if (/^(?:branch|tag)$/.test(call.subcommand) && listing.some((name) => call.has(name))) return true;
  if (call.subcommand === "symbolic-ref" && call.operands.length < 2) return true;
  const changed = ["-d", "--delete", "-D", "-m", "--move", "-M", "--unset-upstream", "--set-upstream-to"];
  const isChanged = call.subcommand === "branch" && changed.some((name) => call.has(name));
  return !isChanged && showing.get(call.subcommand)?.test(call.operands[0]?.text ?? "") === true;
}

/** True for a folder outside of the command's own. */
function leaves({ kind, text }: Field, cwd: string): boolean {
  if (kind === "unknown") return false;
  if (/^(?:\.\/)*\.\.(?:\/|$)/.test(text)) return true;
  return (
    /^[/~]/.test(text) &&
    !`${text}/`.startsWith(`${cwd}/`) &&
    !`${cwd}/`.startsWith(`${text.replace(/\/\.git\/?$/, "")}/`)
  );
}
