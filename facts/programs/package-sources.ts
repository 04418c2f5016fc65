import { anyText, fewTexts, loosened, patternText, shownText, type Text } from "../../schema/approximation.ts";
import { type Field, knownBeginning, knownOf, mayBeAddress, shapeOf, textOfField } from "../shell/fields.ts";
import type { Call } from "./program.ts";

const archives = /\.(?:tgz|tar\.gz|tar\.bz2|zip|whl|gem|deb|rpm|crate|vsix|nupkg|apk|snap|pkg\.tar\.\w+)$/i;
/** Clients of npm's registry, where `owner/name` is a repository at GitHub. */
const javaScript: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun", "npx", "bunx", "pnpx"]);

/**
 * Returns the source of a package by the form of its name: `url`, `git`, `file` or `registry`. `name@source` is read as its
 * source if that is an address. Source: npm-package-arg, PEP 508; threats page, class 17.
 */
export function sourceOf(name: string, manager: string): string {
  const at = name.indexOf("@", 1);
  const behind = at > 0 ? name.slice(at + 1).trim() : "";
  const text = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:github|gitlab|bitbucket|gist|file|link|git):)/i.test(behind)
    ? behind
    : name;
  if (/^(?:git\+|git:|ssh:|git@|hg\+|svn\+|bzr\+)/i.test(text) || /\.git(?:[#@]|$)/i.test(text)) return "git";
  if (/^(?:https?|ftp):/i.test(text)) return "url";
  if (/^(?:github|gitlab|bitbucket|gist):/i.test(text)) return "git";
  if (/^(?:file:|link:|portal:|\.{0,2}\/|~|\.{1,2}$|\.\[)/.test(text) || archives.test(text)) return "file";
  if (javaScript.has(manager) && /^[\w.-]+\/[\w.-]+(?:#.*)?$/s.test(text)) return "git";
  return "registry";
}

/** Returns the address after `name@` or `name @`; otherwise the whole word. */
export function addressIn(word: Field): Field {
  const found = /^[^/@]+(?:\/[^/@]+)?@\s*((?:https?|ftp):.+)$/is.exec(word.text)?.[1];
  return found === undefined ? word : { ...word, text: found, verbatim: -1 };
}

const registryOptions: readonly string[] = [
  "--registry",
  "--index-url",
  "--extra-index-url",
  "--index",
  "--default-index",
  "--find-links",
  "--source",
  "--add-source",
  "--channel",
  "--repository",
];
const registryVariables =
  /^(?:npm_config_registry|yarn_(?:npm_)?registry(?:_server)?|bun_config_registry|pip_(?:extra_)?index_url|pip_find_links|uv_(?:default_|extra_)?index(?:_url)?|uv_find_links|goproxy|cargo_registries_\w+_index)$/i;

/**
 * Lists the registries that a call names itself, by option or variable; empty if the call leaves the choice to its settings. A
 * registry name that the settings resolve is returned as it is. Go's `direct` (the repository's own host) and `off` are no
 * registries.
 */
export function registriesOf(call: Call): readonly Text[] {
  const options = registryOptions.flatMap((name) => call.values(name).map(textOfField));
  const variables = [...call.draft.env].flatMap(([name, value]): readonly Text[] => {
    if (!registryVariables.test(name)) return [];
    return value.kind === "unknown" ? [patternText(knownOf(value, `$${name}`))] : value.text.split(/[,|\s]+/);
  });
  return [...new Set([...options, ...variables])].filter((text) => text !== "" && text !== "off" && text !== "direct");
}

/**
 * Returns the possible sources of a package word: any source if its beginning is unknown. An unknown later part may continue with
 * an address.
 */
function meantSource(word: Field, source: string, manager: string): Text {
  if (word.kind !== "unknown") return source;
  if (mayBeAddress(word)) return anyText(shownText(textOfField(word)));
  // A known address or path stays one, but an unknown end may make it a git repository.
  if (source !== "registry" && sourceOf(knownBeginning(word), manager) === source)
    return fewTexts([source, "git"], "source");
  return loosened(source);
}

/** Returns the version that an option of the call names, if it is known. */
function versionOf(call: Call): string | undefined {
  const option = ["--version", "--vers", "--revision"].map((name) => call.value(name)).find((found) => found);
  return option?.kind === "literal" ? option.text : undefined;
}

/** Reports the installation of one package. Its source is the registry that the call names, if any. */
export function installOne(call: Call, manager: string, word: Field): void {
  const source = sourceOf(shapeOf(word), manager);
  const registries = source === "registry" ? registriesOf(call) : [];
  for (const one of registries.length > 0 ? registries : [meantSource(word, source, manager)])
    call.to.install(manager, one, textOfField(word), versionOf(call));
  if (source === "url") call.to.network(addressIn(word), "download");
  if (source === "file") call.to.read({ ...word, text: word.text.replace(/^(?:file|link|portal):/, "") });
}

/** Reports the installation of a lock file or project file, whose package names are not in the command. */
export function installListed(call: Call, manager: string): void {
  const registries = registriesOf(call);
  for (const one of registries.length > 0 ? registries : ["lockfile"]) call.to.install(manager, one, "");
}
