import { isSlip } from "../diagnostics/suggest.ts";
import {
  canonicalManager,
  isOtherProgram,
  managerOfRegistry,
  packageManagers,
  packageSources,
  sourceMeant,
} from "../facts/programs/managers.ts";
import { detectorIds } from "../facts/secrets/detectors.ts";
import { withoutVersion } from "../facts/shell/names.ts";
import { canonicalEvent } from "../schema/events.ts";
import { canonicalHost, hostNames, otherHostNames } from "../schema/hosts.ts";
import { canonicalTool, canonicalTools, hostTools, mcpName, toolAliases } from "../schema/tools.ts";
import { toolInstead } from "./tool-spellings.ts";
import type { NameTable } from "./types.ts";

/**
 * The closed tables of the names in facts. A test against any other text can never hold, so the checker refuses it; another
 * spelling of a name is replaced by the name that facts use.
 */

/** A table whose names are few and all listed. */
function closed(noun: string, names: readonly string[], canonical: (text: string) => string): NameTable {
  const known = new Set(names);
  return { noun, names, canonical, has: (text) => known.has(text) };
}

/** `hookwarden` is the host of a loop of the user's own that gives no other name. */
export const hostTable: NameTable = {
  ...closed("host", [...hostNames, "hookwarden"], canonicalHost),
  others: otherHostNames,
};

const systems: Readonly<Record<string, string>> = {
  win32: "windows",
  win: "windows",
  macos: "darwin",
  "mac os": "darwin",
  mac: "darwin",
  osx: "darwin",
};

/** Operating systems as events name them. */
export const systemTable: NameTable = {
  ...closed("operating system", ["linux", "darwin", "windows"], (text) => {
    const lower = text.toLowerCase();
    return Object.hasOwn(systems, lower)
      ? (systems[lower] as string)
      : /^(?:linux|darwin|windows)$/.test(lower)
        ? lower
        : text;
  }),
  others: Object.keys(systems),
};

/** Names of some events; names that hosts have for them fold. */
export function eventTable(names: readonly string[]): NameTable {
  return closed("event of this rule", names, (text) => canonicalEvent(text) ?? text);
}

/** Package managers. */
export const managerTable: NameTable = {
  ...closed("package manager", packageManagers, canonicalManager),
  declared: "managers",
  wider: (text) =>
    isOtherProgram(text)
      ? `\`${canonicalManager(text)}\` stands for every program with its packages; if \`${text.toLowerCase()}\` alone is meant, test \`via: ${text.toLowerCase()}\` of the install as well`
      : undefined,
  instead: (text) => {
    const manager = managerOfRegistry(text);
    if (manager !== undefined) return `write \`${manager}\`, which takes packages from there`;
    return sourceMeant(text) === "registry" ? "test `source: registry` with the manager" : undefined;
  },
};

const sources: ReadonlySet<string> = new Set(packageSources);

/** Sources of packages; a call may also name a registry by its address, or by its name in the settings. */
export const sourceTable: NameTable = {
  noun: "source of a package",
  names: packageSources,
  canonical: (text) => (sources.has(text.toLowerCase()) ? text.toLowerCase() : text),
  has: (text) =>
    sources.has(text) ||
    (sourceMeant(text) === undefined && !packageSources.some((source) => isSlip(text.toLowerCase(), source))),
  instead: (text) => {
    const meant = sourceMeant(text);
    return meant && `facts call that \`${meant}\`; which registry it is says \`manager\``;
  },
  mayBegin: () => true,
};

const secretDetectors = detectorIds.filter((id) => id.startsWith("secrets/"));

/** Detectors of secrets; the part behind the slash will do. */
export const detectorTable: NameTable = {
  ...closed("detector of secrets", secretDetectors, (text) =>
    secretDetectors.includes(`secrets/${text}`) ? `secrets/${text}` : text,
  ),
  instead: (text) =>
    detectorIds.includes(text) ? "`secrets` holds no personal data; `redact` finds that by itself" : undefined,
};

const tools: ReadonlySet<string> = new Set([...canonicalTools, ...hostTools]);

/** Tools: canonical ones, those that hosts bring along, and those of servers and extensions. Policies declare further ones. */
export const toolTable: NameTable = {
  noun: "tool",
  names: [...tools],
  others: toolAliases,
  declared: "tools",
  canonical: canonicalTool,
  alias: (text) => ({
    message: `\`${text}\` is another host's name of \`${canonicalTool(text)}\``,
    help: `write \`${canonicalTool(text)}\``,
  }),
  has: (text) => tools.has(text) || mcpName(text) !== undefined || isExtension(text),
  instead: toolInstead,
  mayBegin: (text) => "mcp__".startsWith(text) || text.startsWith("mcp__") || isExtension(`${text}x`),
};

/** `extension__tool`, as Goose names the tools of its extensions. */
function isExtension(text: string): boolean {
  return !/^mcp_/i.test(text) && /^[A-Za-z][A-Za-z0-9-]*__\w/.test(text);
}

/** Programs: any name may be one, and interpreters are known without their version. */
export const programTable: NameTable = {
  noun: "program",
  names: [],
  lossy: true,
  canonical: withoutVersion,
  alias: (text) =>
    /\d\.\d/.test(text)
      ? {
          message: `facts fold versions: \`${text}\` is every \`${withoutVersion(text)}\``,
          help: `write \`${withoutVersion(text)}\`; the version stands in \`text\` of the command`,
        }
      : undefined,
  has: () => true,
  mayBegin: () => true,
};
