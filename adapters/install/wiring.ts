import type { HostName } from "../../schema/hosts.ts";
import type { LinePlace } from "./command.ts";
import type { JsonPath, TextFault } from "./jsonc.ts";

/** Whose configuration: the user's for every project, or that of one project. */
export type InstallScope = "user" | "project";

/** What a host is to be wired with, and where. */
export interface InstallPlace extends LinePlace {
  readonly scope: InstallScope;
  readonly project: string;
  /** A file that the user names, for hosts whose configuration can stand anywhere. */
  readonly config?: string;
  /** The host's version, as far as files say it: the host is never run. */
  readonly hostVersion?: string;
  /** The modules and the Node that the program was taken from, where it is in a place of its own. */
  readonly source?: readonly string[];
  /** Server of an MCP configuration. */
  readonly server?: string;
}

/** A text that was worked out, and the paths in it that had not been there. */
export interface Wired {
  readonly text: string;
  readonly made: readonly JsonPath[];
  /** Texts that were replaced, by name, for a later `unwire`. */
  readonly kept?: Readonly<Record<string, string | null>>;
}

/** What `install` noted about a file when it wrote it. */
export interface WiredBefore {
  readonly made: readonly JsonPath[];
  readonly kept?: Readonly<Record<string, string | null>>;
}

/** A text without what is ours. */
export interface Unwired {
  readonly text: string;
  /** How many entries of ours were in it. */
  readonly ours: number;
  /** True if what is left configures nothing. */
  readonly empty: boolean;
}

/** What of us stands in a file. */
export interface Inspection {
  /** Events with our hook, as the host names them; `all` where a module takes what it wants. */
  readonly wired: readonly string[];
  readonly missing: readonly string[];
  /** Launchers or modules that are pointed to. */
  readonly targets: readonly string[];
  /** True where the host starts a hook of ours without a shell of its own, which not every version does. */
  readonly direct?: boolean;
  /** True where it was written by another installation. */
  readonly elsewhere?: boolean;
  /** Hooks of others on the same events: how many stand before ours, and how many after. */
  readonly before: number;
  readonly after: number;
}

/** One file of a host, and how it is changed. All of it is pure: texts in, texts out. */
export interface FileWiring {
  readonly path: string;
  /** Permissions of a file that is made. */
  readonly mode?: number;
  /** True for a file that is wholly ours. */
  readonly own: boolean;
  /** The text with our wiring in it; the very same text where it is there already. */
  wire(text: string | undefined): Wired | TextFault;
  /** The text without our wiring; the very same text where there is none. */
  unwire(text: string, before: WiredBefore | undefined): Unwired | TextFault;
  inspect(text: string): Inspection | TextFault;
}

/** One host that `install` knows. */
export interface HostInstaller {
  /** Name on the command line. */
  readonly name: string;
  readonly row: HostName;
  /** Variables by which the host itself looks elsewhere: what `install` would write there, nobody protects. */
  readonly moved?: readonly string[];
  /** The version of the host that `PATH` leads to, by files alone. */
  version?(path: string | undefined): string | undefined;
  /** Why the wiring that was found does not serve the host's version, with what to do. */
  unfit?(place: InstallPlace, found: Inspection): string | undefined;
  /** The files to write, or why there are none. */
  files(place: InstallPlace): readonly FileWiring[] | TextFault;
  /** What a human must do before the host runs the hook, and what else they should know. */
  steps(place: InstallPlace): readonly string[];
}

/** True for a fault. */
export function isFault(value: object): value is TextFault {
  return Object.hasOwn(value, "message") && Object.hasOwn(value, "at");
}
