import { type Field, homeField, withText } from "../shell/fields.ts";
import { namesHost } from "./named-hosts.ts";
import { firstOf, isVerb, nounOf, operate, verbKind } from "./operations.ts";
import type { Call, Effects, Program } from "./program.ts";

/** One client of a cloud: how its subcommands are made, where it calls, and what has a reading of its own. */
export interface Cloud {
  readonly names: string;
  /** Its name in targets. */
  readonly system: string;
  readonly options: readonly string[];
  /** `service` has two words, service and verb; `verb` ends at the first word that is a verb. */
  readonly form: "service" | "verb";
  /** Address it calls, from its subcommand and, as a field, from what the call names. */
  host(words: readonly string[], call: Call): string | Field;
  /** Options whose values name the resource. */
  readonly naming: readonly string[];
  /** Names of the resource for calls that these options do not tell; undefined for all others. */
  readonly named?: (call: Call) => readonly Field[] | undefined;
  /** Reports files that a call reads or writes besides those of its options (`file://p`, `@p`). */
  readonly files?: Effects;
  /** Subcommands with their own effects; true means those of the verb. */
  readonly special?: ReadonlyMap<string, Effects>;
  /** Subcommands that print stored credentials, with the file that holds these. */
  readonly reveals?: readonly (readonly [pattern: RegExp, file: string])[];
}

// A chain ends here even where no word is a verb.
const longestChain = 6;

/** Sample words for an unknown one: the chain may go on if one of them would make it longer. */
const samples = ["x", "list"];

/** Returns whether an unknown word may make the chain longer. */
function mayGoOn(cloud: Cloud, chain: NonNullable<Program["chain"]>): NonNullable<Program["mayGoOn"]> {
  return (operands) => {
    const stop = operands.slice(0, longestChain).findIndex((word) => word.kind !== "literal");
    if (stop < 0) return false;
    const known = operands.slice(0, stop);
    const begun = known.map(({ text }) => `${text} `).join("");
    for (const key of cloud.special?.keys() ?? []) if (key.startsWith(begun)) return true;
    const [unknown] = operands.slice(stop) as [Field];
    return samples.some((text) => chain([...known, { ...unknown, kind: "literal", text }]) > chain(known));
  };
}

function chainOf(cloud: Cloud): NonNullable<Program["chain"]> {
  return (operands) => {
    const words = operands.slice(0, longestChain);
    const stop = words.findIndex((word) => word.kind !== "literal");
    const known = stop < 0 ? words : words.slice(0, stop);
    for (let length = known.length; length > 0; length--)
      if (cloud.special?.has(textOf(known.slice(0, length)))) return length;
    if (cloud.form === "service") return Math.min(2, known.length);
    const verb = known.findIndex(
      (word, i) =>
        verbKind(word.text) !== "unknown" &&
        !((i === 0 || isVerb(known[i + 1]?.text ?? "")) && groups.has(word.text)) &&
        (isVerb(word.text) || !isVerb(known[i + 1]?.text ?? "")) &&
        !(word.text === "versions" && verbKind(known[i + 1]?.text ?? "") !== "unknown") &&
        !(word.text === "versions" && known[i + 1]?.text === "access"),
    );
    return verb < 0 ? known.length : verb + 1;
  };
}

function textOf(words: readonly Field[]): string {
  return words.map((word) => word.text).join(" ");
}

/** Words that name a group although they read like a verb. */
const groups: ReadonlySet<string> = new Set([
  "auth",
  "config",
  "deployment",
  "run",
  "tag",
  "lock",
  "policy",
  "deploy",
  "apply",
  "release",
  "logs",
  "events",
  "label",
  "schedule",
]);

function effectsOf(cloud: Cloud): Effects {
  return (call) => {
    const words = call.subcommand === "" ? [] : call.subcommand.split(" ");
    if (words.length === 0) {
      if (call.operands.length > 0) call.to.doubt(`what ${call.program} is told to do is not known`);
      return;
    }
    const revealed = cloud.reveals?.find(([pattern]) => pattern.test(call.subcommand));
    if (revealed) reveals(call, cloud, revealed[1]);
    const special = cloud.special?.get(call.subcommand) ?? cloud.special?.get(words[0] ?? "");
    if (special) {
      special(call);
      if (special === remoteShell) reaches(call, cloud, words, "both");
    } else general(call, cloud, words, revealed !== undefined);
  };
}

function reveals(call: Call, cloud: Cloud, file: string): void {
  if (file !== "") call.to.read(homeField(file, call.draft.place));
  call.to.config([cloud.system, "reveal", call.subcommand.split(" ").join("/")].join(" "));
}

