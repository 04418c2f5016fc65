import "./arm.ts";
import { homedir } from "node:os";
import { finish, owe } from "./crash.ts";
import { runHook } from "./run.ts";

/** `hookwarden-hook`: one hook process (semantics section 6, `hook`). */
void runHook(process.argv.slice(2), {
  stdin: process.stdin,
  variables: process.env,
  cwd: process.cwd(),
  home: homedir(),
  now: () => Date.now(),
  owed: owe,
}).then(finish);
