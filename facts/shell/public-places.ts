import { type Atom, unknownAtom } from "./fields.ts";

/**
 * Usual values of variables that many tools and build services set; `~` is the home folder, `.` the workspace. Sources: the XDG
 * base directory specification, and the documentation of each tool and service.
 */
const places: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "/tmp": "TMPDIR TEMP TMP",
    "/opt/runner/temp": "RUNNER_TEMP AGENT_TEMPDIRECTORY",
    "/opt/hostedtoolcache": "RUNNER_TOOL_CACHE",
    ".": "GITHUB_WORKSPACE CI_PROJECT_DIR BUILD_SOURCESDIRECTORY TRAVIS_BUILD_DIR CIRCLE_WORKING_DIRECTORY BITBUCKET_CLONE_DIR INIT_CWD",
    "./.venv": "VIRTUAL_ENV",
    "~/.config": "XDG_CONFIG_HOME",
    "~/.local/share": "XDG_DATA_HOME",
    "~/.local/state": "XDG_STATE_HOME",
    "~/.cache": "XDG_CACHE_HOME",
    "/run/user/1000": "XDG_RUNTIME_DIR",
    "~/.cargo": "CARGO_HOME",
    "~/.rustup": "RUSTUP_HOME",
    "~/go": "GOPATH",
    "/usr/local/go": "GOROOT",
    "~/.cache/go-build": "GOCACHE",
    "~/go/pkg/mod": "GOMODCACHE",
    "~/.nvm": "NVM_DIR",
    "~/.pyenv": "PYENV_ROOT",
    "~/.bun": "BUN_INSTALL",
    "~/.local/share/pnpm": "PNPM_HOME",
    "/usr/lib/jvm/default": "JAVA_HOME",
    "~/Android/Sdk": "ANDROID_HOME ANDROID_SDK_ROOT",
  }).flatMap(([place, names]) => names.split(" ").map((name): [string, string] => [name, place])),
);

/** Files through which a step of a GitHub workflow tells later ones: each run has new ones. */
const stepFile = /^GITHUB_(?:OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)$/;

/** Returns a variable that neither the text nor the event sets, with its usual place, if any. `home` returns the user's folder. */
export function usuallyAt(name: string, home: () => string | undefined, workspace: string): Atom {
  const place = stepFile.test(name) ? `/opt/runner/temp/_runner_file_commands/${name}` : placeOf(name, home, workspace);
  if (place === undefined) return unknownAtom;
  return { ...unknownAtom, known: { pieces: [{ hole: "tail", of: `$${name}`, place }], text: "" } };
}

function placeOf(name: string, home: () => string | undefined, workspace: string): string | undefined {
  const place = places.get(name);
  if (place === undefined || place.startsWith("/")) return place;
  const folder = place.startsWith("~") ? home() : workspace;
  return folder?.startsWith("/") ? folder + place.slice(1) : undefined;
}
