import "./arm.ts";
import { isAbsolute } from "node:path";
import { userHome } from "../../store/user-home.ts";
import { finish, owe } from "./crash.ts";
import { runHook } from "./run.ts";
import { standardInput } from "./standard-input.ts";
import type { Launched } from "./start/program-file.ts";
import { readVariables } from "./variables.ts";

/** Argument from the launcher: the build makes the program the body of a function with this parameter. */
declare const launched: Launched;

const read = readVariables(process.env);
const home = read.variables["HOME"] ?? "";

/** Runs one hook process (semantics section 6, `hook`), as started by the launcher. */
void runHook(process.argv.slice(2), {
  stdin: standardInput(),
  ...read,
  cwd: process.cwd(),
  // Command lines of earlier versions name no `--home`.
  home: isAbsolute(home) ? home : userHome(),
  now: () => Date.now(),
  owed: owe,
  ...(launched.refuse !== undefined && { refuse: launched.refuse }),
}).then(finish);
