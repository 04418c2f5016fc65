/** The hosts' own packages, whose modules run here, and the package as it names itself. */
const hosts = ["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent", "@oh-my-pi/pi-coding-agent"];
const subpaths = ["", "/hooks", "/extensibility/hooks"];
const specifiers: ReadonlySet<string> = new Set([
  ...hosts.flatMap((host) => subpaths.map((subpath) => host + subpath)),
  "hookwarden/hooks",
]);

/**
 * Does `hookwarden/hooks` stand in for what a module imports? It has what modules of both hosts import as a value, and a
 * module must not run with the code of a host that does not run it.
 */
export function standsFor(specifier: string): boolean {
  return specifiers.has(specifier);
}
