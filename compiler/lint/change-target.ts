import type { WrongShape } from "./wrong-shape.ts";

/**
 * Names of changes (`effects.config[].target`) as authors write them: with the program that makes the change, with a verb of
 * another tool, or as a statement of SQL. Facts have one name for each system and verb, whatever program makes the change.
 */

const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(rows).flatMap(([own, others]) => others.split(" ").map((other) => [other, own] as const)));

/** Programs and other names, with the name of the system in facts. */
export const systemsMeant = table({
  kubernetes: "kubectl k8s kube oc k3s",
  sql: "mysql psql postgres postgresql sqlite sqlite3 mariadb mssql",
  mongo: "mongosh mongodb",
  redis: "redis-cli",
  azure: "az",
  github: "gh",
  gitlab: "glab",
  gcloud: "gsutil gcp",
  fly: "flyctl",
  docker: "podman nerdctl",
  terraform: "tofu opentofu tf",
  cloudflare: "wrangler",
  digitalocean: "doctl",
});

/** Verbs of tools, with the verb in facts, for systems whose removals have one name. */
export const verbsMeant = table({ delete: "remove rm rb terminate purge prune uninstall destroy drop del" });

/** Systems in which every removal is a `delete`. */
export const deletingSystems: ReadonlySet<string> = new Set(
  "kubernetes docker helm aws gcloud azure github gitlab heroku fly vercel netlify".split(" "),
);

/** Returns the fault of a text that is compared with the name of a change. `operator` is that of a YAML test. */
export function changeTarget(text: string, operator: string): WrongShape | undefined {
  if (!["equals", "in", "starts_with", "glob"].includes(operator) || text.length > 1_000) return undefined;
  const setting = /^git config (?:--\w+ )*([\w.-]+)$/.exec(text)?.[1];
  if (setting !== undefined) return made("the target is the setting alone", setting);
  const [, first = "", blank = "", rest = ""] = /^([A-Za-z][\w-]*)( +|$)(.*)$/s.exec(text) ?? [];
  if (first === "") return undefined;
  const lower = first.toLowerCase();
  if (/^(?:drop|truncate|alter) /i.test(`${first} `) && /^(?:table|database|schema|index|view|user)\b/i.test(rest))
    return made("a change of a database begins with `sql`", `sql ${lower} ${statement(rest)}`);
  const system = systemsMeant.get(lower) ?? (isSystem(lower) ? lower : first);
  const [, verb = "", after = ""] = /^([A-Za-z][\w-]*)(.*)$/s.exec(rest) ?? [];
  const known = verbOf(system, verb, after);
  const shouted = system === "sql" ? /^\{?[A-Za-z,]+\}? \{?[A-Za-z,]+\}?(?= )/.exec(rest)?.[0] : undefined;
  if (shouted !== undefined && /[A-Z]/.test(shouted) && /[{*]/.test(rest))
    return made("facts have statements in lower case", `sql ${shouted.toLowerCase()}${rest.slice(shouted.length)}`);
  const isStated = system === "sql" && /^(?:drop|truncate|alter)$/i.test(verb);
  const words = isStated ? ` ${statement(after.trimStart())}` : after;
  const named = known === undefined && !isStated ? rest : `${known ?? verb}${words}`;
  const isCut = operator === "glob" && deletingSystems.has(system) && /^[\w-]+ \*$/.test(named);
  const isService = operator === "glob" && system === "aws" && /^[\w*-]+ [a-z][\w-]*\/\*$/.test(named);
  const isSpaced = operator === "glob" && deletingSystems.has(system) && /^[\w-]+ [\w-]+ \*{1,2}$/.test(named);
  const meant = isCut || isService ? `${named}*` : isSpaced ? named.replace(/ (\*+)$/, "/**") : named;
  const instead = `${system}${blank}${meant}`;
  const beginning = operator === "starts_with" ? text : operator === "glob" ? /^(.*\w)\*+$/.exec(text)?.[1] : undefined;
  if (instead === text || (beginning !== undefined && instead.startsWith(beginning))) return undefined;
  if (system !== first) return made(`facts call the system \`${system}\``, instead);
  if (known !== undefined) return made(`facts call that \`${system} ${known}\``, instead);
  return made("a resource is its kind and its name with a slash between, which `*` does not cross", instead);
}

function made(why: string, instead: string): WrongShape {
  return { why, help: `write \`${instead}\``, instead };
}

function isSystem(name: string): boolean {
  return deletingSystems.has(name) || [...systemsMeant.values()].includes(name);
}

/** Returns the verb in facts where it differs from the given one. */
function verbOf(system: string, verb: string, after: string): string | undefined {
  const lower = verb.toLowerCase();
  if (system === "sql" && lower === "delete" && /^ +(?:table|database)\b/i.test(after)) return "drop";
  const meant = deletingSystems.has(system) ? verbsMeant.get(lower) : undefined;
  if (meant !== undefined) return meant;
  return lower !== verb && isSystem(system) ? lower : undefined;
}

/** Kinds of objects are in lower case, their names as they are. */
function statement(rest: string): string {
  return rest.replace(/^\w+/, (kind) => kind.toLowerCase()).replace(/^(\w+) if exists /i, "$1 ");
}
