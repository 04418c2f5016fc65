/**
 * Programs that take the place of each other: what one does with a command line, the others of its line do as well. Source: their
 * manuals (`podman(1)`: "a drop-in replacement for Docker"; OpenTofu's migration guide; Rails' command line guide).
 */
const lines: readonly string[] = [
  "docker podman nerdctl",
  "docker-compose podman-compose",
  "terraform tofu",
  "rails rake",
  "conda mamba micromamba",
  "apt apt-get aptitude",
  "dnf yum microdnf",
  "npx bunx pnpx",
  "mysql mariadb",
  "mysqldump mariadb-dump",
  "nc ncat netcat",
  "make gmake",
  "tar bsdtar gtar",
  "redis-cli valkey-cli",
  "wget wget2",
];

const byProgram: ReadonlyMap<string, readonly string[]> = new Map(
  lines.flatMap((line) => {
    const all = line.split(" ");
    return all.map((name) => [name, all.filter((other) => other !== name)] as const);
  }),
);

/** Returns the programs that take the place of one; empty where there are none. */
export function standIns(program: string): readonly string[] {
  return byProgram.get(program) ?? [];
}
