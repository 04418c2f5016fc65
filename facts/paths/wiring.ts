import type { PathValue } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { type MatchOptions, within } from "./match.ts";
import { inRows } from "./row-index.ts";

/**
 * Files and folders by which hosts call the guard, and the guard's own, below a home folder or a project. One table; the globs
 * of the policy `self-protection` say the same of single files, and a test holds the two together.
 */
const both = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/hooks.json",
  ".codex/config.toml",
  ".gemini/settings.json",
  ".cursor/hooks.json",
  ".cline/hooks",
  ".agents/plugins/hookwarden",
];

/** Below a project. */
export const projectWiring: readonly string[] = [
  ...both,
  ".github/hooks",
  ".github/copilot/settings.json",
  ".github/copilot/settings.local.json",
  ".windsurf/hooks.json",
  ".clinerules/hooks",
  ".opta/config.json",
  ".opencode/plugin",
  ".opencode/plugins",
  ".pi/extensions",
  ".pi/settings.json",
  ".omp/hooks",
  ".omp/extensions",
  ".omp/settings.json",
  ".hookwarden",
];

/** Below a home folder. */
export const homeWiring: readonly string[] = [
  ...both,
  ".copilot/hooks",
  ".copilot/settings.json",
  ".codeium/windsurf/hooks.json",
  ".opta/config.json",
  ".config/opta/config.json",
  ".opencode/plugin",
  ".opencode/plugins",
  ".config/opencode/plugin",
  ".config/opencode/plugins",
  ".config/opencode/opencode.json",
  ".config/opencode/opencode.jsonc",
  ".pi/agent/extensions",
  ".pi/agent/settings.json",
  ".omp/agent/hooks",
  ".omp/agent/extensions",
  ".omp/agent/settings.json",
  ".config/hookwarden",
  ".local/state/hookwarden",
  ".local/share/hookwarden",
];

/** Folders that hold much else beside: only their wiring that exists on this machine counts. */
const shared: ReadonlySet<string> = new Set(
  ".github .config .config/opta .agents .agents/plugins .local .local/state .local/share .codeium .clinerules".split(
    " ",
  ),
);

/** The home folder and its subfolders for which replacing the whole tree always needs a question, whatever they contain. */
const ofHome: ReadonlySet<string> = new Set(["", ".config", ".local", ".local/state", ".local/share"]);

/** Every folder that is there for a host or the guard, by its end: `.claude`, `.pi/agent`, `.config/opencode`. */
const folderEnds: readonly string[] = [
  ...new Set(
    [...projectWiring, ...homeWiring].flatMap((row) => {
      const parts = row.split("/");
      const least = /\.\w+$/.test(row.slice(1)) ? 1 : 0;
      return parts.map((_, i) => parts.slice(0, i + 1).join("/")).slice(0, parts.length - least);
    }),
  ),
].filter((end) => !shared.has(end));

const byLastPart = new Map<string, string[]>();
for (const end of folderEnds) {
  const last = end.slice(end.lastIndexOf("/") + 1);
  byLastPart.set(last, [...(byLastPart.get(last) ?? []), end]);
}

/** A folder of a host or the guard: its home folder or project, and the wiring it may hold, relative to it. */
export interface WiringFolder {
  readonly base: string;
  readonly rows: readonly string[];
}

/** Returns the wiring below a folder of a host or of the guard; undefined for any other folder. */
export function wiringIn(folder: string): WiringFolder | undefined {
  spend(2);
  const name = folder.toLowerCase();
  const ends = byLastPart.get(name.slice(name.lastIndexOf("/") + 1)) ?? [];
  const end = ends.find((one) => name.endsWith(`/${one}`));
  if (end === undefined) return undefined;
  const rows = [...projectWiring, ...homeWiring].filter((row) => row === end || row.startsWith(`${end}/`));
  return { base: folder.slice(0, -end.length - 1) || "/", rows: rows.map((row) => row.slice(end.length + 1)) };
}

const files: ReadonlySet<string> = new Set([...projectWiring, ...homeWiring]);

/** True for a file or folder of the table, in any folder, and for anything in such a folder. */
export function wiringFile(path: string): boolean {
  const parts = path.split("/");
  spend(1 + parts.length);
  const from = parts.findIndex((part) => part.startsWith("."));
  for (let start = from; start >= 0 && start < parts.length; start++)
    if (parts[start]?.startsWith("."))
      for (let end = start + 1; end <= Math.min(parts.length, start + 4); end++)
        if (files.has(parts.slice(start, end).join("/").toLowerCase())) return true;
  return false;
}

/** True for a home folder and those in it that hold what belongs to the guard, and for those above it. */
export function isAboveHome(folder: string, home: string): boolean {
  if (home === "") return false;
  return `${home}/`.startsWith(`${folder === "/" ? "" : folder}/`) || ofHome.has(beneath(folder, home) ?? "-");
}

/** Returns a path relative to a folder above it; undefined if it is not below the folder. */
export function beneath(path: string, folder: string): string | undefined {
  if (path === folder) return "";
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** Globs of single files and folders, for paths that are globs themselves. */
const fileRows: readonly string[] = [...new Set([...projectWiring, ...homeWiring])].flatMap((row) => [
  `**/${row}`,
  `**/${row}/**`,
]);
const folderRows: readonly string[] = folderEnds.map((end) => `**/${end}`);

/** Names of wiring folders and files; a `find` glob that ends in one of them concerns wiring. */
const besideDots =
  /^(?:\.(?:claude|codex|gemini|cursor|cline|opta|opencode|pi|omp|copilot|windsurf|hookwarden)|settings\.local\.json)$/;

/** Splits a path as `find` gives it: any file of that name below a folder, through hidden folders too. */
export function foundBy(path: PathValue): { readonly folder: string; readonly name: string } | undefined {
  const found = /^([^*?[]*)\/\*\*\/([^/]+)$/.exec(path.pattern && path.lexical.length <= 4_096 ? path.lexical : "");
  return found ? { folder: found[1] || "/", name: found[2] as string } : undefined;
}

const spelled =
  /\/(?:\.claude|\.codex|\.gemini|\.cursor|\.cline|\.opta|\.opencode|opencode|\.pi|\.omp|\.copilot|\.windsurf|\.hookwarden|hookwarden|hooks|extensions)\/|\/(?:settings\.local|settings\.j|hooks\.j)[^/]*$|\/\.(?:cl|co|ge|cu|op|pi|om|wi|ho)[\w-]*[*?[][^/]*$/i;

/** True for a glob that is about a host's wiring (`.claude/*`, `settings.loc*`, `.clau*`); `folders` counts a folder with all in it too. */
export function isAboutWiring(path: PathValue, folders: boolean): boolean {
  if (!path.pattern) return false;
  spend(2 + (path.lexical.length >> 5));
  if (besideDots.test(foundBy(path)?.name ?? "")) return true;
  if (!spelled.test(path.lexical)) return false;
  const options: MatchOptions = { forms: "any", home: "" };
  return inRows(path, fileRows, options) || (folders && inRows(path, folderRows, options));
}

/** True if a glob may name this file. */
export function mayName(path: PathValue, file: string): boolean {
  spend(2);
  const found = foundBy(path);
  if (!found) return within(path, file, { forms: "any", home: "" });
  if (beneath(file, found.folder) === undefined) return false;
  const lexical = `${file.slice(0, file.lastIndexOf("/"))}/${found.name}`;
  return within({ ...path, lexical, real: lexical }, file, { forms: "any", home: "" });
}
