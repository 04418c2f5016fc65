import { spendText } from "../meter.ts";
import { type Field, mayBeAddress, rewritten, withText } from "../shell/fields.ts";
import { opens } from "./cloud-client.ts";
import { bodyOf, isMutation, reportMutation, reportRefs } from "./hosting-refs.ts";
import { copies, operate } from "./operations.ts";
import type { Effects, ReadOptions } from "./program.ts";

/** Returns the network address of `s3://bucket/key`. */
function objectAddress(place: Field): string | undefined {
  const s3 = /^s3:\/\/([^/]*)\/?(.*)$/s.exec(place.text);
  if (s3) return `https://${s3[1]}.s3.amazonaws.com/${s3[2]}`;
  const gs = /^gs:\/\/([^/]*)\/?(.*)$/s.exec(place.text);
  return gs ? `https://storage.googleapis.com/${gs[1]}/${gs[2]}` : undefined;
}

/** Copies between objects and files; `mv` and `sync --delete` also remove. */
export function objectCopies(system: string): Effects {
  return (call) => {
    const sources = call.operands.slice(0, -1);
    const to = call.operands.at(-1);
    if (!to || sources.length === 0) return;
    const [first, ...others] = sources as [Field, ...Field[]];
    copies(call, first, to, objectAddress);
    // The last word may be the value of an option that is not listed; then an address before it is the target.
    const direction = objectAddress(to) === undefined ? "both" : "download";
    for (const from of others) {
      const address = objectAddress(from);
      if (address !== undefined) call.to.network(address, direction);
      else call.to.read(from, { recursive: call.has("--recursive") || call.has("-r") });
      if (address === undefined && mayBeAddress(from)) call.to.network(from, "download");
    }
    const remove = (place: Field, deep: boolean): void => {
      const address = objectAddress(place);
      if (address === undefined) call.to.delete(place, deep);
      if (address !== undefined || mayBeAddress(place)) operate(call, system, "delete", "", [place]);
    };
    if (/(?:^| )mv$/.test(call.subcommand)) for (const from of sources) remove(from, call.has("--recursive"));
    if (
      /(?:sync|rsync)$/.test(call.subcommand) &&
      (["--delete", "--delete-unmatched-destination-objects", "--delete-removed"].some((name) => call.has(name)) ||
        (call.program === "gsutil" && call.has("-d")))
    )
      remove(to, true);
    if (opens(call)) operate(call, system, "expose", "", [to]);
  };
}

/** True for a place of `mc` that may begin with an alias: `minio/bucket/key`. A folder of this machine may look the same. */
function mayBeAlias(place: Field): boolean {
  return mayBeAddress(place) || /^[\w-]+\//.test(place.text);
}

/** A place that may be one of a store may be no file: then it reads nothing here. */
const ifFile = (place: Field): ReadOptions => (mayBeAlias(place) ? { certain: false, perhaps: true } : {});

/** `mc cp file alias/bucket`, `mc mirror --remove folder alias/bucket`: copies between files and the stores of aliases. */
export const aliasCopies: Effects = (call) => {
  const to = call.operands.at(-1);
  const sources = call.operands.slice(0, -1);
  if (!to || sources.length === 0) return;
  for (const from of sources) {
    call.to.read(from, {
      recursive: call.has("--recursive") || call.subcommand === "mirror",
      certain: !mayBeAlias(from),
    });
    if (mayBeAlias(from)) call.to.network(from, "download");
    if (call.subcommand === "mv" && mayBeAlias(from)) operate(call, "aws", "delete", "", [from]);
    if (call.subcommand === "mv") call.to.delete(from, call.has("--recursive"), !mayBeAlias(from));
  }
  call.to.write(to, !mayBeAlias(to));
  if (mayBeAlias(to)) call.to.network(to, "upload");
  if (call.has("--remove")) operate(call, "aws", "delete", "", [to]);
};

/** `mc stat alias/bucket/key`, `mc find alias/bucket`: asks the store of an alias. */
export const aliasReads: Effects = (call) => {
  for (const place of call.operands.slice(0, 1)) {
    call.to.read(place, { recursive: true, ...ifFile(place) });
    if (mayBeAlias(place)) call.to.network(place, "download");
  }
};

