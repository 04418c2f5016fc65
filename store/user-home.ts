import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/**
 * Returns the home folder of this user, always absolute: `HOME`, or the entry in the system's list of users if `HOME` is unset,
 * empty or relative. Node would return such a value unchanged, and its paths would depend on the working directory. A user
 * without an entry gets the root folder, where they cannot have files.
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
