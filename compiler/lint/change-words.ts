import { isSlip } from "../../diagnostics/suggest.ts";
import { isVerb } from "../../facts/programs/operations.ts";
import { changesRedisKeys } from "../../facts/programs/stores.ts";
import { deletingSystems, systemsMeant } from "./change-target.ts";
import type { WrongShape } from "./wrong-shape.ts";

const words = (text: string): readonly string[] => text.split(" ");

const systems: readonly string[] = [
  ...new Set([...deletingSystems, ...systemsMeant.values(), ...words("pulumi system cloud clickhouse gitea npm")]),
];

/** Verbs that rules are about, in any system. */
const verbs = words(
  "delete destroy reveal grant expose publish stop start scale drain rollback rollout drop truncate alter update create apply deploy restart purge flushall flushdb rewrite",
);

/** Kinds of resources that rules are about. */
const kinds = words(
  "namespace pod deployment service secret configmap node statefulset daemonset ingress container volume image network release repo table database schema index view",
);

/**
 * Finds a misspelt word in the name of a change: `terraform destory`, `kuberntes delete **`. `operator` is that of a YAML test.
 */
export function misspeltChange(text: string, operator: string): WrongShape | undefined {
  if (!["equals", "in", "starts_with", "glob"].includes(operator) || text.length > 200) return undefined;
  const [, first = "", verb = "", between = "", kind = "", rest = ""] =
    /^([a-z-]+) ([a-z-]+)(?:( )([a-z]*)(.*))?$/s.exec(text) ?? [];
  if (verb === "") return undefined;
  const system = slipOf(first, systems, operator);
  const isKnown = systems.includes(first);
  if (!isKnown && (system === undefined || !(verbs.includes(verb) || slipOf(verb, verbs, operator)))) return undefined;
  const meant = isVerb(verb) ? undefined : slipOf(verb, verbs, operator);
  const hasKind = kind !== "" && /^(?:[/ ]|$)/.test(rest);
  const ownKind = hasKind ? slipOf(kind, kinds, operator) : undefined;
  if (isKnown && meant === undefined && ownKind === undefined) return undefined;
  const instead = `${system ?? first} ${meant ?? verb}${between}${ownKind ?? kind}${rest}`;
  return { why: "no change is called so", help: `did you mean \`${instead}\`?`, instead };
}

/** Finds commands that facts leave out of the changes, alone or in braces: `redis {flushall,del}`. */
export function noChange(text: string): WrongShape | undefined {
  const verbs = /^redis (?:(\w+)|\{([\w,]+)\})/i.exec(text.slice(0, 200))?.slice(1).join("").split(",") ?? [];
  const found = verbs.filter(changesRedisKeys);
  if (found.length === 0) return undefined;
  const words = found.flatMap((verb) => [verb.toLowerCase(), verb.toUpperCase()]).join(", ");
  return {
    why: `\`${found[0]}\` of single keys is no change in the facts`,
    help: `test the command: \`some: { shell.commands: { program: redis-cli, operands: { contains_any: [${words}] } } }\``,
    ...(found.length < verbs.length && { seen: "in part" as const }),
  };
}

/** Finds options in the name of a change, which has the system, the verb and what is changed. */
export function optionsOfChange(text: string, operator: string): WrongShape | undefined {
  if (!["equals", "in", "starts_with", "glob"].includes(operator) || text.length > 200) return undefined;
  const [, name = "", option = ""] = /^([a-z-]+ [a-z][\w/ .*-]*?) (--?[a-z][\w-]*)/i.exec(text) ?? [];
  if (!systems.includes(name.split(" ")[0] ?? "")) return undefined;
  const help = `write \`${name}\`, and ask for the option beside it: \`some: { shell.commands: { has_option: ${option} } }\``;
  return { why: "the name of a change has no options", help };
}

/** Finds a resource without the system and the verb that its change begins with: `pod/web` for `kubernetes delete pod/web`. */
export function bareResource(text: string, operator: string): WrongShape | undefined {
  if (!["equals", "in", "starts_with", "glob"].includes(operator) || text.length > 200) return undefined;
  const kind = /^([a-z]+)\//.exec(text)?.[1] ?? "";
  if (!kinds.includes(kind)) return undefined;
  const system = ofDocker.includes(kind)
    ? "docker"
    : kind === "repo"
      ? "github"
      : kind === "release"
        ? "helm"
        : "kubernetes";
  const instead =
    operator === "starts_with" ? `{ starts_with: "${system} delete ${text}" }` : `{ glob: "${system} delete ${text}" }`;
  return {
    why: "a change begins with its system and its verb",
    help: `write \`${instead}\`; what only ends is in \`effects.kills\``,
  };
}

const ofDocker = words("container volume image network");

/** Returns the known word that a typing error makes of it; undefined for a known word, for a short one, and for a beginning. */
function slipOf(word: string, known: readonly string[], operator: string): string | undefined {
  if (word.length < 4 || known.includes(word)) return undefined;
  const isBegun = (operator === "starts_with" || operator === "glob") && known.some((one) => one.startsWith(word));
  if (isBegun) return undefined;
  return known.find((one) => one.length >= 4 && `${one}s` !== word && isSlip(word, one));
}
