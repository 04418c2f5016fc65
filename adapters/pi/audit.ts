import { isAbsolute, join } from "node:path";
import type { AuditStore } from "../../schema/ports.ts";
import { type AuditFile, type AuditFileOptions, openAuditFile } from "../../store/audit-file.ts";
import { userHome } from "../../store/user-home.ts";
import type { Setup } from "../judge-process/messages.ts";

/**
 * Where the audit trail of a guard goes. `folder` holds its sessions, each with records of its own, from which their state
 * is rebuilt; by default `audit` in the user's state folder. `file` gets every record as well, of all sessions.
 */
export interface AuditPlace {
  readonly file?: string;
  readonly folder?: string;
  readonly durability?: NonNullable<AuditFileOptions["durability"]>;
}

/** `${XDG_STATE_HOME:-~/.local/state}/hookwarden/audit`. */
function stateFolder(): string {
  const state = process.env["XDG_STATE_HOME"];
  return join(
    state !== undefined && isAbsolute(state) ? state : join(userHome(), ".local", "state"),
    "hookwarden",
    "audit",
  );
}

/** The folder of a guard's sessions. */
export function sessionFolder(place: AuditPlace = {}): string {
  return place.folder ?? stateFolder();
}

/** The same place as a judge process is told it. */
export function sessionsOf(place: AuditPlace = {}): Pick<Setup, "sessions" | "copy" | "durability"> {
  const { file, durability } = place;
  return {
    sessions: sessionFolder(place),
    ...(file !== undefined && { copy: file }),
    ...(durability !== undefined && { durability }),
  };
}

/**
 * The file of a guard that gets every record as well. It is opened with the first record; an error there is thrown to the
 * engine each time, which blocks where a policy requires its audit trail (semantics section 4).
 */
export function auditStore({ file, durability }: AuditPlace & { readonly file: string }): AuditStore {
  let open: AuditFile | undefined;
  return {
    append(body, latencyUs) {
      open ??= openAuditFile(file, durability === undefined ? {} : { durability });
      return open.append(body, latencyUs);
    },
  };
}
