import { allTexts, type Text } from "../../schema/approximation.ts";
import { type Field, literalField, textOfField } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Effects, type Program, program, type Subcommand, subcommand } from "./program.ts";

/**
 * Effects of a command that loses work in a version control other than git, in the words of git's effects: `hg discard
 * changes`, `svn discard untracked`, `jj rewrite history`. Source: threats page, class 18.
 */
function loses(what: string, if_: (call: Call) => boolean = () => true): Effects {
  return (call) => {
    const here = literalField(".", call.draft.place);
    if (if_(call)) call.to.config(`${call.program === "chg" ? "hg" : call.program} ${what}`);
    call.to.write(here);
  };
}

/** Reports a push: of the branches that options name, otherwise of all branches. A dry run pushes nothing. */
function pushes(call: Call, naming: readonly string[], forced = call.has("--force")): void {
  if (call.has("--dry-run")) return;
  const named = naming.flatMap((name) => call.values(name));
  const remote = call.value("--remote") ?? call.operands[0];
  const deletes = ["--deleted", "--delete"].some((name) => call.has(name));
  const base = { remote: remote ? textOfField(remote) : "", forced, mirror: false, delete: deletes };
  const everyOne = allTexts([[{ hole: "tail", of: "its branches" }]]);
  if (named.length === 0) call.to.push({ ...base, branch: everyOne, certain: true });
  for (const branch of named) call.to.push({ ...base, branch: branchOf(branch), certain: branch.kind === "literal" });
}

/** The branch that a word names; every one that a glob meets. `name=revision` names a new one. */
function branchOf(word: Field): Text {
  if (word.kind === "unknown") return textOfField(word);
  const name = word.text.replace(/^(?:exact|glob|substring|regex)(?:-i)?:/, "").replace(/^([^=]+)=.*$/s, "$1");
  const isSet = name !== word.text && !/^exact/.test(word.text) ? !word.text.includes("=") : /[*?]/.test(name);
  if (!isSet) return name;
  return allTexts([
    /^(?:substring|regex)/.test(word.text) || !name.includes("*")
      ? [{ hole: "tail", of: word.text }]
      : name.split("*").flatMap((part, i) => (i === 0 ? [part] : [{ hole: "tail" as const, of: "*" }, part])),
  ]);
}

/** True if the command applies to everything below the folder, not to named files. */
function all(call: Call): boolean {
  return (
    ["--all", "--recursive", "--clean", "--remove-unversioned", "--remove-ignored"].some((name) => call.has(name)) ||
    call.operands.some((word) => /^(?:\.{0,2}\/?|\*)$/.test(word.text))
  );
}

const options = optionList(`
    -r --rev --revision=; -R --recursive; -a --all; -C --clean; -q --quiet; -v --verbose; -m --message=; -y --noninteractive;
    --remove-unversioned; --remove-ignored; --force -f; -n --dry-run; -k --keep; --depth=
  `);

const mercurial =
  "-R --repository=; --cwd=; --config=; --encoding=; --color=; --pager=; -q --quiet; -v --verbose; -y --noninteractive; --debug";

const unchanged = "status st diff log annotate blame cat info list ls root summary show parents heads tags branches";

/** `globals` are the options before the subcommand. */
function vcs(names: string, globals: string, subcommands: readonly Subcommand[]): Program {
  return {
    names: names.split(" "),
    grammar: { options: optionList(globals), stop: true },
    subcommands: [subcommand(unchanged, options), ...subcommands],
    effects: (call) => {
      const [verb = ""] = call.subcommand.split(" ");
      if (
        call.subcommand === "" ||
        [...subcommands, { names: unchanged.split(" ") }].some((one) => one.names.includes(verb))
      )
        return;
      call.to.run(`${call.program} ${call.subcommand}`);
      call.to.doubt(`what \`${call.program} ${call.subcommand}\` does is not known`);
    },
  };
}

/** Mercurial, Sapling, Subversion and Jujutsu, and the tool that takes files out of git's history. */
export const otherVersionControl: readonly Program[] = [
  vcs("hg chg", mercurial, [
    subcommand("strip prune histedit debugstrip", options, loses("rewrite history")),
    subcommand("rollback", options, loses("rewrite current")),
    subcommand("revert", options, loses("discard changes", all)),
    subcommand(
      "update up checkout co",
      options,
      loses("discard changes", (call) => call.has("--clean")),
    ),
    subcommand("purge clean", options, loses("discard untracked")),
    subcommand(
      "push",
      [...options, "-B --bookmark=", "-b --branch=", "--new-branch", "-e --ssh=", "--remotecmd="],
      (call) => pushes(call, ["--bookmark", "--branch"]),
    ),
  ]),
  vcs("sl", mercurial, [
    subcommand("hide strip prune histedit", options, loses("rewrite history")),
    subcommand("revert", options, loses("discard changes", all)),
    subcommand(
      "goto go update checkout",
      options,
      loses("discard changes", (call) => call.has("--clean")),
    ),
    subcommand("purge clean", options, loses("discard untracked")),
    subcommand("push", [...options, "--to=", "--create", "--delete=", "--non-forward-move"], (call) =>
      pushes(call, ["--to", "--delete"], call.has("--force") || call.has("--non-forward-move")),
    ),
  ]),
  vcs(
    "svn",
    "--username=; --password=; --config-dir=; --config-option=; --no-auth-cache; --non-interactive; --trust-server-cert; -q --quiet",
    [
      subcommand("revert", options, loses("discard changes", all)),
      subcommand("cleanup", options, loses("discard untracked", all)),
      subcommand("delete del remove rm", options, (call) => {
        for (const word of call.operands) {
          if (!/^[a-z+]+:\/\//.test(word.text)) call.to.delete(word, true);
          else if (call.subcommand !== "") call.to.config("svn rewrite history", word.kind === "literal");
        }
      }),
    ],
  ),
  vcs("jj", "-R --repository=; --at-operation --at-op=; --config=; --config-file=; --color=; -q --quiet; --no-pager", [
    subcommand("abandon", options, loses("rewrite history")),
    subcommand("restore", options, loses("discard changes")),
    {
      names: ["git"],
      grammar: { stop: true },
      subcommands: [
        subcommand(
          "push",
          [...options, "--deleted", "-b --bookmark --branch=", "--remote=", "--tracked", "-c --change=", "--named="],
          (call) => pushes(call, ["--bookmark", "--named"]),
        ),
      ],
      effects: (call) => call.subcommand !== "git push" && call.to.run(`jj ${call.subcommand}`),
    },
  ]),
  program("bfg", ["--delete-files=", "--delete-folders=", "--strip-blobs-bigger-than=", "--replace-text="], (call) => {
    call.to.config("git rewrite history");
    call.to.run("bfg");
  }),
];
