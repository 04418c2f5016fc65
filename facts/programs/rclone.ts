import { type Field, homeField, mayBeAddress, rewritten, shapeOf } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { operate } from "./operations.ts";
import type { Call, Program } from "./program.ts";
import { setVariable } from "./set-variables.ts";
import { spelled } from "./spelled.ts";

/** One place of an rclone call. */
interface Place {
  readonly field: Field;
  /** The host's address if the call names it, otherwise `rclone://remote/path`; and whatever an unknown word may be. */
  readonly address?: Field;
  /** True for a file of this machine. `c:name` may be both: rclone reads a single letter as a drive on Windows alone. */
  readonly isFile: boolean;
}

/** `remote:path`, `:backend:path`, each with options (`,host=h,user=u`), whose values may be in quotes. */
const remotePlace = /^(:?)([^:/\\,]+)((?:,(?:[^,:"']|"[^"]*"|'[^']*')*)*):(?!\/\/|\\)/;

/** Options and flags that name the host of a backend. */
const hostOption = /,(?:host|url|endpoint)=(?:"([^"]*)"|'([^']*)'|([^,]*))/;
const hostOptions = ["host", "url", "endpoint"];

// A longer text is a path; its beginning tells the remote.
const longestRemote = 4096;

function placeOf(call: Call, field: Field): Place {
  if (mayBeAddress(field)) return { field, address: field, isFile: true };
  const found = remotePlace.exec(shapeOf(field).slice(0, longestRemote));
  const remote = found?.[2];
  if (remote === undefined) return { field, isFile: true };
  if (remote === "local" && found?.[1]) return { field: rewritten(field, localPath), isFile: true };
  const host = hostOf(call, remote, found?.[1] === ":");
  return { field, address: rewritten(field, (text) => addressIn(text, host)), isFile: remote.length === 1 };
}

/** The host of a remote that a flag or a variable names: `--sftp-host h`, `RCLONE_CONFIG_X_HOST=h`. */
function hostOf(call: Call, remote: string, isBackend: boolean): string | undefined {
  const name = remote.toUpperCase().replace(/\W/g, "_");
  for (const option of hostOptions) {
    const flag = isBackend ? call.value(`--${remote}-${option}`)?.text : undefined;
    const key = `RCLONE_${isBackend ? "" : "CONFIG_"}${name}_${option.toUpperCase()}`;
    const found = flag ?? setVariable(call.draft, key)?.text;
    if (found) return found;
  }
  return undefined;
}

/** `:local:/folder`: the backend for files of this machine. */
function localPath(text: string): string {
  return text.slice(remotePlace.exec(text.slice(0, longestRemote))?.[0].length ?? 0);
}

function addressIn(text: string, flag: string | undefined): string {
  const [whole = "", colon = "", remote = "", options = ""] = remotePlace.exec(text.slice(0, longestRemote)) ?? [];
  const path = text.slice(whole.length).replace(/^\/+/, "");
  const [, double, single, bare] = hostOption.exec(options) ?? [];
  const host = double ?? single ?? bare ?? flag;
  if (!host) return `rclone://${remote}/${path}`;
  const base = host.includes("://") ? host : `${colon === "" ? "rclone" : remote}://${host}`;
  return `${base.replace(/\/$/, "")}/${path}`;
}

/** `rclone`: copies between files and named remotes, whose addresses are in its own settings. */
function rclone(call: Call): void {
  const [verb, ...fields] = call.operands;
  const places = fields.map((field) => placeOf(call, field));
  const [from, to] = places;
  const name = verb?.text ?? "";
  for (const option of listFiles) for (const file of call.values(option)) if (file.text !== "-") call.to.read(file);
  const log = call.value("--log-file");
  if (log) call.to.write(log);
  const reaches = (place: Place | undefined, direction: "upload" | "download" | "both"): void => {
    if (place?.address) call.to.network(place.address, direction, place.field.kind !== "pattern");
  };
  const removes = (place: Place): void => {
    if (place.isFile) call.to.delete(place.field, true);
    if (place.address) operate(call, "rclone", "delete", "", [place.field]);
  };
  // One of more than two words is the value of an option that is not listed: each of them may be a place.
  if (copying.test(name) && places.length > 2) {
    for (const place of places) reaches(place, "both");
    for (const place of places) if (place.isFile) call.to.read(place.field, { recursive: true, certain: false });
    if (/^(?:move|sync|bisync)/.test(name)) for (const place of places) removes(place);
    call.to.doubt("which words of rclone are places is not known");
  } else if (copying.test(name) && from && to) {
    if (from.isFile) call.to.read(from.field, { recursive: true });
    reaches(from, "download");
    if (to.isFile) call.to.write(to.field);
    reaches(to, "upload");
    for (const kept of call.values("--backup-dir")) reaches(placeOf(call, kept), "upload");
    if (/^move/.test(name)) removes(from);
    if (/^(?:sync|bisync)$/.test(name)) removes(to);
  } else if (removing.test(name) && from) {
    reaches(from, "upload");
    removes(from);
  } else if (name === "copyurl" && from) {
    call.to.network(from.field, "download");
    if (to?.isFile) call.to.write(to.field);
    reaches(to, "upload");
  } else if (/^(?:link|rcat|mkdir|touch|settier|dedupe)$/.test(name)) {
    for (const place of places) reaches(place, "upload");
    if (name === "dedupe") for (const place of places) if (place.address) removes(place);
  } else if (asks.test(name)) for (const place of places) reaches(place, "download");
  else if (name === "config") configures(call, fields[0]);
  else if (!/^(?:|version|help|listremotes|completion)$/.test(name))
    call.to.doubt(`what \`rclone ${name.slice(0, 40)}\` does is not known`);
}

/** `rclone config create x s3`: changes the settings, shows them, or tells where they are. */
function configures(call: Call, verb: Field | undefined): void {
  if (verb && /^(?:file|paths|providers|userinfo|redacted)$/.test(verb.text)) return;
  if (verb && /^(?:show|dump)$/.test(verb.text))
    call.to.read(call.value("--config") ?? homeField("~/.config/rclone/rclone.conf", call.draft.place));
  else call.to.config(spelled`rclone config ${verb}`);
}

/** Options that name a file with paths or patterns. */
const listFiles = ["--files-from", "--files-from-raw", "--exclude-from", "--include-from", "--filter-from"];

const removing = /^(?:delete|deletefile|purge|rmdir|rmdirs|cleanup)$/;
const copying = /^(?:copy|copyto|sync|move|moveto|bisync)$/;
const asks = /^(?:ls|lsd|lsl|lsf|lsjson|cat|size|check|checksum|cryptcheck|tree|md5sum|sha1sum|hashsum|about)$/;

/** Options with a value. Source: its list of flags. */
const valued = `
  --backup-dir=; --bind=; --buffer-size=; --bwlimit=; --bwlimit-file=; --ca-cert=; --cache-dir=; --checkers=; --client-cert=;
  --client-key=; --compare-dest=; --config=; --contimeout=; --copy-dest=; --cutoff-mode=; --disable=; --dump=; --exclude=;
  --exclude-from=; --exclude-if-present=; --files-from=; --files-from-raw=; -f --filter=; --filter-from=; --header=;
  --header-download=; --header-upload=; --include=; --include-from=; --log-file=; --log-format=; --log-level=; --low-level-retries=;
  --max-age=; --max-backlog=; --max-delete=; --max-delete-size=; --max-depth=; --max-duration=; --max-size=; --max-transfer=;
  --metadata-set=; --min-age=; --min-size=; --modify-window=; --multi-thread-cutoff=; --multi-thread-streams=; --order-by=;
  --password-command=; --retries=; --retries-sleep=; --stats=; --stats-log-level=; --stats-file-name-length=;
  --streaming-upload-cutoff=; --suffix=; --temp-dir=; --timeout=; --tpslimit=; --tpslimit-burst=; --transfers=; --user-agent=; --list-cutoff=; --name-transform=; --http-proxy=; --dscp=; --hash-filter=; --max-buffer-memory=; --max-connections=;
  --metadata-mapper=; --rc-addr=; --stats-unit=; --syslog-facility=; --color=; --drive-chunk-size=; --s3-chunk-size=;
  --s3-upload-concurrency=; --drive-upload-cutoff=; --s3-profile=; --s3-env-auth;
  --track-renames-strategy=; --partial-suffix=; --hash=; --format=; --separator=; --compare=; --workdir=; --size=; --dedupe-mode=; --conflict-resolve=;
  --s3-provider=; --s3-access-key-id=; --s3-secret-access-key=; --s3-endpoint=; --s3-region=; --s3-acl=; --s3-storage-class=;
  --sftp-host=; --sftp-user=; --sftp-port=; --sftp-pass=; --sftp-key-file=; --sftp-ssh=; --ftp-host=; --ftp-user=; --ftp-port=;
  --ftp-pass=; --webdav-url=; --webdav-user=; --webdav-pass=; --webdav-vendor=; --http-url=; --smb-host=; --smb-user=; --smb-pass=;
  --drive-root-folder-id=; --drive-service-account-file=; --drive-shared-with-me; --b2-account=; --b2-key=; --azureblob-account=;
  --azureblob-key=; --azureblob-endpoint=; --b2-endpoint=; --swift-auth=; --gcs-service-account-file=; --gcs-endpoint=
`;

/** Copies files between this machine and other places. Source: its manual. */
export const rcloneProgram: Program = {
  names: ["rclone"],
  // Its options have no short forms of their long names.
  grammar: {
    options: optionList(
      `${valued}; -n --dry-run; -i --interactive; -P --progress; -v --verbose; -q --quiet; -u --update; -c --checksum; -I; -M --metadata`,
    ),
    exact: true,
  },
  begins: ([verb]) => [copying, asks, removing].some((verbs) => verbs.test(verb?.text ?? "")),
  effects: rclone,
};
