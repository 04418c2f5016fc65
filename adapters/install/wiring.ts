import type { HostName } from "../../schema/hosts.ts";
import type { LinePlace } from "./command.ts";
import type { JsonPath, TextFault } from "./jsonc.ts";

/** Scope of a configuration: the user's for every project, or that of one project. */
export type InstallScope = "user" | "project";

/** Options of a host's wiring, and its location. */
export interface InstallPlace extends LinePlace {
  readonly scope: InstallScope;
  readonly project: string;
  /** A file that the user names, for hosts whose configuration can be anywhere. */
  readonly config?: string;
  /** The host's version, if files give it: the host is never run. */
  readonly hostVersion?: string;
  /** The modules and the Node that the program was copied from, if it is in a place of its own. */
  readonly source?: readonly string[];
  /** Server of an MCP configuration. */
  readonly server?: string;
}

/** A new text, and the paths in it that `install` made. */
export interface Wired {
  readonly text: string;
  readonly made: readonly JsonPath[];
  /** Texts that were replaced, by name, for a later `unwire`. */
  readonly kept?: Readonly<Record<string, string | null>>;
}

/** Record of `install` about a file that it wrote. */
export interface WiredBefore {
  readonly made: readonly JsonPath[];
  readonly kept?: Readonly<Record<string, string | null>>;
}

/** A text without our entries. */
export interface Unwired {
  readonly text: string;
  /** Number of our entries that were in it. */
  readonly ours: number;
  /** True if the rest configures nothing. */
  readonly empty: boolean;
}

/** Our hooks in a file. */
export interface Inspection {
  /** Events with our hook, by the host's names; `all` if a module subscribes by itself. */
  readonly wired: readonly string[];
  readonly missing: readonly string[];
  /** Launchers or modules that the file points to. */
  readonly targets: readonly string[];
  /** True if the host starts a hook of ours without a shell of its own, which not every version does. */
  readonly direct?: boolean;
  /** True if another installation wrote it. */
  readonly elsewhere?: boolean;
  /** Hooks of others on the same events: the number before ours, and after. */
  readonly before: number;
  readonly after: number;
}

/** One file of a host, and how it is changed. All functions are pure: texts in, texts out. */
export interface FileWiring {
  readonly path: string;
  /** Permissions of a new file. */
  readonly mode?: number;
  /** True for a file that is wholly ours. */
  readonly own: boolean;
  /** Returns the text with our wiring; the same text if the wiring is already there. */
  wire(text: string | undefined): Wired | TextFault;
  /** Returns the text without our wiring; the same text if there is none. */
  unwire(text: string, before: WiredBefore | undefined): Unwired | TextFault;
  inspect(text: string): Inspection | TextFault;
}

/** One host that `install` knows. */
export interface HostInstaller {
  /** Name on the command line. */
  readonly name: string;
  readonly row: HostName;
  /** Variables that make the host look elsewhere; a file that `install` wrote there would have no protection. */
  readonly moved?: readonly string[];
  /** Returns the version of the host that `PATH` leads to, from files alone. */
  version?(path: string | undefined): string | undefined;
  /** Returns the reason why the found wiring does not suit the host's version, with the remedy. */
  unfit?(place: InstallPlace, found: Inspection): string | undefined;
  /** Returns the files to write, or the reason why there are none. */
  files(place: InstallPlace): readonly FileWiring[] | TextFault;
  /** Lists the steps for a human before the host runs the hook, and other advice. */
  steps(place: InstallPlace): readonly string[];
}

/** True for a fault. */
export function isFault(value: object): value is TextFault {
  return Object.hasOwn(value, "message") && Object.hasOwn(value, "at");
}
