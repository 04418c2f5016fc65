import { spend } from "../../meter.ts";
import type { Field } from "../fields.ts";
import { unknownVariable } from "../fields.ts";
import type { Binding, Setting } from "./binding.ts";
import { Store } from "./store.ts";
import { Table } from "./table.ts";
import { anyValue, eitherOf, exactly, exactText, noValue } from "./value.ts";

/** Facts that stay the same during an analysis. */
export interface Ground {
  readonly cwd: string;
  readonly home: string;
  readonly workspace?: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Name of the shell, such as `zsh`; bash when left out. */
  readonly dialect?: string;
}

/** Names that the shell sets itself, or that no environment may set. */
const reserved: ReadonlySet<string> = new Set(["IFS", "PWD", "OLDPWD", unknownVariable]);

/** Makes the initial store of a text: the environment's variables, except those that the shell sets itself. */
export function firstStore(ground: Ground): Store {
  const store = new Store();
  const names = Object.keys(ground.variables);
  spend(8 * names.length);
  const plain = { attributes: "", epoch: 0 };
  const variables = new Map<string, Binding>();
  for (const name of names) {
    const value = ground.variables[name];
    if (typeof value === "string" && !reserved.has(name))
      variables.set(name, { value: exactText(value), exported: true, ...plain });
  }
  variables.set("IFS", { value: exactText(" \t\n"), exported: false, ...plain });
  if (ground.home !== "") variables.set("HOME", { value: exactText(ground.home), exported: true, ...plain });
  store.variables = Table.of(variables);
  store.folders = [ground.cwd];
  const made = [ground.cwd, ground.home, ground.workspace ?? ""].filter((folder) => folder !== "");
  store.made = Table.of(made.map((folder) => [folder, true]));
  return store;
}

/**
 * Returns the store of a shell that is started from another: variables that are not exported may be missing there. Source: bash
 * manual, "Environment".
 */
export function newShell(store: Store, program: string, positional: readonly Field[] | undefined): Store {
  const child = store.fork();
  child.positional = exactly(positional ?? []);
  child.frames = [];
  child.endings = [];
  // The text of a trap or an alias runs in the shell that has them.
  if (program === "trap" || program === "alias") return child;
  child.options = Table.of<Setting>([]);
  child.aliases = Table.of<Field>([]);
  child.openFunctions();
  child.unsettled = false;
  spend(child.variables.size);
  for (const [name, binding] of [...child.variables]) {
    if (binding.exported || reserved.has(name)) {
      if (binding.attributes !== "") child.bind(name, { ...binding, attributes: "" });
      continue;
    }
    child.bind(name, {
      ...binding,
      attributes: "",
      value: eitherOf([store.get(name) ?? anyValue, noValue]),
      epoch: child.epoch,
    });
  }
  child.bind("IFS", { value: exactText(" \t\n"), exported: false, attributes: "", epoch: child.epoch });
  // A new shell does not take over a `PWD` that is not its folder.
  if (child.variables.has("PWD")) child.bind("PWD", undefined);
  child.bind("OLDPWD", { value: anyValue, exported: false, attributes: "", epoch: child.epoch });
  return child;
}
