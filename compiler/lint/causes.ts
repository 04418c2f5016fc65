import { programOf } from "../../facts/programs/registry.ts";
import { wrapperOf } from "../../facts/programs/wrappers.ts";
import type { EffectKind } from "../../schema/facts.ts";
import { factsOf } from "../never/absent-facts.ts";
import { openPrograms, programsByEffects, programsByManagers } from "./causes.generated.ts";
import { effectsOfCommand } from "./read-command.ts";

/** Programs and tools that cause effects, as `via` names them, with the effects that each can have. */

/** The list of effects, by the record that is one of its items. */
const lists: Readonly<Record<string, EffectKind>> = {
  read: "reads",
  write: "writes",
  delete: "deletes",
  run: "runs",
  network_access: "network",
  install: "installs",
  push: "pushes",
  config_change: "config",
  kill: "kills",
};

/** Returns the list of effects that a field such as `delete.via` belongs to. */
export function listOf(field: string | undefined): EffectKind | undefined {
  const record = field?.split(".")[0] ?? "";
  return Object.hasOwn(lists, record) ? lists[record] : undefined;
}

/** Why a program or tool never causes an effect. `isSure` is false for a program that may do what facts do not see. */
export interface NeverCause {
  readonly why: string;
  readonly help: string;
  readonly isSure: boolean;
}

/** Returns why a program or canonical tool never causes an effect of a list, and what to do; undefined where it may. */
export function neverCauses(name: string, list: EffectKind): NeverCause | undefined {
  if (list === "network" && managers.has(name)) return ofManager(name);
  const all = [kindsOf.get(name), toolKinds(name)];
  const own = all.flatMap((kinds) => kinds ?? []);
  if (all.every((kinds) => kinds === undefined) || own.includes(list)) return undefined;
  // A redirect counts as the program's own: `grep x f > out`, `cat < /dev/tcp/host/80`.
  const redirects = byRedirect.has(list) && kindsOf.has(name);
  const why = redirects
    ? `nothing but a redirect gives \`${name}\` \`effects.${list}\``
    : `facts have no \`effects.${list}\` of \`${name}\``;
  const help = wrapperOf(name) ? "name the program that it starts" : instead(own);
  return { why, help, isSure: !redirects && !open.has(name) };
}

/** Packages that a manager fetches are installs; only an address that the call names is traffic of its own. */
function ofManager(name: string): NeverCause {
  const why = `\`${name}\` has \`effects.network\` where the call names an address; what it fetches is in \`effects.installs\``;
  return { why, help: "for packages write `each: { i: effects.installs }`", isSure: false };
}

function instead(kinds: readonly string[]): string {
  return kinds.length > 0
    ? `it has ${kinds.map((kind) => `\`effects.${kind}\``).join(", ")}`
    : "test the command itself: `each: { c: shell.commands }`";
}

/** Effects that the shell gives any program. */
const byRedirect: ReadonlySet<EffectKind> = new Set(["reads", "writes", "network"]);

function toolKinds(name: string): readonly string[] | undefined {
  return Object.hasOwn(factsOf, name) ? factsOf[name]?.map((fact) => fact.replace("effects.", "")) : undefined;
}

/** Returns the managers that facts give to the packages a program installs; undefined where nothing is known. */
export function managersOf(name: string): readonly string[] | undefined {
  return managers.get(name);
}

/**
 * Returns the target that facts have where a program acts on something of a name: `container/web` for `web` and docker. Undefined
 * where a command of the program has the name itself as its target, or none has anything like it.
 */
export function targetLike(name: string, program: string, list: "kills" | "config"): string | undefined {
  const bare = name.split("/").at(-1) as string;
  // A name with a blank is whole: `kubernetes delete namespace/prod`.
  if (!/^[\w.-]{1,60}$/.test(bare) || /\s/.test(name)) return undefined;
  const given = name === bare ? [name] : [name, bare];
  let like: string | undefined;
  for (const verb of verbsOf(program))
    for (const word of given)
      for (const { target } of effectsOfCommand(`${program} ${verb} ${word}`)?.[list] ?? []) {
        if (target === name) return undefined;
        if (typeof target === "string" && target.split("/").at(-1) === bare) like ??= target;
      }
  return like;
}

/** Most subcommands of a program that are tried. */
const mostVerbs = 100;

function verbsOf(program: string): readonly string[] {
  const verbs = (programOf(program)?.subcommands ?? []).flatMap(({ names, subcommands }) => [
    names[0] as string,
    ...(subcommands ?? []).map((one) => `${names[0]} ${one.names[0]}`),
  ]);
  return ["", ...verbs].slice(0, mostVerbs);
}

/** Turns a table of names by what they have in common round. */
function byName<T extends string>(table: Readonly<Record<string, string>>): ReadonlyMap<string, readonly T[]> {
  const words = (text: string): string[] => (text === "" ? [] : text.split(" "));
  return new Map(
    Object.entries(table).flatMap(([key, names]) => words(names).map((name) => [name, words(key) as T[]])),
  );
}

const kindsOf = byName<EffectKind>(programsByEffects);
const managers = byName(programsByManagers);
const open: ReadonlySet<string> = new Set(openPrograms.split(" "));
