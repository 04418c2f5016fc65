import { spend } from "../meter.ts";
import { type Field, homeField, knownBeginning, mayBeMore, shapeOf, textOfField, withText } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import { beginsOpen } from "./addresses.ts";
import { at, here, inGit, pathspecs, workTree } from "./git-pathspec.ts";
import { givenSettings, settingAddress } from "./git-settings.ts";
import { optionList } from "./grammar.ts";
import type { Call } from "./program.ts";
import { spelled } from "./spelled.ts";
import { tracked } from "./taken.ts";

/** Writes each operand, as `git restore` does. */
export function writes(call: Call): void {
  for (const { path } of pathspecs(call, call.operands)) call.to.write(path);
  if (!call.has("--staged") || call.has("--worktree")) checkedOut(call, call.operands);
}

/** Reports paths that are restored from a commit or the index; for the whole tree only tracked files count. */
export function checkedOut(call: Call, paths: readonly Field[]): void {
  for (const { path, whole } of pathspecs(call, paths))
    call.to.tree(path, whole || /\/?\*\*(?:\/|$)/.test(path.text) ? "tracked" : "replaced");
  if (call.has("--pathspec-from-file")) call.to.tree(workTree(call), "tracked");
}

/** `git reset`, `checkout`, `switch`: operands that look like paths are written, with force the whole work tree. */
export function overwritten(call: Call): void {
  const named = call.operands.filter((word) => /[./*]/.test(word.text));
  for (const { path } of pathspecs(call, named)) call.to.write(path);
  if (call.has("--force") || call.has("--hard") || call.has("--discard-changes")) call.to.write(at(call, here(call)));
  if (call.subcommand !== "reset") return switched(call);
  if (["--hard", "--merge", "--keep"].some((option) => call.has(option))) call.to.tree(workTree(call), "tracked");
}

/** `git checkout`, `git switch`: the paths after a commit or `--` if there are any, otherwise all files in which the branches differ. */
function switched(call: Call): void {
  const dashes = call.words.findIndex((word) => word.text === "--" && word.kind === "literal");
  const behind = dashes < 0 ? call.operands.slice(1) : call.words.slice(dashes + 1);
  const created = ["-b", "-c", "--create", "--orphan"].some((option) => call.has(option));
  const [first] = call.operands;
  // One word that ends like a file or begins with a dot is a path; any other may be a branch.
  const isPath = first !== undefined && (/^[.:]|\.\w{1,5}$|\/$/.test(first.text) || first.kind === "pattern");
  if (behind.length > 0) checkedOut(call, behind);
  else if (first && isPath && !created) checkedOut(call, [first]);
  else if (first || !created) call.to.tree(workTree(call), "tracked");
}

/** `git clean`: deletes the operands, or untracked files below the current folder; folders too with `-d`. */
export function clean(call: Call): void {
  if (call.has("--dry-run")) return;
  if (call.operands.length === 0)
    call.to.tree(workTree(call), call.has("-x") || call.has("-X") ? "ignored" : "untracked");
  const paths = pathspecs(call, call.operands.length > 0 ? call.operands : [here(call)]);
  for (const { path, whole } of paths) {
    if (whole && call.operands.length > 0)
      call.to.tree(workTree(call), call.has("-x") || call.has("-X") ? "ignored" : "untracked");
    call.to.delete(path, call.has("-d") || call.operands.length > 0);
  }
}

/** `git rm`: deletes files of the work tree; with `--cached` only the index changes. */
export function remove(call: Call): void {
  if (call.has("--dry-run")) return;
  for (const { path } of pathspecs(call, call.operands)) {
    if (call.has("--cached")) call.to.write(inGit(call, "index"));
    else call.to.delete(path, call.has("-r"));
  }
}

/** `git mv`: every source is taken and disappears, the last operand is written. */
export function move(call: Call): void {
  const target = call.operands.at(-1);
  for (const { path } of pathspecs(call, call.operands.slice(0, -1))) {
    call.to.read(path, { recursive: true });
    call.to.delete(path, true);
  }
  if (target) call.to.write(at(call, target));
  if (target) call.to.tree(at(call, target), "perhaps");
}

const changingOptions = optionList(
  "--unset; --unset-all; --add; --replace-all; --edit; --remove-section; --rename-section",
);

/** `git config`: a setting, and what it makes git run. */
export function config(call: Call): void {
  const [first, second, third] = call.operands;
  const verbs = ["set", "unset", "edit", "rename-section", "remove-section"];
  const reads =
    ["get", "list"].includes(first?.text ?? "") ||
    ["--get", "--get-all", "--get-regexp", "--list", "--get-urlmatch"].some((name) => call.has(name));
  if (reads || !first) return;
  const verb = verbs.includes(first.text);
  const key = verb ? second : first;
  const value = verb ? third : second;
  const told = verb || value !== undefined || changingOptions.some((name) => call.has(name));
  // A word that may be several may be a setting and its value.
  const changing = told || call.operands.some(mayBeMore);
  if (!changing) return;
  const file = call.value("--file");
  const isHome = call.has("--global") || call.has("--system");
  const own = homeField(call.has("--global") ? "~/.gitconfig" : "/etc/gitconfig", call.draft.place);
  call.to.write(file ? at(call, file) : isHome ? own : inGit(call, "config"), told);
  call.to.config(key ? textOfField(key) : "");
  if (value && runsProgram(key?.text ?? "") && !plainAlias(key?.text ?? "", value.text)) call.to.run(value.text);
}

/** True for an alias that runs git itself, because it does not begin with `!`. */
function plainAlias(key: string, value: string): boolean {
  return /^alias\./i.test(key) && !value.startsWith("!");
}

/** Settings whose value git runs. Source: threats page, "git as executor". */
function runsProgram(key: string): boolean {
  return /^(?:core\.(?:fsmonitor|hookspath|pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|alias\.|credential\..*helper|credential\.helper|diff\..*(?:command|textconv)|diff\.external|filter\.|merge\..*driver|pager\.|sequence\.editor|gpg\..*program|gpg\.program|uploadpack\.|remote\..*\.(?:uploadpack|receivepack|vcs)|protocol\.|browser\..*cmd|difftool\.|mergetool\.|interactive\.difffilter|url\..*\.insteadof)/i.test(
    key,
  );
}

function remoteOf(call: Call, index: number): Field | string {
  return call.operands[index] ?? "origin";
}

/** Fetches from a remote given by URL; a remote's name has no address here. */
export function fetches(call: Call): void {
  const upload = call.value("--upload-pack");
  if (upload) {
    call.to.run(upload.text);
    call.to.doubt("git runs a program that it is given");
  }
  call.to.network(remoteOf(call, 0), "download");
}

/** True for a word that git takes for an address, or may: of another host, or of a folder by its address. */
export function isAddress(word: Field): boolean {
  return /^(?:[a-z+]+:\/\/|[^/:]+:)/i.test(shapeOf(word)) || mayGoOn(word);
}

/** True for a word that may continue as an address or a path: its unknown part is at the beginning, or after a user name. */
function mayGoOn(word: Field): boolean {
  if (beginsOpen(word)) return true;
  return word.kind === "unknown" && /^[^/:@]*@[^/:]*$/.test(knownBeginning(word));
}

/** `git clone`: downloads from a URL or reads a local repository, and writes a folder named after it by default. */
export function clone(call: Call): void {
  call.to.newTree();
  const [source, folder] = call.operands;
  if (!source) return;
  if (isAddress(source)) call.to.network(source, "download");
  if (!isAddress(source) || mayGoOn(source)) call.to.read(source, { recursive: true });
  const name = (withoutEnd(source.text, "/").split(/[/:]/).at(-1) ?? "").replace(/\.git$/, "");
  call.to.write(at(call, folder ?? withText(source, name || ".")));
  call.to.tree(at(call, folder ?? withText(source, name || ".")), "replaced");
  const upload = call.value("--upload-pack");
  if (upload) call.to.run(upload.text);
  for (const setting of call.values("--config")) settings(call, setting);
  templates(call);
}

/** `--template`: the hooks of that folder become those of the repository. */
export function templates(call: Call): void {
  const folder = call.value("--template");
  if (!folder || folder.text === "") return;
  call.to.read(folder, { recursive: true });
  call.to.config("init.templateDir", folder.kind !== "unknown");
}

/** Reports settings given by variables: `GIT_CONFIG_KEY_0` and its value, and those that `--config-env` takes from one. */
export function givenByVariables(call: Call): void {
  const { env, moved, place } = call.draft;
  const isGiven = call.words.some((word) => word.text.startsWith("--config-env"));
  if (env.size === 0 && moved.length === 0 && !isGiven) return;
  for (const setting of givenSettings(call.words, new Map([...moved, ...env]), place)) settings(call, setting);
}

/** `-c key=value`: a setting for this one run. */
export function settings(call: Call, setting: Field): void {
  const [key = "", ...value] = setting.text.split("=");
  call.to.config(key);
  const address = settingAddress(setting);
  if (address && (address.text !== "" || address.kind === "unknown")) call.to.network(address, "both");
  if (!runsProgram(key)) return;
  call.to.run(value.join("="));
  call.to.doubt("git runs a program that a setting names");
}

/** `git branch`: deleting a branch deletes its ref; anything else leaves files as they are. */
export function branch(call: Call): void {
  if (call.has("--delete") || call.has("-D"))
    for (const name of call.operands) call.to.delete(inGit(call, "refs/heads/", name), false);
}

/** `git stash`: `drop` and `clear` lose stashed work, other changing verbs write the work tree. */
export function stash(call: Call): void {
  const first = call.operands[0]?.text;
  // `git stash -- paths` is `git stash push -- paths`.
  const verb = first !== undefined && stashVerbs.test(first) ? first : "push";
  if (verb === "list" || verb === "show") return;
  if (verb === "drop" || verb === "clear") call.to.delete(inGit(call, "refs/stash"), false);
  else {
    call.to.write(at(call, here(call)));
    const more = call.has("--include-untracked") || /^(?:pop|apply|branch)$/.test(verb);
    if (verb !== "create" && verb !== "store")
      call.to.tree(workTree(call), call.has("--all") ? "ignored" : more ? "untracked" : "tracked");
  }
  // Paths that are stashed by name are removed from the work tree.
  if (verb !== "push") return;
  for (const path of call.operands.slice(first === verb ? 1 : 0)) call.to.write(at(call, path));
}

const stashVerbs = /^(?:apply|branch|clear|create|drop|export|import|list|pop|push|save|show|store)$/;

/** Reports subcommands that start programs of their own, such as `bisect` or `submodule`: the effects of these are in doubt. */
export function runs(call: Call): void {
  call.to.run(call.operands.map((word) => word.text).join(" ") || `git ${call.subcommand}`);
  call.to.doubt("git runs programs that are not analysed");
}

/** `git rebase`: rewrites the work tree and runs each text given with `--exec`. */
export function rebase(call: Call): void {
  for (const text of call.values("--exec")) {
    call.to.run(text.text);
    call.to.doubt("git runs a program that it is given");
  }
  call.to.write(at(call, here(call)));
  if (!["--abort", "--quit", "--edit-todo"].some((name) => call.has(name))) call.to.tree(workTree(call), "tracked");
}

/** `git remote`: changing verbs write the configuration; a URL that is set is contacted later, if at all. */
export function remotes(call: Call): void {
  const [verb, name, url] = call.operands;
  if (!verb || ["show", "get-url", "-v"].includes(verb.text)) return;
  call.to.write(inGit(call, "config"));
  call.to.config(spelled`remote.${name}${verb.text === "set-url" ? ".url" : ""}`);
  if (url && (verb.text === "add" || verb.text === "set-url")) call.to.network(url, "both", "later");
}

/** `git credential` and its stores: `fill` reads stored secrets, every other verb may write them. */
export function credentials(call: Call): void {
  const verb = call.operands[0]?.text;
  if (verb === "fill") call.to.read(homeField("~/.git-credentials", call.draft.place));
  else call.to.write(homeField("~/.git-credentials", call.draft.place));
}

/** Files that `git grep` searches: those behind `--`, or the folder; a word before it may be a branch as well. */
export function searched(call: Call): void {
  spend(8 * call.words.length);
  const metadata = ["-l", "-L", "-c", "-q", "--files-with-matches", "--count", "--name-only"].some((name) =>
    call.words.some(({ text }) => text === name),
  );
  const options = { recursive: true, metadata, takes: tracked };
  const dashes = call.words.findIndex((word) => word.text === "--" && word.kind === "literal");
  const named = dashes < 0 ? [] : call.words.slice(dashes + 1);
  const words = dashes < 0 ? call.operands.slice(call.has("-e") || call.has("-f") ? 0 : 1) : [];
  for (const path of named) call.to.read(at(call, path), options);
  for (const path of words) call.to.read(at(call, path), { ...options, perhaps: true });
  if (named.length + words.length === 0) call.to.read(at(call, here(call)), options);
  if (!call.has("--open-files-in-pager")) return;
  call.to.run(call.value("--open-files-in-pager")?.text ?? "pager");
  call.to.doubt("git runs a program that it is given");
}

/**
 * Files that are printed as a commit or the index has them: `show HEAD:f`, `blame f`, and paths behind `--` where the
 * change itself is shown. A path without `--` may be a branch, and is only possible.
 */
export function committedContents(call: Call): void {
  const dashes = call.words.findIndex((word) => word.text === "--" && word.kind === "literal");
  const paths = dashes < 0 ? [] : call.words.slice(dashes + 1);
  const listed = ["--name-only", "--name-status", "--stat"].some((option) => call.has(option));
  if (/^(?:show|cat-file|diff)$/.test(call.subcommand))
    for (const word of call.operands) {
      const path = /^[^:]*:(?!\/)([^:]+)$/s.exec(word.text)?.[1];
      if (path !== undefined && !/^[a-z]+:\/\//i.test(word.text)) call.to.read(at(call, withText(word, path)));
    }
  const shows =
    /^(?:show|diff|whatchanged)$/.test(call.subcommand) ||
    ((call.subcommand === "log" || call.subcommand === "stash") && call.has("--patch"));
  if (shows && !listed) for (const path of paths) call.to.read(at(call, path));
  // A word without dashes before it may be a path as well as a branch.
  if (shows && !listed && dashes < 0)
    for (const word of call.operands)
      if (/^(?!-)[^:^~@]+$/.test(word.text) && !word.text.includes(".."))
        call.to.read(at(call, word), { perhaps: true });
  if (!/^(?:blame|annotate)$/.test(call.subcommand)) return;
  const file = call.operands.at(-1);
  if (file) call.to.read(at(call, file));
}
