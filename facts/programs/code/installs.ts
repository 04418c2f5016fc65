import { sourceOf } from "../package-sources.ts";
import { argument } from "./actions.ts";
import type { Action, CodeCall } from "./language.ts";
import { knownText, partialText, unknown, type Value } from "./values.ts";

/**
 * Packages that code installs: `install.packages("x")` and its variants for a repository or an address. Source: threats page,
 * class 17; the manuals of R, remotes, pak and Pkg.
 */

const address = /^[a-z][a-z0-9+.-]*:\/\//i;

function each(value: Value | undefined): readonly Value[] {
  return value?.kind === "list" ? value.items : value ? [value] : [];
}

function installs(call: CodeCall, manager: string, source: string, name: Value): void {
  call.to.add({ kind: "install", manager, source, name: knownText(name) ?? "" });
  if (source === "url") call.to.network(name, "download");
}

/** Registries of R; others that a call names are the source. */
const usual =
  /^https?:\/\/(?:cloud\.r-project\.org|cran\.r-project\.org|cran\.rstudio\.com|packagemanager\.posit\.co|bioconductor\.org)(?:\/|$)|^@CRAN@$/;

/** `install.packages(names, repos = …)`; without `repos` or with its usual ones from CRAN, with `NULL` as the name says. */
export const fromCran: Action = (call) => {
  const repos = each(call.named.get("repos") ?? call.args[2]).map(partialText);
  const others = repos.filter((text) => address.test(text) && !usual.test(text));
  for (const name of each(argument(call, 0, "pkgs") ?? unknown)) {
    const own = sourceOf(partialText(name), "R");
    for (const source of own === "registry" && others.length > 0 ? others : [own]) installs(call, "R", source, name);
  }
  call.to.doubt("it installs packages");
  return undefined;
};

/** `remotes::install_github("owner/name")` and similar calls: every argument is a repository or an address. */
export function fromElsewhere(source: "git" | "url" | "file"): Action {
  return (call) => {
    for (const name of each(argument(call, 0, "repo", "url", "path") ?? unknown)) installs(call, "R", source, name);
    call.to.doubt("it installs packages");
    return undefined;
  };
}

/** `pak::pkg_install("github::owner/name")`: a name, or where it comes from before two colons. */
export const fromPak: Action = (call) => {
  for (const name of each(argument(call, 0, "pkg") ?? unknown)) {
    const text = partialText(name);
    const kind = /^([a-z]+)::/.exec(text)?.[1] ?? (/^[\w.-]+\/[\w.-]+(?:@.*)?$/s.test(text) ? "github" : "cran");
    const source =
      kind === "url"
        ? "url"
        : kind === "local"
          ? "file"
          : /^(?:cran|bioc|standard|any)$/.test(kind)
            ? "registry"
            : "git";
    installs(call, "R", source, name);
  }
  call.to.doubt("it installs packages");
  return undefined;
};

/** `Pkg.add("Name")`, `Pkg.add(url = …)`, `Pkg.develop(path = …)`. */
export const fromPkg: Action = (call) => {
  const url = call.named.get("url");
  if (url) installs(call, "julia", "git", url);
  for (const name of each(call.args[0])) {
    const source = sourceOf(partialText(name), "julia");
    installs(call, "julia", source === "url" ? "git" : source, name);
  }
  call.to.doubt("it installs packages");
  return undefined;
};

/** `source(file)` runs the file's code; code at an address is unseen. */
export const runsFile: Action = (call) => {
  const path = argument(call, 0, "file") ?? unknown;
  if (!address.test(partialText(path))) call.to.read(path);
  else {
    call.to.network(path, "download");
    if (call.to.muted === 0) call.to.runsUnknown = true;
  }
  return undefined;
};
