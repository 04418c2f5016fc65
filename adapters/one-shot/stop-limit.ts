import { unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { sessionName } from "../../store/human-decisions.ts";
import { ownFolder, readOwn, writeOwn } from "../../store/session-file.ts";
import { goOnLimit } from "../go-on-limit.ts";

/**
 * Counts, over the processes of a session, how often in a row its agent was sent on which was about to stop, until it may
 * stop. Not every host bounds that itself, and a prompt is no sign of a human: some hosts send an agent on by one.
 */
export class StopLimit {
  readonly #path: string;

  constructor(state: string, session: string) {
    this.#path = join(state, "sessions", `${sessionName(session)}.stops`);
  }

  /** Counts one refusal; false where there were enough, and where nothing can be counted: then the agent stops. */
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

  /** Begins anew. Never throws: a count that stays only makes the agent stop earlier. */
  reset(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // There was none.
    }
  }
}