function general(call: Call, cloud: Cloud, words: readonly string[], revealed: boolean): void {
  const verb = words.at(-1) ?? "";
  // The name of a group deletes nothing: `gh release` may be followed by any verb.
  const isGroup = words.length === 1 && groups.has(verb) && verbKind(verb) === "deletes";
  const kind = isGroup ? "unknown" : verbKind(verb);
  for (const option of call.args.options) files(call, option.value);
  cloud.files?.(call);
  reaches(call, cloud, words, kind === "reads" || revealed ? "download" : kind === "unknown" ? "both" : "upload");
  const isRehearsal = call.has("--dryrun") || (call.has("--dry-run") && !call.has("--no-dry-run"));
  if (kind === "reads" || revealed || isRehearsal) return;
  if (kind === "unknown") {
    call.to.run(`${call.program} ${call.subcommand}`);
    call.to.doubt(`what \`${call.program} ${call.subcommand}\` does is not known`);
    return;
  }
  const path = [...words.slice(0, -1), nounOf(verb)].filter((part) => part !== "").join("/");
  const named = cloud.named?.(call) ?? [...cloud.naming.flatMap((name) => call.values(name)), ...call.operands];
  const first = verb.includes(":") ? verb.slice(verb.lastIndexOf(":") + 1) : firstOf(verb);
  if (kind === "changes" && opens(call)) operate(call, cloud.system, "expose", path, named.slice(0, 1));
  operate(call, cloud.system, kind === "deletes" ? "delete" : first, path, named);
}

/** Reports the request to the cloud's own address, unless the call names another host. */
function reaches(call: Call, cloud: Cloud, words: readonly string[], direction: "upload" | "download" | "both"): void {
  const host = cloud.host(words, call);
  if (typeof host !== "string" || (host !== "" && !namesHost(call.draft))) call.to.network(host, direction);
}

/** Effects of commands that another machine runs, which are unknown here. If their text is given, a wrapper judges it. */
export const remoteShell: Effects = (call) => {
  call.to.run(`${call.program} ${call.subcommand}`);
  call.to.doubt("what runs on the other machine is not known");
};

/** Values that mean everyone, as accounts, addresses or access levels. */
const everyone =
  /^(?:allUsers|allAuthenticatedUsers|public|public-?read(?:-?write)?|authenticated-read|blob|container|all|\*|0\.0\.0\.0\/0|::\/0|BlockPublic\w+=false.*)$/i;
/** A right for everyone inside a value: `entity=allUsers,role=READER`, `uri=http://…/AllUsers`, a policy with `"Principal": "*"`. */
const everyoneInside =
  /\b(?:allUsers|allAuthenticatedUsers)\b|groups\/global\/(?:AllUsers|AuthenticatedUsers)|"Principal":(?:"\*"|\{"AWS":\[?"\*")/i;
const grantingOptions = [
  ...["--add-acl-grant", "--grants", "--grant-read", "--grant-write", "--grant-full-control", "--grant-read-acp"],
  ...["--grant-write-acp", "--policy", "--access-control-policy"],
];
const openingOptions = [
  ...["--acl", "--member", "--principal", "--group-names", "--cidr", "--cidr-ip", "--source-ranges", "--public-access"],
  ...["--predefined-acl", "--canned-acl", "--predefined-default-object-acl"],
  ...["--visibility", "--public-access-block-configuration", "--user-ids", "--values-to-add"],
];
const openingFlags = [
  "--allow-unauthenticated",
  "--publicly-accessible",
  "--public",
  "--no-public-access-prevention",
  "--allow-blob-public-access",
  "--acl-public",
];

/** True where an option opens something to everyone: `--acl public-read`, `--member allUsers`, `--cidr 0.0.0.0/0`. */
export function opens(call: Call): boolean {
  return (
    openingFlags.some((name) => call.has(name)) ||
    (call.program === "gsutil" && everyone.test(call.value("-a")?.text ?? "")) ||
    openingOptions.some((name) => call.values(name).some((value) => everyone.test(value.text))) ||
    grantingOptions.some((name) =>
      call.values(name).some((value) => everyoneInside.test(value.text.replace(/\s/g, ""))),
    )
  );
}

/** Option values that are files: `file://p`, `fileb://p`, `@p`. */
function files(call: Call, value: Field | undefined): void {
  const path = value && /^(?:fileb?:\/\/|@)(.+)$/s.exec(value.text)?.[1];
  if (value && path) call.to.read(withText(value, path));
}

/** The row of a cloud's client. Targets: `operate`. */
export function cloud(row: Cloud): Program {
  const chain = chainOf(row);
  return {
    names: row.names.split(" "),
    // Long names with one dash are those of programs that bundle no letters.
    grammar: { options: row.options, single: row.options.some((line) => /^-[a-z]{2}/.test(line)) },
    chain,
    mayGoOn: mayGoOn(row, chain),
    begins: (operands) => {
      const words = operands.slice(0, chain(operands));
      return row.special?.has(textOf(words)) === true || verbKind(words.at(-1)?.text ?? "") !== "unknown";
    },
    effects: effectsOf(row),
  };
}
