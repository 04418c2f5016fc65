import { type Field, literalField, rewritten, shapeOf, together } from "../shell/fields.ts";
import { type Arguments, type Grammar, given, optionList, readArguments, valueOf } from "./grammar.ts";
import { operate } from "./operations.ts";
import type { Call, Effects } from "./program.ts";
import { setVariable } from "./set-variables.ts";

/** One kind of things in a storage account. */
interface Kind {
  /** The part of the host's name behind that of the account. */
  readonly host: string;
  /** Options of its own: a letter means something else for each kind. */
  readonly options: string;
  /** The option with the container, share, file system, queue or table, and the option with the name in it. */
  readonly box: string;
  readonly name: string;
}

const shared = `
  --account-name=; --account-key=; --connection-string=; --sas-token=; --auth-mode=; --blob-endpoint=; --file-endpoint=;
  --queue-endpoint=; --table-endpoint=; --subscription=; -o --output=; --query=; --timeout=; --pattern=; --dryrun; --blob-url --file-url=;
  --destination-path=; --content-type=; --lease-id=; --snapshot=; --metadata=; --tags=; --tier=; -t --type=; --overwrite=?; -y --yes;
  --max-connections=; --data=; -g --resource-group=; --delete-destination=; --no-progress; --only-show-errors; --verbose; --debug;
  --permissions=; --expiry=; --start=; --if-match=; --if-none-match=; -r --recursive; -d --destination=; -s --source=; -f --file=;
  -b --destination-blob=; --destination-container=; --destination-share=; -u --source-uri=; --source-container=; --source-share=;
  --source-blob=; --source-account-name=; --source-account-key=
`;
const blob: Kind = {
  host: "blob",
  options: "-c --container-name=; -n --name=",
  box: "--container-name",
  name: "--name",
};
const share: Kind = {
  host: "file",
  options: "-s --share-name=; -p --path=; --source=; --dest=; -n --name=",
  box: "--share-name",
  name: "--path",
};

/** Kinds by the words behind `az storage`; the first that fits counts. Source: the reference of `az storage`. */
const kinds: readonly (readonly [words: RegExp, kind: Kind])[] = [
  [/^blob (?:delete|delete-batch|undelete)$/, { ...blob, options: `${blob.options}; -d --delete-snapshots=` }],
  [
    /^blob copy\b/,
    {
      host: "blob",
      options: "-c --destination-container=; -b --destination-blob=",
      box: "--destination-container",
      name: "--destination-blob",
    },
  ],
  [/^blob /, blob],
  [
    /^(?:container|share|queue|table) policy /,
    {
      host: "",
      options: "-c --container-name=; -s --share-name=; -q --queue-name=; -t --table-name=; -n --name=",
      box: "--container-name",
      name: "",
    },
  ],
  [/^(?:cors|logging|metrics) /, { host: "blob", options: "--services=", box: "", name: "" }],
  [/^container /, { ...blob, options: "-n -c --name --container-name=", box: "--name", name: "" }],
  [/^file \S+-batch$/, { ...share, options: "-s --source=; -d --destination=", name: "" }],
  [/^file /, share],
  [/^directory /, { ...share, name: "--name" }],
  [/^share /, { host: "file", options: "-n --name=", box: "--name", name: "" }],
  [
    /^fs directory download$/,
    {
      host: "dfs",
      options: "-f --file-system=; -s --source-path=; -d --destination-path=",
      box: "--file-system",
      name: "--source-path",
    },
  ],
  [
    /^fs directory upload$/,
    {
      host: "dfs",
      options: "-f --file-system=; -s --source=; -d --destination-path=",
      box: "--file-system",
      name: "--destination-path",
    },
  ],
  [
    /^fs (?:(?:file|access) |undelete-path\b)/,
    { host: "dfs", options: "-f --file-system=; -p --path=", box: "--file-system", name: "--path" },
  ],
  [/^fs directory /, { host: "dfs", options: "-f --file-system=; -n --name=", box: "--file-system", name: "--name" }],
  [/^fs /, { host: "dfs", options: "-n --name=", box: "--name", name: "" }],
  [/^queue /, { host: "queue", options: "-n --name=", box: "--name", name: "" }],
  [/^message /, { host: "queue", options: "-q --queue-name=; --content=", box: "--queue-name", name: "" }],
  [/^table /, { host: "table", options: "-n --name=", box: "--name", name: "" }],
  [/^entity /, { host: "table", options: "-t --table-name=; -e --entity=", box: "--table-name", name: "" }],
  [/^remove$/, { ...blob, options: `${blob.options}; -s --share-name=; -p --path=` }],
];

