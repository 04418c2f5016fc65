import { readSync } from "node:fs";
import type { Variables } from "./dialect.ts";
import { readExports } from "./shell-exports.ts";

/** The variables of a hook, as data; `refuse` says why they are unknown. */
export interface HookVariables {
  readonly variables: Variables;
  readonly refuse?: string;
}

/** The variable in which the client (`hookwarden-client.sh`) passes on the output of `export -p`. */
const handedOn = "HOOKWARDEN_VARIABLES";

/** Its value if the text comes through a pipe instead, because a variable's size is limited. */
const throughPipe = "@3";

/** Maximum bytes of all variables: more than a system allows for a process that a host starts. */
const mostBytes = 4_194_304;

/**
 * Reads the variables that the host gave its hook: those passed on by the client or, without a client, the environment of
 * this process. Nothing else in a hook reads the environment.
 */
export function readVariables(own: Variables): HookVariables {
  const text = own[handedOn];
  if (text === undefined) return { variables: own };
  const whole = text === throughPipe ? pipeText(3) : text;
  const variables = whole === undefined ? undefined : readExports(whole === "" ? "" : `${whole.trimEnd()}\n`);
  return variables ? { variables } : { variables: {}, refuse: "the variables of the hook cannot be read" };
}

/** Reads all of a pipe, which the client fills and closes at once; undefined if it is too long or reading fails. */
function pipeText(file: number): string | undefined {
  const bytes = Buffer.alloc(mostBytes + 1);
  let length = 0;
  try {
    for (let read = -1; read !== 0; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
      if (length + read > mostBytes) return undefined;
    }
    return bytes.toString("utf8", 0, length);
  } catch {
    return undefined;
  }
}
