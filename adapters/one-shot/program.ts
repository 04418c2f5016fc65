import "./arm.ts";
import { isAbsolute } from "node:path";
import { userHome } from "../../store/user-home.ts";
import { finish, owe } from "./crash.ts";
import { runHook } from "./run.ts";
import { standardInput } from "./standard-input.ts";
import type { Launched } from "./start/program-file.ts";
import { readVariables } from "./variables.ts";

/** What the launcher gives: the program is the body of a function that takes it. */
declare const launched: Launched;

const read = readVariables(process.env);
const home = read.variables["HOME"] ?? "";

/** One hook process (semantics section 6, `hook`): what the launcher begins. */
void runHook(process.argv.slice(2), {
  stdin: standardInput(),
  ...read,
  cwd: process.cwd(),
  // A line of an earlier version does not say whose home it is.
  home: isAbsolute(home) ? home : userHome(),
  now: () => Date.now(),
  owed: owe,
  ...(launched.refuse !== undefined && { refuse: launched.refuse }),
}).then(finish);
