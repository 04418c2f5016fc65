import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * The home folder of this user, always absolute: `HOME`, or what the system's list of users says where `HOME` is not set, is
 * empty, or is no absolute path. Node gives such a value as it is, and paths made of it would lie wherever a process happens to
 * stand. A user without an entry has the root folder, where nothing of theirs can stand.
 */
export function userHome(): string {
  const given = known(homedir);
  return isAbsolute(given) ? given : known(() => userInfo().homedir) || "/";
}

function known(find: () => string): string {
  try {
    return find();
  } catch {
    return "";
  }
}
