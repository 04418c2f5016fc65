import { type Field, mayBeAddress, rewritten } from "../shell/fields.ts";
import type { Call } from "./program.ts";
import { spelled } from "./spelled.ts";

/**
 * Operations on something that is no file: clusters, clouds, containers, databases. Each is a `config` effect whose target is
 * words joined by a blank:
 *
 *     <system> <verb> [<resource>]
 *
 * `<system>` is `kubernetes`, `helm`, `docker`, `terraform`, `pulumi`, `aws`, `gcloud`, `azure`, `github`, `gitlab`, `heroku`,
 * `fly`, `vercel`, `netlify`, `sql`, `mongo`, `redis`, `clickhouse` and so on, the same for every program that reaches it.
 * `<verb>` is one word, lower case: `delete` for any permanent removal (`rm`, `rb`, `terminate`, `purge`, `prune`,
 * `uninstall`), `reveal` for printing stored credentials, `grant` for giving rights; else the tool's own verb. `expose` opens
 * something to everyone, `stop` is also a scale of zero. `<resource>` is `<kind>/<name>` or an address; `*` is every one:
 * `kubernetes delete namespace/prod`, `aws delete s3://bucket/key`, `aws delete ec2/instances/i-1`, `docker delete volume/*`,
 * `gcloud delete compute/instances/vm1`, `github delete repo/owner/name`, `terraform destroy`. SQL has `sql drop table orders`,
 * `sql truncate table orders`, `sql delete orders` and `sql update orders` (every row), `sql alter table orders drop`, `sql
 * grant …`; others `redis flushall`, `mongo drop database app`, `mongo delete users`. A command that only reads has no such
 * effect.
 */
export function operate(call: Call, system: string, verb: string, kind: string, names: readonly Field[]): void {
  if (names.length === 0) call.to.config([system, verb, kind].filter((part) => part !== "").join(" "));
  for (const name of names) {
    const address = kind === "" || /^[a-z0-9+.-]+:\/\//i.test(name.text);
    // An unknown number of unknown names may be all of them.
    const text = name.kind === "unknown" && name.open && name.text === "" ? "*" : name;
    call.to.config(spelled`${system} ${verb} ${address ? "" : `${kind}/`}${text}`, name.kind !== "unknown");
  }
}

/** Kind of operation, by the first word of a verb: it reads, deletes or changes; or the verb is unknown. */
export type VerbKind = "reads" | "deletes" | "changes" | "unknown";

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

const kinds: ReadonlyMap<string, VerbKind> = new Map([
  ...words(
    `get list ls describe show head lookup search view wait test validate estimate query scan filter tail status help
     logs log history info version versions diff preview plan outputs output inspect read top explain can-i watch check
     count export-template what-if browse print which whoami doctor ps du events exists url stats stat peek tree graph verify lint ping current
     current-context list-all cat hash batch-get preview-url open access-url simulate discover detect decode regions sizes`,
  ).map((verb) => [verb, "reads"] as const),
  ...words(
    `delete del terminate remove rm rb deregister purge destroy revoke release empty drop clear wipe prune uninstall
     abandon undeploy clean schedule-key-deletion flush erase expunge teardown down unpublish deprovision delete-all
     batch-delete truncate reset restore-default`,
  ).map((verb) => [verb, "deletes"] as const),
  ...words(
    `create put update start stop restart reboot run apply set add modify edit patch replace scale attach detach
     associate disassociate enable disable deploy publish import export copy cp mv move sync push pull invoke send
     cancel rollback promote tag untag label annotate resize rotate register upload download login logout init connect
     disconnect upgrade install link unlink authorize allow deny grant assume assign unassign rename merge close reopen
     comment review fork clone archive unarchive lock unlock transfer approve rerun retry trigger use activate
     deactivate suspend resume drain failover swap migrate configure config auth up launch switch checkout ready rebase
     request ssh scp exec proxy forward mb presign website new generate setup bind unbind provision expose cordon
     uncordon taint rollout autoscale evict complete finish ensure change reveal print-access-token test-run schedule
     leave`,
  ).map((verb) => [verb, "changes"] as const),
]);

/** Returns the kind of a verb by its first part: `delete-object` deletes, `describe-instances` reads. */
export function verbKind(verb: string): VerbKind {
  const whole = kinds.get(verb);
  if (whole) return whole;
  // `apps:destroy` names the verb last.
  const colon = verb.lastIndexOf(":");
  if (colon >= 0) return verbKind(verb.slice(colon + 1));
  return kinds.get(firstOf(verb)) ?? "unknown";
}

/** True for a word that is a verb, such as `add`; `ssh-key` only begins like one. */
export function isVerb(word: string): boolean {
  return kinds.has(word);
}

/** Returns the first word of a verb, or its first two if they belong together (`batch-delete` of `batch-delete-image`). */
export function firstOf(verb: string): string {
  const dash = verb.indexOf("-");
  const second = dash < 0 ? -1 : verb.indexOf("-", dash + 1);
  const two = second < 0 ? verb : verb.slice(0, second);
  return dash < 0 || kinds.has(two) ? two : verb.slice(0, dash);
}

/** Returns the noun after the verb: `instances` of `terminate-instances`; empty if there is none. */
export function nounOf(verb: string): string {
  const colon = verb.lastIndexOf(":");
  if (colon >= 0) return verb.slice(0, colon);
  const first = firstOf(verb);
  return kinds.has(verb) || first === verb ? "" : verb.slice(first.length + 1);
}

/**
 * Uploads or downloads between a file here and an address: reads or writes the file, with the network effect. A word with an
 * unknown beginning may be either, so both are reported.
 */
export function copies(call: Call, from: Field, to: Field, url: (place: Field) => string | undefined): void {
  const source = url(from);
  const target = url(to);
  const recursive = call.has("--recursive") || call.has("-r") || /(?:^| )(?:sync|rsync)$/.test(call.subcommand);
  if (source === undefined && from.text !== "-") call.to.read(from, { recursive });
  if (source === undefined && mayBeAddress(from)) call.to.network(from, "download");
  if (source !== undefined)
    call.to.network(
      rewritten(from, (text) => url({ ...from, text }) ?? source),
      "download",
      from.kind !== "pattern",
    );
  if (target === undefined && to.text !== "-") call.to.write(to);
  if (target === undefined && mayBeAddress(to)) call.to.network(to, "upload");
  if (target !== undefined)
    call.to.network(
      rewritten(to, (text) => url({ ...to, text }) ?? target),
      "upload",
      to.kind !== "pattern",
    );
}
