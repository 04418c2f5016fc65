import type { Dialect } from "./dialect.ts";
import { dialectOf, hookHosts } from "./registry.ts";

/** What `install` wrote on the command line of a hook. Nothing of it comes from the environment. */
export interface HookArguments {
  readonly dialect: Dialect;
  /** Policy files, folders and packs, user scope. */
  readonly policies: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** Milliseconds in which an answer must be out, where the host's time-out is not the usual one. */
  readonly budget?: number;
  /** Why the call is refused whatever the policies say, in words for the model. */
  readonly refuse?: string;
}

/** A command line that nobody can mean; `dialect` if at least the host is known. */
export interface Misuse {
  readonly misuse: string;
  readonly dialect: Dialect | undefined;
}

/** Reads `<host> [--policy P]… [--set name=value]… [--budget milliseconds] [--refuse why]`. */
export function readArguments(given: readonly string[]): HookArguments | Misuse {
  const [host = "", ...rest] = given;
  const dialect = dialectOf(host);
  if (!dialect) return { misuse: `\`${host}\` is no host of hooks; there are ${hookHosts.join(", ")}`, dialect };
  const policies: string[] = [];
  const set: Record<string, string> = {};
  let budget: number | undefined;
  let refuse: string | undefined;
  for (let i = 0; i < rest.length; i += 2) {
    const [name = "", value] = rest.slice(i, i + 2);
    if (value === undefined) return { misuse: `\`${name}\` lacks its value`, dialect };
    const at = value.indexOf("=");
    if (name === "--policy" || name === "-p") policies.push(value);
    else if (name === "--set" && at > 0) Object.defineProperty(set, value.slice(0, at), own(value.slice(at + 1)));
    else if (name === "--budget" && /^[1-9]\d{2,5}$/.test(value)) budget = Number(value);
    else if (name === "--refuse") refuse = value;
    else return { misuse: `\`${name} ${value}\` is no option of a hook`, dialect };
  }
  return { dialect, policies, set, ...(budget !== undefined && { budget }), ...(refuse !== undefined && { refuse }) };
}

function own(value: string): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}
