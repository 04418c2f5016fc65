import { spend } from "../meter.ts";
import { withoutEnd } from "../text/ends.ts";

/**
 * Folders of the system's own programs: a program called by its path there is the one of its name. Folders of the project, of
 * the user or for temporary files do not count: anyone who can write there decides what runs.
 */
const systemFolders: readonly RegExp[] = [
  /^(?:\/usr(?:\/local)?)?\/s?bin$/,
  /^\/usr\/(?:libexec|lib\/git-core|ucb|xpg[46]\/bin|pkg\/s?bin|games)$/,
  /^\/opt\/(?:homebrew|local|pkg)\/s?bin$/,
  /^\/(?:opt\/homebrew|usr\/local)\/(?:opt|Cellar)\/[^/]+(?:\/[^/]+)?\/(?:s?bin|libexec\/gnubin)$/,
  /^\/home\/linuxbrew\/\.linuxbrew\/s?bin$/,
  /^\/snap\/bin$/,
  // Nix and Guix: stores that only the system's own daemon writes, and the profiles of the system.
  /^\/(?:nix|gnu)\/store\/[^/]+\/s?bin$/,
  /^\/run\/(?:current-system|wrappers|booted-system)(?:\/sw|\/profile)?(?:\/s?bin)?$/,
  /^\/nix\/var\/nix\/profiles\/(?:default|system\/sw)\/s?bin$/,
  /^\/etc\/profiles\/per-user\/[^/]+\/s?bin$/,
  /^\/Library\/Developer\/CommandLineTools\/usr\/bin$/,
  /^\/Applications\/Xcode\.app\/Contents\/Developer\/(?:usr|Toolchains\/[^/]+\/usr)\/bin$/,
  /^\/data\/data\/com\.termux\/files\/usr\/bin$/,
  // Windows, as shells there write it.
  /^\/(?:mnt\/)?[a-z]\/(?:windows\/system32(?:\/(?:openssh|windowspowershell\/v1\.0))?|program files(?: \(x86\))?\/(?:git(?:\/(?:cmd|(?:usr|mingw(?:32|64))?\/?bin))|nodejs|powershell\/7))$/i,
  /^\/(?:mingw32|mingw64|ucrt64|clang64)\/bin$/,
];

// No folder of the table is longer.
const longest = 512;

/** True for a folder, cleaned and absolute, whose programs are the system's own. */
export function isSystemFolder(folder: string): boolean {
  spend(4);
  return folder.length <= longest && systemFolders.some((pattern) => pattern.test(folder));
}

/** True if a search path finds programs in system folders first; other folders may only follow the existing `PATH`. */
export function findsSystem(search: string): boolean {
  spend(1 + (Math.min(search.length, 4_096) >> 3));
  if (search.length > 4_096) return false;
  for (const folder of search.split(":")) {
    if (/^\$(?:PATH|\{PATH\})$/.test(folder)) return true;
    if (!isSystemFolder(folder.length > 1 ? withoutEnd(folder, "/") : folder)) return false;
  }
  return true;
}
