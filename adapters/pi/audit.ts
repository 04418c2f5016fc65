import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { AuditStore } from "../../schema/ports.ts";
import { type AuditFile, type AuditFileOptions, openAuditFile } from "../../store/audit-file.ts";

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
    state !== undefined && isAbsolute(state) ? state : join(homedir(), ".local", "state"),
    "hookwarden",
    "audit",
  );
}

/** The folder of a guard's sessions. */
export function sessionFolder(place: AuditPlace = {}): string {
  return place.folder ?? stateFolder();
}

/** The segment of this process, named without a date so that nobody has to guess which clock it meant. */
export function auditPath(place: AuditPlace = {}): string {
  return place.file ?? join(place.folder ?? stateFolder(), `pi-${randomBytes(6).toString("hex")}-${process.pid}.jsonl`);
}

/**
 * The audit store of a guard. The file is opened with the first record; an error there is thrown to the engine each time,
 * which blocks where a policy requires its audit trail (semantics section 4).
 */
export function auditStore(place: AuditPlace = {}): AuditStore {
  const path = auditPath(place);
  let file: AuditFile | undefined;
  return {
    append(body, latencyUs) {
      file ??= openAuditFile(path, place.durability === undefined ? {} : { durability: place.durability });
      return file.append(body, latencyUs);
    },
  };
}
