import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../schema/limits.ts";
import { sessionName } from "../../store/human-decisions.ts";
import { ownFolder, readOwn, writeOwn } from "../../store/session-file.ts";

/**
 * Keeps a text for the model that the host accepts only with a later event. Each is a file in the session's folder, written
 * by the hook that judged and taken by the next one that can deliver it. A text that cannot be kept is lost, as an injection
 * may be (semantics section 4); no decision depends on it.
 */
export function keepForLater(state: string, session: string, id: string, text: string): void {
  try {
    const folder = join(state, "sessions");
    ownFolder(folder);
    writeOwn(join(folder, `${sessionName(session)}.${sessionName(id).slice(0, 16)}.note`), text, false);
  } catch {
    // The decision holds without it.
  }
}

/** Takes the texts kept for a session, each once; undefined if there are none. */
export function takeKept(state: string, session: string): string | undefined {
  const folder = join(state, "sessions");
  try {
    const own = `${sessionName(session)}.`;
    const texts = readdirSync(folder)
      .filter((name) => name.startsWith(own) && name.endsWith(".note"))
      .sort()
      .flatMap((name) => take(join(folder, name)) ?? []);
    return texts.length === 0 ? undefined : texts.join("\n\n");
  } catch {
    return undefined;
  }
}

function take(path: string): string | undefined {
  const bytes = readOwn(path, 4 * limits.injected * 16);
  rmSync(path, { force: true });
  return bytes && Buffer.from(bytes).toString("utf8");
}
