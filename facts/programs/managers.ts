/**
 * Package managers as `installs` name them: one name for all programs that share a registry's form of package. A program of
 * the tables that installs under a name that is not here fails `test/facts/programs/managers.test.ts`.
 */
export const packageManagers = [
  ...["npm", "pnpm", "yarn", "bun", "npx", "bunx", "pnpx", "deno"],
  ...["pip", "uvx", "pipx", "conda", "gem", "composer", "bundle", "bundler"],
  ...["cargo", "go", "dotnet", "cabal", "mix", "R", "julia", "project"],
  ...["apt", "dpkg", "rpm", "dnf", "zypper", "apk", "pacman", "brew"],
  ...["snap", "flatpak", "choco", "winget", "scoop", "port", "nix"],
  ...["docker", "kubectl", "helm", "terraform", "vagrant"],
] as const;

type Manager = (typeof packageManagers)[number];

/** Programs that install the same packages as the one that their manager is called after. */
const otherPrograms: Readonly<Record<string, Manager>> = {
  uv: "pip",
  poetry: "pip",
  pipenv: "pip",
  mamba: "conda",
  pixi: "conda",
  cnpm: "npm",
  yum: "dnf",
  microdnf: "dnf",
  yay: "pacman",
  paru: "pacman",
  nuget: "dotnet",
  podman: "docker",
};

/** Other names of the same managers, as people write them. */
const otherNames: Readonly<Record<string, Manager>> = {
  "apt-get": "apt",
  aptitude: "apt",
  homebrew: "brew",
  chocolatey: "choco",
  macports: "port",
  golang: "go",
  rubygems: "gem",
};

/** Returns a manager's name in facts by its program or any other name of it; other text is returned unchanged. */
export function canonicalManager(name: string): string {
  const lower = name.toLowerCase();
  const plain = /^pip\d/.test(lower) ? "pip" : lower;
  const found = packageManagers.find((manager) => manager.toLowerCase() === plain);
  if (found !== undefined) return found;
  if (isOtherProgram(plain)) return otherPrograms[plain] as string;
  return Object.hasOwn(otherNames, plain) ? (otherNames[plain] as string) : name;
}

/** True for a program that is no other name of its manager: `uv`, whose packages are those of `pip`. */
export function isOtherProgram(name: string): boolean {
  return Object.hasOwn(otherPrograms, name.toLowerCase());
}

/** Managers with the same packages, each under a name of its own. */
const families: readonly (readonly Manager[])[] = [
  ["npm", "npx", "yarn", "pnpm", "pnpx", "bun", "bunx", "deno"],
  ["pip", "pipx", "uvx"],
  ["gem", "bundle", "bundler"],
];

/** Returns the other managers that install the packages of one; empty where there are none. */
export function managersBeside(manager: string): readonly string[] {
  return families.find((family) => family.some((one) => one === manager))?.filter((one) => one !== manager) ?? [];
}

/** Sources of a package, for a call that names no registry of its own. */
export const packageSources = ["registry", "git", "url", "file", "lockfile"] as const;

/** Public registries: a package from one of them has the source `registry`, since no call names them. */
const publicRegistries: ReadonlySet<string> = new Set(
  `pypi pypi.org npm npmjs npmjs.com npmjs.org registry.npmjs.org crates crates.io rubygems rubygems.org packagist packagist.org
   dockerhub docker.io nuget nuget.org maven mavencentral cran hex hex.pm pkg.go.dev homebrew debian ubuntu default public
   remote index repository`.split(/\s+/),
);

/** Public registry of each package manager. */
const registryManagers: Readonly<Record<string, (typeof packageManagers)[number]>> = {
  pypi: "pip",
  npmjs: "npm",
  crates: "cargo",
  packagist: "composer",
  dockerhub: "docker",
  "docker.io": "docker",
  cran: "R",
  hex: "mix",
  "pkg.go.dev": "go",
  debian: "apt",
  ubuntu: "apt",
};

/** Returns the manager of a public registry, given by name or address; undefined for any other text. */
export function managerOfRegistry(text: string): string | undefined {
  const lower = text.toLowerCase().replace(/^registry\./, "");
  const bare = lower.replace(/\.(?:org|com|io|pm)$/, "");
  const key = Object.hasOwn(registryManagers, lower) ? lower : bare;
  return Object.hasOwn(registryManagers, key) ? registryManagers[key] : undefined;
}

/** Name of a source in facts, by the names that people use. */
const otherSources: Readonly<Record<string, (typeof packageSources)[number]>> = {
  github: "git",
  gitlab: "git",
  bitbucket: "git",
  repo: "git",
  http: "url",
  https: "url",
  link: "url",
  local: "file",
  path: "file",
  folder: "file",
  directory: "file",
  lock: "lockfile",
  "lock-file": "lockfile",
  "package-lock.json": "lockfile",
};

/**
 * Returns the name that facts use for a source if an author writes another word. Undefined for a source that a call may name
 * itself: a registry's address, or its name in the settings.
 */
export function sourceMeant(text: string): (typeof packageSources)[number] | undefined {
  const lower = text.toLowerCase();
  if (publicRegistries.has(lower)) return "registry";
  return Object.hasOwn(otherSources, lower) ? otherSources[lower] : undefined;
}
