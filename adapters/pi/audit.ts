import { isAbsolute, join } from "node:path";
import type { AuditStore } from "../../schema/ports.ts";
import { type AuditFile, type AuditFileOptions, openAuditFile } from "../../store/audit-file.ts";
import { userHome } from "../../store/user-home.ts";
import type { Setup } from "../judge-process/messages.ts";

/**
 * Place of a guard's audit trail. `folder` holds its sessions, each with its own records, from which its state is rebuilt;
 * default `audit` in the user's state folder. `file` also gets every record of all sessions.
 */
export interface AuditPlace {
  readonly file?: string;
  readonly folder?: string;
  readonly durability?: NonNullable<AuditFileOptions["durability"]>;
}

/** Returns `${XDG_STATE_HOME:-~/.local/state}/hookwarden/audit`. */
function stateFolder(): string {
  const state = process.env["XDG_STATE_HOME"];
  return join(
    state !== undefined && isAbsolute(state) ? state : join(userHome(), ".local", "state"),
    "hookwarden",
    "audit",
  );
}

/** Returns the folder of a guard's sessions. */
export function sessionFolder(place: AuditPlace = {}): string {
  return place.folder ?? stateFolder();
}

/** Converts the place to the settings of a judge process. */
export function sessionsOf(place: AuditPlace = {}): Pick<Setup, "sessions" | "copy" | "durability"> {
  const { file, durability } = place;
  return {
    sessions: sessionFolder(place),
    ...(file !== undefined && { copy: file }),
    ...(durability !== undefined && { durability }),
  };
}

/**
 * Makes the store of a guard's extra file, which also gets every record. It is opened at the first record. Each error is
 * thrown to the engine, which blocks if a policy requires its audit trail (semantics section 4).
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
