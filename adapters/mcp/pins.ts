import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { digest } from "../../runtime.ts";
import { makeFolder } from "../../store/folders.ts";
import { installKey } from "../../store/install-key.ts";
import { locked } from "../../store/lock.ts";
import { readSealed, writeSealed } from "../../store/sealed-file.ts";

const kind = "mcp-pins";

/** Digests by key. The server's own description has keys that differ from those of all tools. */
type Entries = Readonly<Record<string, string>>;

/** A pinned statement of a server: a tool by its name, or one of the two descriptions of itself. */
export type Pinned = { readonly tool: string } | "server_info" | "instructions";

/**
 * Returns the file of a server's pins in the user's state folder. It is named after the command's digest, since the command
 * may hold a key.
 */
export function pinFile(state: string, command: readonly string[]): string {
  return join(state, "mcp", `${digest(command).slice("sha256:".length)}.json`);
}

/** True if there are pins for a server that is started by this command line. */
export function hasPins(state: string, command: readonly string[]): boolean {
  return existsSync(pinFile(state, command));
}

/** Forgets the pins of a server, so that its next statements are pinned. Throws the errors of the file system. */
export function forgetPins(state: string, command: readonly string[]): void {
  rmSync(pinFile(state, command), { force: true });
}

/**
 * Digests of an MCP server's first statements, by its command line. They are sealed with the install key, and new statements
 * are added. A file that was altered or cannot be read is never replaced: reading throws until a human resets it. Several
 * proxies of one server share a file.
 */
export class Pins {
  readonly #path: string;
  readonly #state: string;
  #entries: Entries | undefined;

  constructor(state: string, command: readonly string[]) {
    this.#state = state;
    this.#path = pinFile(state, command);
  }

  /** Returns the pinned digest of a statement, or undefined. Throws if the pins cannot be read. */
  of(what: Pinned): string | undefined {
    this.#entries ??= this.#read(installKey(this.#state));
    const key = keyOf(what);
    return Object.hasOwn(this.#entries, key) ? this.#entries[key] : undefined;
  }

  /** Returns the pinned digests of these statements; new ones are pinned as they are now. Throws if the pins cannot be kept. */
  check(seen: readonly (readonly [what: Pinned, digest: string])[]): readonly string[] {
    if (seen.some(([what]) => this.of(what) === undefined)) this.#add(seen);
    return seen.map(([what, now]) => this.of(what) ?? now);
  }

  #add(seen: readonly (readonly [Pinned, string])[]): void {
    makeFolder(dirname(this.#path), 0o700);
    locked(`${this.#path}.lock`, () => {
      const key = installKey(this.#state);
      const entries = new Map(Object.entries(this.#read(key)));
      for (const [what, now] of seen) if (!entries.has(keyOf(what))) entries.set(keyOf(what), now);
      const all = Object.fromEntries(entries);
      writeSealed(this.#path, kind, all, key);
      this.#entries = all;
    });
  }

  #read(key: Buffer): Entries {
    const found = readSealed(this.#path, kind, key);
    if ("value" in found) return found.value as Entries;
    if (found.problem === "absent") return {};
    throw new Error(`the pinned definitions of this server are ${found.problem}`);
  }
}

function keyOf(what: Pinned): string {
  return typeof what === "string" ? what : `tool:${what.tool}`;
}
