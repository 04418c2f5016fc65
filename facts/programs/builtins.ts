import { optionList } from "./grammar.ts";
import { type Call, type Program, program, readAll } from "./program.ts";

/** `source file`: the file is read and run. */
function source(call: Call): void {
  const [file] = call.operands;
  if (!file) return;
  if (file.content !== undefined) {
    call.to.run(call.program);
  } else {
    call.to.read(file);
    call.to.run(file.text, file.kind === "literal");
  }
  call.to.doubt("what the sourced file does is not known");
}

function opaqueText(call: Call): void {
  call.to.run(call.program);
  call.to.doubt("the text that is run is not known");
}

const data = (names: string): Program => ({ names: names.split(" "), data: true });

/** Builtins of the shell and programs whose words are only data. */
export const builtinPrograms: readonly Program[] = [
  data(
    "echo printf true false : test [ seq basename dirname date sleep expr yes tput clear reset logname tty arch nproc uptime cal factor let wait jobs fg bg disown umask ulimit times hash type shopt",
  ),
  data(
    "cd pushd popd dirs pwd export declare typeset local readonly unset set shift return exit break continue read mapfile readarray getopts alias unalias bind complete compgen compopt history enable caller trap exec",
  ),
  data("id whoami hostname uname groups users who w last which whereis whatis apropos command builtin man info"),
  program("env printenv", ["-i --ignore-environment", "-0 --null", "-u --unset=", "-C --chdir="]),
  program("source .", [], source),
  program("eval", [], opaqueText),
  program(
    "realpath readlink",
    optionList(`
    -f --canonicalize; -e --canonicalize-existing; -m --canonicalize-missing; -n --no-newline; -s
    --strip; -q --quiet; -z --zero; --relative-to=; --relative-base=
  `),
    (call) => readAll(call, { metadata: true }),
  ),
];
