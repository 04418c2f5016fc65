import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { digest } from "../../runtime.ts";
import { makeFolder } from "../../store/folders.ts";
import { installKey } from "../../store/install-key.ts";
import { locked } from "../../store/lock.ts";
import { readSealed, writeSealed } from "../../store/sealed-file.ts";

const kind = "mcp-pins";

/** Names of what a server said of itself are kept beside its tools, under names that no tool's key has. */
type Entries = Readonly<Record<string, string>>;

/** What a server says: a tool by its name, or one of the two things that it says about itself. */
export type Pinned = { readonly tool: string } | "server_info" | "instructions";

/** The file of a server's pins in the user's state folder. Of the command only the digest is kept: it may hold a key. */
export function pinFile(state: string, command: readonly string[]): string {
  return join(state, "mcp", `${digest(command).slice("sha256:".length)}.json`);
}

/** True where something is pinned of a server that is started by this command line. */
export function hasPins(state: string, command: readonly string[]): boolean {
  return existsSync(pinFile(state, command));
}

/** Forgets what a server said, so that what it says next is pinned. Throws what the file system throws. */
export function forgetPins(state: string, command: readonly string[]): void {
  rmSync(pinFile(state, command), { force: true });
}

/**
 * Digests of what an MCP server said when it was first seen, by its command line: sealed with the install key, and added to
 * as more is seen. A file that was altered or cannot be read is never made anew: until a human says so, looking throws. Several proxies of one server share a file.
 */
export class Pins {
  readonly #path: string;
  readonly #state: string;
  #entries: Entries | undefined;

  constructor(state: string, command: readonly string[]) {
    this.#state = state;
    this.#path = pinFile(state, command);
  }

  /** The digest that something was pinned with, or undefined. Throws when the pins cannot be read. */
  of(what: Pinned): string | undefined {
    this.#entries ??= this.#read(installKey(this.#state));
    const key = keyOf(what);
    return Object.hasOwn(this.#entries, key) ? this.#entries[key] : undefined;
  }

  /** The digests that these are pinned with; what is new is pinned as it is now. Throws when the pins cannot be kept. */
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
