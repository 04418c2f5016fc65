import "./arm.ts";
import { homedir } from "node:os";
import { finish, owe } from "./crash.ts";
import { runHook } from "./run.ts";
import { standardInput } from "./standard-input.ts";

/** One hook process (semantics section 6, `hook`): what the launcher begins. */
void runHook(process.argv.slice(2), {
  stdin: standardInput(),
  variables: process.env,
  cwd: process.cwd(),
  home: homedir(),
  now: () => Date.now(),
  owed: owe,
}).then(finish);
