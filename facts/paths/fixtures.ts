import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { spend } from "../meter.ts";
import { placeOf } from "./resolve.ts";

/** Folders that hold data of tests by their name, and folders of tests where there is another below them. */
const ofData = /^(?:_*fixtures?_*|test-?_?data|_*mocks_*|_*snapshots_*|golden|goldens)$/i;
const ofTests = /^(?:_*tests?_*|_*specs?_*|e2e)$/i;
const temporary =
  /^\/(?:private\/)?(?:(?:var\/)?tmp|dev\/shm)\/[^/]+(?:\/|$)|^\/(?:private\/)?var\/folders\/[^/]+\/[^/]+\/T\/[^/]+(?:\/|$)/;
/** A part of a path in which a host keeps its settings. */
const ofHost =
  /^(?:\.(?:claude|codex|gemini|github|copilot|cursor|windsurf|codeium|clinerules|cline|agents|opta|config|opencode|pi|omp))$/i;
/** Variables that move the folders of a host of agents, or of this session. */
const moving =
  /^(?:HOME|USERPROFILE|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|COPILOT_HOME|OPENCODE_CONFIG(?:_DIR)?|PI_CODING_AGENT_DIR|CLINE_DIR|CURSOR_CONFIG_DIR|OPTA_HOME)$/;

/**
 * True for a file or folder of a host's settings that no agent of this session reads: data of tests beneath the project, or a
 * folder of the temporary one. Agents do read a home, the folders that the session works in and those above them, wherever they
 * lie, and any place that a variable names. Both forms of the path must be so.
 */
export function isFixture(path: PathValue, environment: Environment): boolean {
  spend(2);
  if (path.pattern || path.loose === true) return false;
  const forms = path.real === path.lexical ? [path.lexical] : [path.lexical, path.real];
  return forms.every((form) => isUnread(baseOf(form), environment));
}

/** Returns the folder whose settings a path belongs to: the parent of the first folder of a host. */
function baseOf(path: string): string {
  const parts = path.split("/");
  const at = parts.findIndex((part) => ofHost.test(part));
  return (at < 0 ? parts : parts.slice(0, at)).join("/") || "/";
}

/** True for a folder in which no agent of this session has its settings. */
export function isUnread(folder: string, { home, workspace, cwd, variables }: Environment): boolean {
  spend(4 + (folder.length >> 5));
  const read = [home, workspace, cwd].map(placeOf).filter((one) => one !== "");
  if (read.some((one) => isWithin(one, folder))) return false;
  const moved = Object.keys(variables).filter((name) => moving.test(name));
  if (moved.some((name) => isWithin(placeOf(variables[name] ?? ""), folder))) return false;
  const project = placeOf(workspace);
  if (project !== "" && project !== "/" && isWithin(folder, project)) return isOfTests(folder.slice(project.length));
  // A path below a home in a temporary folder may be another session's project.
  const own = placeOf(home);
  return temporary.test(`${folder}/`) && (own === "" || own === "/" || !isWithin(folder, own));
}

function isOfTests(path: string): boolean {
  const parts = path.split("/");
  return parts.some((part, i) => ofData.test(part) || (ofTests.test(part) && i < parts.length - 1));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
