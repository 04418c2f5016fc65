import { programOf } from "../../facts/programs/registry.ts";
import { effectsOfCommand } from "./read-command.ts";
import type { WrongShape } from "./wrong-shape.ts";

/**
 * Targets of changes and kills that authors write as a command. The same facts that judge a call say what such a command has
 * as its target, so that no table of programs is needed here.
 */

type Kind = "config" | "kills" | "runs";

/** Verb for the target of a command, by the list of effects. */
const verbs = { config: "changes", kills: "ends", runs: "runs" } as const;

/** Words that stand for what a command may be given: a name, an address, a number. */
const given = ["", " x", " x y", " x://y", " x:y", " 1"] as const;

/** Verbs that facts use themselves: a text with one behind its first word is a name, and no command. */
export const ownVerbs: ReadonlySet<string> = new Set(
  "delete reveal grant expose publish stop start scale put set use run copy deploy restart apply create drop".split(
    " ",
  ),
);

/** Returns the fault of a text that is a command in place of the target that facts have of it. `operator` is that of a YAML test. */
export function commandTarget(kind: Kind, text: string, operator: string): WrongShape | undefined {
  const isStart = operator === "starts_with" || (operator === "glob" && / \*+$/.test(text));
  if (!isStart && operator !== "equals" && operator !== "in" && (operator !== "glob" || text.includes("*")))
    return undefined;
  const words = text.replace(/[ *]+$/, "");
  const found = setting(kind, words, isStart);
  if (found) return found;
  if (words.length > 120 || !/^[A-Za-z][\w.-]*(?: +[\w./:@=%+,-]+){1,7}$/.test(words)) return undefined;
  const [first = "", second = ""] = words.split(/ +/);
  if (programOf(first) === undefined || (kind === "config" && ownVerbs.has(second) && !words.includes(" -")))
    return undefined;
  const targets = given.flatMap((more) => targetsOf(kind, `${words}${more}`).map((target) => ({ target, more })));
  const [one] = targets;
  if (!one || targets.some(({ target }) => `${target} `.startsWith(`${first} ${second} `))) return undefined;
  if (targets.some(({ target }) => target.startsWith(words))) return undefined;
  // What was added here is no part of the answer.
  const added = one.more.trim();
  const isCut = added !== "" && one.target.endsWith(added);
  const name = (isCut ? one.target.slice(0, -added.length) : one.target).replace(/ $/, "");
  if (name === "") return undefined;
  const why = `that is a command, and facts have what it ${verbs[kind]}`;
  if (isCut || isStart) return { why, help: `write \`{ starts_with: "${name}" }\`` };
  return { why, help: `write \`${name}\``, instead: name };
}

/** Finds a setting with the name of its program before it, as in `npm.registry`. */
function setting(kind: Kind, text: string, isStart: boolean): WrongShape | undefined {
  const [, program = "", key = ""] = /^([a-z][\w-]{0,30})[.:]([A-Za-z][\w.:@/-]{0,80})$/.exec(text) ?? [];
  if (kind !== "config" || isStart || key === "" || programOf(program) === undefined) return undefined;
  const calls = [`${program} config set ${key} x`, `${program} config ${key} x`];
  if (!calls.some((call) => targetsOf("config", call).includes(key))) return undefined;
  return { why: "the target is the setting alone", help: `write \`${key}\``, instead: key };
}

function targetsOf(kind: Kind, command: string): readonly string[] {
  const found = effectsOfCommand(command)?.[kind] ?? [];
  return found.flatMap(({ target }) => (typeof target === "string" ? [target] : []));
}