/** `iam ch allUsers:objectViewer gs://b`, `acl ch -u AllUsers:R gs://b/o`, `acl set public-read gs://b`. */
export const objectRights: Effects = (call) => {
  if (/ get$/.test(call.subcommand)) return;
  const places = call.operands.filter((word) => objectAddress(word) !== undefined);
  const named = call.words.some((word) => /^(?:all(?:Authenticated)?Users\b|public-read)/i.test(word.text));
  for (const place of places) call.to.network(objectAddress(place) ?? place, "upload");
  operate(call, "gcloud", named ? "expose" : "grant", "", places);
};

/** `setacl --acl-public s3://b/k`, `anonymous set public alias/b`: who may reach objects of a store. */
export const objectAccess: Effects = (call) => {
  const isLevelled = call.subcommand !== "setacl";
  const others = isLevelled ? call.operands.slice(1) : call.operands;
  const isOpen = opens(call) || (isLevelled && /^(?:public|download|upload)$/.test(call.operands[0]?.text ?? ""));
  for (const place of others) call.to.network(objectAddress(place) ?? place, "upload");
  operate(call, "aws", isOpen ? "expose" : "grant", "", others);
};

/** Removes objects and buckets by their addresses. */
export function objectDeletes(system: string): Effects {
  return (call) => {
    // `gsutil rm -a` means every version, where `cp -a` takes an access level.
    const places = call.program === "gsutil" ? [...call.values("-a"), ...call.operands] : call.operands;
    for (const place of places) call.to.network(objectAddress(place) ?? place, "upload");
    if (!call.has("--dryrun")) operate(call, system, "delete", "", places);
  };
}

/** `api`-like subcommands: the method says whether anything changes. */
export function requests(system: string, host: string): Effects {
  return (call) => {
    const [path] = call.operands;
    const body = ["--field", "--raw-field", "--input", "--body"].some((name) => call.has(name));
    const method = (call.value("--method")?.text ?? (body && path?.text !== "graphql" ? "POST" : "GET")).toUpperCase();
    for (const file of [...call.values("--input"), ...call.values("--body")])
      if (file.text !== "-") call.to.read(withText(file, file.text.replace(/^@/, "")));
    for (const field of [...call.values("--field"), ...call.values("--raw-field")]) {
      const file = /^[^=]*=@(.+)$/s.exec(field.text)?.[1];
      if (file) call.to.read(withText(field, file));
    }
    const name = path?.text.replace(/^\/+/, "") ?? "";
    const isGraph = name === "graphql" && body;
    const texts = isGraph
      ? [...call.values("--field"), ...call.values("--raw-field")].map(({ text }) => text).join(" ")
      : "";
    const address = (text: string): string =>
      /^https?:\/\//.test(text) ? text : `https://${host}/${text.replace(/^\/+/, "")}`;
    call.to.network(
      path && !mayBeAddress(path)
        ? rewritten(path, address)
        : withText(path ?? call.draft.name, `https://${host}/${name}`),
      (method === "GET" || method === "HEAD") && !isMutation(texts) ? "download" : "upload",
      path !== undefined && !mayBeAddress(path),
    );
    const { body: parts, isUnseen } = bodyOf(call, ["--field", "--raw-field"]);
    if (path) reportRefs(call, { method, path, body: parts, isUnseen: isUnseen || call.has("--input") });
    if (method !== "GET" && method !== "HEAD")
      operate(
        call,
        system,
        method === "DELETE" ? "delete" : method.toLowerCase(),
        "",
        path ? [withText(path, name)] : [],
      );
    else if (isGraph) {
      reportMutation(call, texts);
      if (deletes(texts)) operate(call, system, "delete", "graphql", []);
      call.to.doubt("a GraphQL text may change something");
    }
  };
}

/** Distance from the word `mutation` within which a deleting call counts, in UTF-16 units. */
const mutationLength = 2_048;

/** True for GraphQL text with a mutation that deletes something. */
function deletes(text: string): boolean {
  spendText(text.length);
  let from = Number.NEGATIVE_INFINITY;
  for (const { 0: found, index } of text.matchAll(/\bmutation\b|\b(?:delete|remove|archive)\w+\s*\(/g)) {
    if (found === "mutation") from = index + found.length;
    else if (index - from <= mutationLength) return true;
  }
  return false;
}
