import { allTexts } from "../../schema/approximation.ts";
import { literalField } from "../shell/fields.ts";
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

/** Reports a push whose branches the command does not name. */
function pushes(call: Call, forced: boolean, deletes: boolean): void {
  const remote = call.operands[0]?.text ?? "";
  call.to.push({
    remote,
    branch: allTexts([[{ hole: "tail", of: "its branches" }]]),
    forced,
    mirror: false,
    delete: deletes,
    certain: true,
  });
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
      if (
        call.subcommand === "" ||
        [...subcommands, { names: unchanged.split(" ") }].some((one) => one.names.includes(call.subcommand))
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
    subcommand("push", options, (call) => pushes(call, call.has("--force"), false)),
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
    subcommand("push", [...options, "--to=", "--create", "--delete=", "--non-forward-move"], (call) => {
      const deleted = call.value("--delete");
      const branch = (deleted ?? call.value("--to"))?.text ?? "";
      const forced = call.has("--force") || call.has("--non-forward-move");
      call.to.push({ remote: "", branch, forced, mirror: false, delete: deleted !== undefined, certain: true });
    }),
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
          [...options, "--deleted", "-b --bookmark=", "--remote=", "--tracked", "-c --change="],
          (call) => pushes(call, false, call.has("--deleted")),
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
