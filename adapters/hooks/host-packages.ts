/** Packages of the hosts whose modules run here. */
const hosts = ["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent", "@oh-my-pi/pi-coding-agent"];
const subpaths = ["", "/hooks", "/extensibility/hooks"];
const specifiers: ReadonlySet<string> = new Set([
  ...hosts.flatMap((host) => subpaths.map((subpath) => host + subpath)),
  "hookwarden/hooks",
]);

/**
 * True if `hookwarden/hooks` replaces the imported package: a host's package, or its own name. It has every value that
 * modules of both hosts import; a module must not run with the code of a host that does not run it.
 */
export function standsFor(specifier: string): boolean {
  return specifiers.has(specifier);
}
