import { unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { sessionName } from "../../store/human-decisions.ts";
import { ownFolder, readOwn, writeOwn } from "../../store/session-file.ts";
import { goOnLimit } from "../go-on-limit.ts";

/**
 * Counts, across the processes of a session, how often in a row an agent that was about to stop was made to continue, up to a
 * limit. Not every host has its own limit. A prompt does not reset the count, since some hosts continue an agent by a prompt.
 */
export class StopLimit {
  readonly #path: string;

  constructor(state: string, session: string) {
    this.#path = join(state, "sessions", `${sessionName(session)}.stops`);
  }

  /** Counts one refusal to stop. False if the limit is reached or counting fails: then the agent stops. */
  refuse(): boolean {
    try {
      const before = Number(Buffer.from(readOwn(this.#path, 16) ?? []).toString("utf8"));
      if (!Number.isInteger(before) || before < 0 || before >= goOnLimit) {
        this.reset();
        return false;
      }
      ownFolder(dirname(this.#path));
      writeOwn(this.#path, String(before + 1), false);
      return true;
    } catch {
      return false;
    }
  }

  /** Resets the count. Never throws: a count that stays only makes the agent stop earlier. */
  reset(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // There was none.
    }
  }
}