const grammars: ReadonlyMap<Kind, Grammar> = new Map(
  kinds.map(([, kind]) => [kind, { options: optionList(`${shared}; ${kind.options}`) }]),
);

/** A call below `az storage` that reaches the account itself, read with the options of its kind. */
interface Stored {
  readonly words: string;
  readonly kind: Kind;
  readonly args: Arguments;
}

/** Reads a call; undefined for one that manages accounts. */
function storedOf(call: Call): Stored | undefined {
  if (!call.subcommand.startsWith("storage ")) return undefined;
  const words = call.subcommand.slice("storage ".length);
  const kind = kinds.find(([pattern]) => pattern.test(words))?.[1];
  const grammar = kind && grammars.get(kind);
  if (!grammar) return undefined;
  const args = readArguments(grammar, call.words);
  const isShare = words === "remove" && valueOf(args, "--share-name") !== undefined;
  const host = isShare ? "file" : kind.host || (words.startsWith("share") ? "file" : words.replace(/ .*$/s, ""));
  return { words, kind: { ...kind, host: host === "container" ? "blob" : host }, args };
}

/** `az storage blob upload -c box -n name -f file` and similar commands: a file or folder goes to the account, or comes from it. */
export function azureObjects(direction: "upload" | "download"): Effects {
  return (call) => {
    const stored = storedOf(call);
    if (!stored) return;
    const { args, words } = stored;
    const isTree = /-batch$|^fs directory |^blob sync$/.test(words) || given(args, "--recursive");
    const address = addressOf(call, stored);
    if (direction === "upload") {
      const file = valueOf(args, "--file") ?? valueOf(args, "--source");
      if (file) call.to.read(file, isTree ? { recursive: true } : {});
      if (words === "blob sync" && given(args, "--delete-destination"))
        operate(call, "azure", "delete", "storage/blob", storageNames(call) ?? []);
    } else {
      const file = localOf(stored);
      if (file) call.to.write(file);
    }
    call.to.network(address, direction);
  };
}

/** Returns the file or folder that a download makes. A share's file keeps its name unless another one is given. */
function localOf({ args, words, kind }: Stored): Field | undefined {
  const named =
    words === "fs directory download"
      ? valueOf(args, "--destination-path")
      : (valueOf(args, "--file") ?? valueOf(args, "--dest") ?? valueOf(args, "--destination"));
  const name = named ?? (/^(?:file|fs file) download$/.test(words) ? valueOf(args, kind.name) : undefined);
  return named ?? (name && rewritten(name, (text) => text.replace(/^.*[\\/]/s, "")));
}

/** Names of what a call of `az storage` changes; undefined for calls that manage accounts. */
export function storageNames(call: Call): readonly Field[] | undefined {
  const stored = storedOf(call);
  if (!stored) return undefined;
  const { box, name } = placeOf(stored);
  const slash = literalField("/", call.draft.place);
  const found =
    box && name ? together(together(box, slash), name) : (name ?? box ?? valueOf(stored.args, "--blob-url"));
  return found ? [found] : [];
}

/** Returns the address of the account that a call reaches; undefined for calls that manage accounts. */
export function storageAddress(call: Call): Field | undefined {
  const stored = storedOf(call);
  return stored && addressOf(call, stored);
}

/** The container or share, and the name in it. A batch names the container as its source or destination. */
function placeOf({ args, words, kind }: Stored): { readonly box: Field | undefined; readonly name: Field | undefined } {
  const value = (option: string): Field | undefined => (option === "" ? undefined : valueOf(args, option));
  if (words.endsWith("upload-batch")) return { box: value("--destination"), name: value("--destination-path") };
  if (words.endsWith("-batch")) return { box: value("--source"), name: undefined };
  if (words === "blob sync") return { box: value(kind.box), name: value("--destination") };
  if (/ copy$/.test(words))
    return {
      box: value("--destination-container") ?? value("--destination-share"),
      name: value("--destination-blob") ?? value("--destination-path"),
    };
  const others = ["--share-name", "--queue-name", "--table-name"].map(value).find((one) => one !== undefined);
  return { box: value(kind.box) ?? others, name: value(kind.name) ?? value("--path") };
}

