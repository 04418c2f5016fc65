import {
  type HookLine,
  type HookShell,
  hookLines,
  type OpeningName,
  openings,
} from "../../schema/hosts/hook-shells.ts";
import { code, table } from "../generate/page.ts";

const hosts = Object.entries(hookLines) as [string, HookLine][];
const names = Object.keys(openings) as OpeningName[];
const shells: readonly HookShell[] = ["dash", "bash as sh", "bash", "none"];

const intro =
  "A project may set variables for the agent, and the host gives them to its hooks. `install` writes a line that looks up no\n" +
  "program by name, has a shell that takes nothing from the environment (`sh -p`) hand the variables on as data, and starts\n" +
  "Node with a cleared environment. What is left is whoever reads the line first: a shell of the host's, where it has one.\n" +
  "`dash` and `bash as sh` are `sh -c`, `bash` is `bash -c`, and of `none` the host starts the program without a shell.";

/** Returns the table of the shells that read the line of each host, and the open variables of each class. */
export function hookShells(): string {
  return [intro, ofHosts(), ofShells()].join("\n\n");
}

function ofHosts(): string {
  const rows = hosts.map(([host, { shells: read, known, blanks, project, note = "" }]) => [
    code(host),
    read.join(", or "),
    known === "run" ? "seen in a run" : known === "docs" ? "its documents" : "not known",
    project,
    openOf(read, blanks === true),
    note,
  ]);
  return table(
    ["host", "who reads the line", "known from", "variables a project can set by", "not closable at the hook", "note"],
    rows,
  );
}

/** Returns the variables that remain open if any of the shells reads the line, unless the hook's entry empties them. */
function openOf(read: readonly HookShell[], blanks: boolean): string {
  if (blanks) return "none: the entry sets them to nothing";
  return names.filter((name) => read.some((shell) => !openings[name][shell].closed)).join("; ");
}

function ofShells(): string {
  const cell = (name: OpeningName, shell: HookShell): string => {
    const { closed, why } = openings[name][shell];
    return `${closed ? "closed" : "**open**"}: ${why}`;
  };
  return table(
    ["variables", ...shells],
    names.map((name) => [name, ...shells.map((shell) => cell(name, shell))]),
  );
}
