import type { Scope } from "../../engine/plan.ts";

/** What the words after `yaml` in a fence say of the policy in it. */
export interface FenceInfo {
  /** `as <file name>` */
  readonly name: string | undefined;
  /** `set <name>=<value>`, as a command line would. */
  readonly set: Readonly<Record<string, string>>;
  /** `scope <scope>`: the file is given by itself, in that scope. */
  readonly scope: Scope | undefined;
  /** `trust yes`: a human has trusted these bytes. */
  readonly trusted: boolean;
}

/** Reads the words after `yaml` in a fence; throws for a word that is not known. */
export function fenceInfo(info: string): FenceInfo {
  const words = info === "" ? [] : info.split(" ");
  const set: Record<string, string> = {};
  let name: string | undefined;
  let scope: Scope | undefined;
  let trusted = false;
  for (let i = 0; i < words.length; i += 2) {
    const [key, value = ""] = words.slice(i, i + 2);
    if (key === "as") name = value;
    else if (key === "set") set[value.slice(0, value.indexOf("="))] = value.slice(value.indexOf("=") + 1);
    else if (key === "scope") scope = value as Scope;
    else if (key === "trust") trusted = value === "yes";
    else throw new Error(`unknown word \`${key}\` after the fence`);
  }
  return { name, set, scope, trusted };
}