/** Returns the address of what a call names. An upload without a name takes that of the file. */
function addressOf(call: Call, stored: Stored): Field {
  const { args, words } = stored;
  const text = (value: string): Field => literalField(value, call.draft.place);
  const { box, name } = placeOf(stored);
  const url = valueOf(args, "--blob-url");
  const isAddress = (field: Field | undefined): boolean => field !== undefined && /^https?:\/\//i.test(shapeOf(field));
  const whole = url ?? (isAddress(box) ? box : undefined);
  const file = words === "blob upload" && !url ? valueOf(args, "--file") : undefined;
  const inside = name ?? (file && rewritten(file, (value) => value.replace(/^.*[\\/]/s, "")));
  const inBox = whole ?? (box ? together(baseOf(call, stored), box) : undefined);
  if (!inBox) return baseOf(call, stored);
  return inside && !url ? together(together(inBox, text("/")), inside) : inBox;
}

/** The address of the account, with a slash at its end. */
function baseOf(call: Call, { args, kind }: Stored): Field {
  const text = (value: string): Field => literalField(value, call.draft.place);
  const variable = (name: string): Field | undefined => setVariable(call.draft, name);
  const host = (name: string): string => `https://${name}.${kind.host}.core.windows.net/`;
  const endpoint = valueOf(args, `--${kind.host === "dfs" ? "blob" : kind.host}-endpoint`);
  if (endpoint) return rewritten(endpoint, (value) => (/\/$/.test(value) ? value : `${value}/`));
  const account = valueOf(args, "--account-name") ?? variable("AZURE_STORAGE_ACCOUNT");
  if (account) return rewritten(account, host);
  const connection = valueOf(args, "--connection-string") ?? variable("AZURE_STORAGE_CONNECTION_STRING");
  return connection ? rewritten(connection, (value) => hostOfConnection(value, kind, host)) : text(host("account"));
}

/** `AccountName=acme;…;BlobEndpoint=https://…`: the parts of a connection string. */
function hostOfConnection(value: string, kind: Kind, host: (name: string) => string): string {
  const parts = new Map(
    value
      .slice(0, 8192)
      .split(";")
      .map((part) => [part.slice(0, part.indexOf("=")).trim().toLowerCase(), part.slice(part.indexOf("=") + 1).trim()]),
  );
  const endpoint = parts.get(`${kind.host}endpoint`);
  if (endpoint) return endpoint.endsWith("/") ? endpoint : `${endpoint}/`;
  const account = parts.get("accountname");
  const suffix = parts.get("endpointsuffix");
  if (/^true$/i.test(parts.get("usedevelopmentstorage") ?? "")) return "http://127.0.0.1/devstoreaccount1/";
  if (!account) return host("account");
  return suffix ? `https://${account}.${kind.host}.${suffix}/` : host(account);
}

/** `az storage copy -s file -d https://…`: each side is a file, an address, or a name in an account. */
export const azureCopies: Effects = (call) => {
  const side = (whole: readonly Field[], from: "source" | "destination"): void => {
    const direction = from === "source" ? "download" : "upload";
    for (const one of whole)
      if (/^https?:\/\//i.test(shapeOf(one))) call.to.network(one, direction);
      else if (from === "destination") call.to.write(one);
      else call.to.read(one, { recursive: true });
    const share = call.value(`--${from}-share`);
    const box = share ?? call.value(`--${from}-container`);
    const account = call.value(`--${from}-account-name`) ?? (box && call.value("--account-name"));
    if (!account) return;
    const base = rewritten(account, (name) => `https://${name}.${share ? "file" : "blob"}.core.windows.net/`);
    const inBox = box ? together(base, box) : base;
    const name = call.value(`--${from}-blob`) ?? call.value(`--${from}-file-path`);
    call.to.network(name ? together(together(inBox, literalField("/", call.draft.place)), name) : inBox, direction);
  };
  side([...call.values("--source"), ...call.values("--source-local-path")], "source");
  side([...call.values("--destination"), ...call.values("--destination-local-path")], "destination");
};
