import {
  branch,
  clean,
  clone,
  committedContents,
  config,
  credentials,
  fetches,
  givenByVariables,
  move,
  overwritten,
  rebase,
  remotes,
  runs,
  searched,
  settings,
  stash,
  templates,
  writes,
} from "./git-effects.ts";
import { changesElsewhere } from "./git-elsewhere.ts";
import { gitGlobals } from "./git-globals.ts";
import {
  branched,
  checkout,
  cleaned,
  collects,
  committed,
  filtered,
  forgets,
  indexWritten,
  merged,
  moved,
  rebased,
  removed,
  reset,
  restore,
  sparse,
  stashed,
  submodules,
  treeRead,
  workTrees,
} from "./git-history.ts";
import { at, here, inGit, pathspecs, workTree } from "./git-pathspec.ts";
import { push, sendPack } from "./git-push.ts";
import { optionList } from "./grammar.ts";
import { type Program, readAll, subcommand } from "./program.ts";
import { tracked } from "./taken.ts";

const pathOptions = ["--pathspec-from-file=", "-q --quiet", "-v --verbose"];

/** git: every subcommand has its own row; aliases and unknown subcommands are opaque. Source: git(1) and related pages. */
export const git: Program = {
  names: ["git"],
  grammar: gitGlobals,
  subcommands: [
    subcommand(
      "status log show blame shortlog describe rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev whatchanged annotate version help show-ref for-each-ref check-ignore count-objects var range-diff cherry verify-commit fsck diff-tree diff-index diff-files",
      optionList(`
    -n --max-count=; --format=; --pretty=?; --since=; --until=; --author=; --grep=; -S=; -G=; -L=;
    --output=; -p --patch -u; --name-only; --name-status; --stat=?
  `),
      (call) => {
        const file = call.value("--output");
        if (file) call.to.write(file);
        committedContents(call);
      },
    ),
    subcommand(
      "reflog",
      ["-n --max-count=", "--format=", "--expire=", "--expire-unreachable=", "--all", "--dry-run", "-g", "--date="],
      forgets,
    ),
    subcommand(
      "diff",
      optionList(`
    -U --unified=; -S=; -G=; --output=; --stat=?; --diff-filter=; --ext-diff; --no-index; --cached
    --staged; --name-only; --name-status
  `),
      (call) => {
        const file = call.value("--output");
        if (file) call.to.write(file);
        if (call.has("--no-index")) readAll(call);
        else committedContents(call);
      },
    ),
    subcommand(
      "grep",
      optionList(`
    -e=; -f=; -O --open-files-in-pager=?; -A=; -B=; -C=; -m --max-count=; -i; -n; -l; -w; -E; -F; -P
  `),
      searched,
    ),
    subcommand(
      "add stage",
      [
        ...pathOptions,
        ...["-A --all", "-u --update", "-p --patch", "-n --dry-run", "-f --force", "-i --interactive"],
        ...["-N --intent-to-add", "-e --edit", "--chmod="],
      ],
      (call) => {
        if (call.has("--dry-run")) return;
        const takes = call.has("--force") ? undefined : tracked;
        for (const { path } of pathspecs(call, call.operands)) call.to.read(path, { recursive: true, takes });
        const all = call.operands.length === 0 && (call.has("--all") || call.has("--update"));
        if (all) call.to.read(workTree(call), { recursive: true, takes });
      },
    ),
    subcommand(
      "commit",
      optionList(`
    -m --message=; -F --file=; -C --reuse-message=; -c --reedit-message=; -t --template=; --author=; --date=;
    --fixup=; --squash=; --cleanup=; --trailer=; -S --gpg-sign=?; -u --untracked-files=?; -a --all; --amend;
    --no-edit; --allow-empty; -n --no-verify; -s --signoff; -q --quiet; -v --verbose; -e --edit; -o --only; -i
    --include; -p --patch; --interactive; --dry-run; --short; --branch; --porcelain; --long; -z --null;
    --status; --post-rewrite; --reset-author; --pathspec-from-file=; --allow-empty-message
  `),
      (call) => {
        for (const name of ["--file", "--template"])
          for (const file of call.values(name)) if (file.text !== "-") call.to.read(file);
        committed(call);
      },
    ),
    subcommand(
      "push",
      optionList(`
    -f --force; --force-with-lease=?; --force-if-includes; --no-force-with-lease; --mirror; -d --delete; --all;
    --branches; --tags; --follow-tags; --prune; -u --set-upstream; -n --dry-run; --porcelain; -q --quiet; -v
    --verbose; --no-verify; --verify; --atomic; --repo=; -o --push-option=; --receive-pack=; --exec=; --signed=?;
    --progress; --thin; --recurse-submodules=; -4 --ipv4; -6 --ipv6
  `),
      push,
    ),
    subcommand(
      "send-pack",
      optionList(`
    -f --force; --mirror; --all; -n --dry-run; --stdin; --receive-pack=; --exec=; --remote=; -v --verbose; -q --quiet;
    --thin; --atomic; --signed=?; --push-option=; --progress
  `),
      sendPack,
    ),
    subcommand(
      "fetch",
      optionList(`
    -a --append; --all; -p --prune; --depth=; --deepen=; --shallow-since=; --upload-pack=; -j --jobs=;
    -t --tags; -n --no-tags; -f --force; -q --quiet; -v --verbose; -u --update-head-ok; -o
    --server-option=; --refmap=; --recurse-submodules=?
  `),
      fetches,
    ),
    subcommand(
      "pull",
      optionList(`
    -r --rebase=?; --no-rebase; --ff-only; --ff; --no-ff; -a --append; --all; -p --prune; --depth=; -s --strategy=;
    -X --strategy-option=; --upload-pack=; -j --jobs=; -t --tags; -f --force; -q --quiet; -v --verbose; --autostash;
    -S --gpg-sign=?
  `),
      (call) => {
        fetches(call);
        call.to.write(at(call, here(call)));
        call.to.tree(workTree(call), "tracked");
      },
    ),
    subcommand("sparse-checkout", ["--cone", "--no-cone", "--stdin"], sparse),
    subcommand(
      "ls-remote",
      optionList(`
    --upload-pack=; -h --heads; -t --tags; --sort=; -o --server-option=; -q --quiet; --exit-code
  `),
      fetches,
    ),
    subcommand(
      "clone",
      optionList(`
    -b --branch=; -o --origin=; -u --upload-pack=; --depth=; --reference=; --template=; -c --config=; -j
    --jobs=; --filter=; --separate-git-dir=; --shallow-since=; --recurse-submodules=?; --bare; --mirror;
    -n --no-checkout; -q --quiet; -v --verbose; -l --local; -s --shared; --single-branch; --no-tags;
    --bundle-uri=
  `),
      clone,
    ),
    subcommand(
      "clean",
      optionList(`
    -d; -f --force; -i --interactive; -n --dry-run; -q --quiet; -e --exclude=; -x; -X
  `),
      (call) => {
        clean(call);
        cleaned(call);
      },
    ),
    subcommand(
      "reset",
      optionList(`
    --hard; --soft; --mixed; --merge; --keep; -q --quiet; -p --patch; -N --intent-to-add;
    --pathspec-from-file=
  `),
      (call) => {
        overwritten(call);
        reset(call);
      },
    ),
    subcommand(
      "checkout switch",
      optionList(`
    -b=; -B=; -c --create=; -C --force-create=; --orphan=; -f --force; --discard-changes; -t --track=?;
    -d --detach; -m --merge; --ours; --theirs; -p --patch; -q --quiet; --conflict=;
    --pathspec-from-file=
  `),
      (call) => {
        overwritten(call);
        checkout(call);
      },
    ),
    subcommand(
      "restore",
      optionList(`
    -s --source=; -S --staged; -W --worktree; -p --patch; -q --quiet; --ours; --theirs; -m --merge;
    --conflict=; --pathspec-from-file=
  `),
      (call) => {
        writes(call);
        restore(call);
      },
    ),
    subcommand(
      "rm",
      optionList(`
    -f --force; -n --dry-run; -r; --cached; -q --quiet; --ignore-unmatch; --pathspec-from-file=
  `),
      removed,
    ),
    subcommand("mv", ["-f --force", "-k", "-n --dry-run", "-v --verbose"], move),
    subcommand(
      "config",
      optionList(`
    --global; --system; --local; --worktree; -f --file=; --blob=; --get; --get-all; --get-regexp;
    --get-urlmatch; -l --list; --unset; --unset-all; --add; --replace-all; -e --edit; --remove-section;
    --rename-section; -z --null; --name-only; --show-origin; --show-scope; -t --type=; --bool; --int;
    --path; --default=; --includes
  `),
      config,
    ),
    subcommand(
      "branch",
      optionList(`
    -d --delete; -D; -m --move; -M; -c --copy; -C; -f --force; -a --all; -r --remotes; -v --verbose; -u
    --set-upstream-to=; --unset-upstream; -l --list; --show-current; --contains=?; --no-contains=?;
    --merged=?; --no-merged=?; --points-at=; --sort=; --format=; -t --track=?; --no-track; -q --quiet; -i --ignore-case;
    --color=?; --no-color; --column=?; --no-column; --abbrev=?; --no-abbrev; --omit-empty; --create-reflog; --edit-description
  `),
      (call) => {
        branch(call);
        branched(call);
      },
    ),
    subcommand(
      "tag",
      optionList(`
    -d --delete; -a --annotate; -f --force; -m --message=; -F --file=; -l --list; -n=?; -s --sign; -u
    --local-user=; --no-sign; -v --verify; --sort=; --format=; --contains=?; --no-contains=?; --merged=?; --no-merged=?;
    --points-at=?; -e --edit; --cleanup=; --trailer=; --create-reflog; -i --ignore-case; --color=?; --column=?; --no-column;
    --omit-empty
  `),
      (call) => {
        if (call.has("--delete"))
          for (const name of call.operands) call.to.delete(inGit(call, "refs/tags/", name), false);
      },
    ),
    subcommand(
      "stash",
      optionList(`
    -m --message=; -u --include-untracked; -a --all; -k --keep-index; -p --patch; -q --quiet; -S
    --staged; --stat; --name-only; --name-status
  `),
      (call) => {
        stash(call);
        stashed(call);
        if (call.operands[0]?.text === "show") committedContents(call);
      },
    ),
    subcommand(
      "merge cherry-pick revert am apply",
      optionList(`
    -m=; -s --strategy=; -X --strategy-option=; --abort; --continue; --no-ff; --ff-only; --squash; -F
    --file=; -x; -n --no-commit; -3 --3way; -p=; --check; --stat; -R --reverse; --directory=;
    --exclude=; --include=; --no-verify
  `),
      (call) => {
        if (call.subcommand === "am" || call.subcommand === "apply") {
          readAll(call);
          const folder = call.value("--directory");
          if (folder) call.to.write(folder);
        }
        merged(call);
      },
    ),
    subcommand(
      "rebase",
      optionList(`
    -x --exec=; -i --interactive; --onto=; --abort; --continue; --skip; -s --strategy=; -X
    --strategy-option=; --autosquash; --root; -f --force-rebase; -q --quiet; --quit; --edit-todo; --no-verify
  `),
      (call) => {
        rebase(call);
        rebased(call);
      },
    ),
    subcommand(
      "remote",
      optionList(`
    -v --verbose; -f; -t=; -m=; --tags; --mirror=?; --push; --add; --delete; --all
  `),
      remotes,
    ),
    subcommand(
      "init",
      ["-q --quiet", "--bare", "--template=", "--separate-git-dir=", "-b --initial-branch=", "--shared=?"],
      (call) => {
        call.to.newTree();
        call.to.write(at(call, call.operands[0] ?? here(call)));
        templates(call);
      },
    ),
    subcommand("worktree", ["-f --force", "-b=", "-B=", "-d --detach", "--lock"], workTrees),
    subcommand("credential credential-store credential-cache", ["--file=", "--socket=", "--timeout="], credentials),
    subcommand("bisect", [], (call) => {
      runs(call);
      if (!/^(?:log|visualize|view|terms)?$/.test(call.operands[0]?.text ?? ""))
        call.to.tree(workTree(call), "tracked");
      call.to.onBranch(undefined);
    }),
    subcommand("symbolic-ref", ["-q --quiet", "--short", "-d --delete", "-m="], (call) => {
      if (call.operands.length > 1) call.to.onBranch(undefined);
    }),
    subcommand("difftool mergetool hook maintenance daemon send-email svn p4 lfs", [], runs),
    subcommand("filter-branch filter-repo", [], filtered),
    subcommand(
      "checkout-index",
      [
        "-f --force",
        "-a --all",
        "-u --index",
        "-q --quiet",
        "-n --no-create",
        "--prefix=",
        "--stage=",
        "--temp",
        "--stdin",
        "-z",
      ],
      indexWritten,
    ),
    subcommand("read-tree", ["-u", "-m", "--reset", "-i", "-n --dry-run", "--prefix=", "-v"], treeRead),
    subcommand("gc", ["--prune=?", "--aggressive", "--auto", "-q --quiet", "--force"], collects),
    subcommand("prune", ["-n --dry-run", "-v --verbose", "--expire="], collects),
    subcommand(
      "submodule",
      optionList("-f --force; --all; -b --branch=; --depth=; --name=; --reference=; -q --quiet; --init; --recursive"),
      submodules,
    ),
    subcommand("update-ref", ["-d --delete", "-m=", "--no-deref", "--stdin"], (call) => {
      const [ref] = call.operands;
      if (ref && call.has("--delete")) call.to.delete(inGit(call, "", ref), false);
      else if (ref) call.to.write(inGit(call, "", ref));
      moved(call);
    }),
    subcommand("bundle", ["-q --quiet", "--progress", "--version=", "--all", "--branches=?", "--tags=?"], (call) => {
      const [verb, file] = call.operands;
      if (!file || file.text === "-") return;
      if (verb?.text === "create") call.to.write(at(call, file));
      else call.to.read(at(call, file));
    }),
    subcommand(
      "archive",
      ["-o --output=", "--remote=", "--exec=", "--format=", "--prefix=", "-v --verbose"],
      (call) => {
        const output = call.value("--output");
        if (output) call.to.write(output);
        const remote = call.value("--remote");
        if (remote) call.to.network(remote, "download");
        const run = call.value("--exec");
        if (run) call.to.run(run.text);
      },
    ),
  ],
  effects(call) {
    for (const setting of call.values("-c")) settings(call, setting);
    givenByVariables(call);
    changesElsewhere(call);
    if (call.subcommand !== "") return;
    const [verb] = call.operands;
    if (!verb) return;
    call.to.run(`git ${verb.text}`);
    call.to.doubt("the git subcommand is not known");
  },
};
