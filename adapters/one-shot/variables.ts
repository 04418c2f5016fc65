import { readSync } from "node:fs";
import type { Variables } from "./dialect.ts";
import { readExports } from "./shell-exports.ts";

/** The variables of a hook, which are data; or why they are not known. */
export interface HookVariables {
  readonly variables: Variables;
  readonly refuse?: string;
}

/** The one variable in which the client (`hookwarden-client.sh`) hands on what `export -p` said. */
const handedOn = "HOOKWARDEN_VARIABLES";

/** What stands in it where the text comes through a pipe, since one variable holds only so much. */
const throughPipe = "@3";

/** Bytes of all variables: more than a system gives a process that is started as hosts start hooks. */
const mostBytes = 4_194_304;

/**
 * The variables that the host gave its hook, from the environment of this process: as the client handed them on, or, where
 * no client stands before us, the environment itself. Nothing else of a hook reads the environment.
 */
export function readVariables(own: Variables): HookVariables {
  const text = own[handedOn];
  if (text === undefined) return { variables: own };
  const whole = text === throughPipe ? pipeText(3) : text;
  const variables = whole === undefined ? undefined : readExports(whole === "" ? "" : `${whole.trimEnd()}\n`);
  return variables ? { variables } : { variables: {}, refuse: "the variables of the hook cannot be read" };
}

/** All of a pipe, which a process of the client's fills and closes at once; undefined where that is too much or fails. */
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
