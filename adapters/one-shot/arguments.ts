import { isAbsolute } from "node:path";
import type { Dialect } from "./dialect.ts";
import { dialectOf, hookHosts } from "./registry.ts";

/** Command line of a hook, as `install` wrote it. Nothing in it comes from the environment. */
export interface HookArguments {
  readonly dialect: Dialect;
  /** Policy files, folders and packs, user scope. */
  readonly policies: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** Milliseconds within which an answer must be written, if the host's time-out is not the usual one. */
  readonly budget?: number;
  /** Why the call is refused whatever the policies say, in words for the model. */
  readonly refuse?: string;
  /** The event that the hook was wired for, as the host's configuration names it. */
  readonly event?: string;
  /** Our folder of state, whatever the environment says. */
  readonly state?: string;
  /** The home folder whose policies judge: the installing user's. The agent may have another. */
  readonly home?: string;
}

/** An invalid command line; `dialect` is set if at least the host is known. */
export interface Misuse {
  readonly misuse: string;
  readonly dialect: Dialect | undefined;
}

/** Reads `<host> [--event NAME] [--state DIR] [--home DIR] [--policy P]… [--set name=value]… [--budget milliseconds] [--refuse why]`. */
export function readArguments(given: readonly string[]): HookArguments | Misuse {
  const [host = "", ...rest] = given;
  const dialect = dialectOf(host);
  if (!dialect) return { misuse: `\`${host}\` is no host of hooks; there are ${hookHosts.join(", ")}`, dialect };
  const policies: string[] = [];
  const set: Record<string, string> = {};
  const said: { budget?: number; refuse?: string; event?: string; state?: string; home?: string } = {};
  for (let i = 0; i < rest.length; i += 2) {
    const [name = "", value] = rest.slice(i, i + 2);
    if (value === undefined) return { misuse: `\`${name}\` lacks its value`, dialect };
    const at = value.indexOf("=");
    if (name === "--policy" || name === "-p") policies.push(value);
    else if (name === "--set" && at > 0) Object.defineProperty(set, value.slice(0, at), own(value.slice(at + 1)));
    else if (name === "--budget" && /^[1-9]\d{2,5}$/.test(value)) said.budget = Number(value);
    else if (name === "--refuse") said.refuse = value;
    else if (name === "--event" && /^[A-Za-z_.]{1,64}$/.test(value)) said.event = value;
    else if (name === "--state" && isAbsolute(value)) said.state = value;
    else if (name === "--home" && isAbsolute(value)) said.home = value;
    else return { misuse: misuseOf(name, value), dialect };
  }
  return { dialect, policies, set, ...said };
}

function misuseOf(name: string, value: string): string {
  const shown = `\`${name} ${value}\``;
  return name === "--state" || name === "--home"
    ? `${shown} must name an absolute path`
    : `${shown} is no option of a hook`;
}

function own(value: string): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}
