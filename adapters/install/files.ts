import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { limits } from "../../schema/limits.ts";
import { makeFolder } from "../../store/folders.ts";
import { writeAtomically } from "../../store/output-file.ts";
import { dropRecord, type InstallRecord, keepRecord, recordOf, textDigest, usesOf } from "./records.ts";
import { type FileWiring, type HostInstaller, type InstallPlace, isFault } from "./wiring.ts";

/** The reason why a host cannot be wired, or an error on the way: about a file, at a place in it. */
export interface InstallProblem {
  readonly path: string;
  readonly message: string;
  readonly help: string;
}

/** Result for one file, or the result to expect in a dry run. */
export interface FileOutcome {
  readonly path: string;
  readonly change: "made" | "changed" | "unchanged" | "restored" | "removed" | "absent";
  readonly text?: string;
  readonly backup?: string;
}

/** The planned change of one file. */
interface Step {
  readonly outcome: FileOutcome;
  /** Folders to remove after it, if they are empty. */
  readonly folders?: readonly string[];
  run(): void;
  /** Further actions that undo the step, if it or a later one fails. */
  readonly undo?: readonly (() => void)[];
}

/**
 * Wires a host. It works out all texts before it writes the first, so a file that cannot be read or understood leaves
 * everything unchanged. If a file cannot be written, the files before it are restored.
 */
export function installHost(
  { name, files }: HostInstaller,
  place: InstallPlace,
  state: string,
  dry: boolean,
): readonly FileOutcome[] | InstallProblem {
  return eachFile(
    name,
    files(place),
    place,
    (wiring, path) =>
      installStep({ host: name, uses: usesOf(place), policies: place.by.policies }, wiring, path, state),
    dry,
  );
}

/** Removes exactly what `install` wrote, in its present form; the rest of a file stays byte for byte. */
export function uninstallHost(
  { name, files }: HostInstaller,
  place: InstallPlace,
  state: string,
  dry: boolean,
): readonly FileOutcome[] | InstallProblem {
  return eachFile(name, files(place), place, (wiring, path) => uninstallStep(name, wiring, path, state), dry);
}

function eachFile(
  host: string,
  wirings: ReturnType<HostInstaller["files"]>,
  place: InstallPlace,
  stepOf: (wiring: FileWiring, path: string) => Step | InstallProblem,
  dry: boolean,
): readonly FileOutcome[] | InstallProblem {
  if (isFault(wirings)) return { path: host, message: wirings.message, help: wirings.help };
  const steps: Step[] = [];
  for (const wiring of wirings) {
    const real = realPath(wiring.path, place);
    if (typeof real !== "string") return real;
    const step = stepOf(wiring, real);
    if ("message" in step) return step;
    steps.push(step);
  }
  return dry ? steps.map(({ outcome }) => outcome) : runAll(steps);
}

function runAll(steps: readonly Step[]): readonly FileOutcome[] | InstallProblem {
  const undo: (() => void)[] = [];
  for (const { outcome, run, undo: more = [] } of steps) {
    const { path } = outcome;
    undo.push(...more, puttingBack(path));
    try {
      run();
    } catch (error) {
      for (const back of undo.reverse()) attempt(back);
      const why = error instanceof Error ? error.message : String(error);
      return {
        path,
        message: `it cannot be written: ${why}`,
        help: "make it writable; what was there has been put back",
      };
    }
  }
  const folders = new Set(steps.flatMap((step) => step.folders ?? []));
  for (const folder of innermostFirst([...folders])) attempt(() => rmdirSync(folder));
  return steps.map(({ outcome }) => outcome);
}

/** Returns a function that restores a file as it is now, or removes the file if it is missing now. */
function puttingBack(path: string): () => void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return () => rmSync(path, { force: true });
  const before = readFileSync(path, "utf8");
  return () => {
    writeAtomically(path, before);
    chmodSync(path, mode & 0o777);
  };
}

function innermostFirst(folders: readonly string[]): readonly string[] {
  return [...folders].sort((a, b) => b.length - a.length);
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // A folder that is not empty stays. A file that cannot be restored is named by the problem that is reported.
  }
}

/**
 * Returns the real path of a file. Links are written through, but links of a project must not lead out of it. A link that
 * leads nowhere is a problem, as its meaning is unknown.
 */
function realPath(path: string, { scope, project }: InstallPlace): string | InstallProblem {
  let standing = path;
  while (!stands(standing)) standing = dirname(standing);
  if (!existsSync(standing)) {
    const help = "make what it leads to, or take the link away; nothing was written";
    return { path: standing, message: "it is a link to a place that is not there", help };
  }
  const real = join(realpathSync(standing), relative(standing, path));
  if (scope === "user" || real === path || isInside(realpathSync(project), real)) return real;
  return { path, message: "it is a link that leads out of the project", help: "put a file in its place" };
}

/** True if anything is at a path, even a dangling link. A path that cannot be examined is reported where it is read. */
function stands(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns the real path of a file that a host looks for, if links below the home or the project lead there. */
export function linkTarget(path: string, { scope, home, project }: InstallPlace): string | undefined {
  const root = scope === "user" ? home : project;
  if (!isInside(root, path) || !existsSync(path)) return undefined;
  const real = realpathSync(path);
  return join(realpathSync(root), relative(root, path)) === real ? undefined : real;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the text of a file; undefined if there is no file. */
function readText(path: string): { readonly text: string | undefined } | InstallProblem {
  const refuse = (message: string): InstallProblem => ({
    path,
    message,
    help: "look at the file; nothing was written",
  });
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return { text: undefined };
    if (!stat.isFile()) return refuse("it is no regular file");
    if (stat.size > limits.policyBytes) return refuse("it is too large for a settings file");
    return { text: decoder.decode(readFileSync(path)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return refuse("a file stands where its folder would be");
    return refuse(
      code === undefined || code.startsWith("ERR_ENC") ? "it is not UTF-8 text" : `it cannot be read (${code})`,
    );
  }
}

function placed(
  path: string,
  text: string,
  { message, at, help }: { message: string; at: number; help: string },
): InstallProblem {
  const before = text.slice(0, at);
  const place = `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
  return { path, message: at > 0 || text !== "" ? `${message} at ${place}` : message, help };
}

function installStep(
  { host, uses, policies }: Required<Pick<InstallRecord, "host" | "uses" | "policies">>,
  wiring: FileWiring,
  path: string,
  state: string,
): Step | InstallProblem {
  const read = readText(path);
  if ("message" in read) return read;
  const { text: found } = read;
  const wired = wiring.wire(found);
  if (isFault(wired)) return placed(path, wiring.own ? "" : (found ?? ""), wired);
  const old = recordOf(state, host, path);
  if (wired.text === found) {
    const run = (): void => (old ? keepRecord(state, { ...old, uses, policies }) : undefined);
    return { outcome: { path, change: "unchanged" }, run };
  }
  const created = found === undefined;
  const onlyOurs = !created && old !== undefined && old.after === textDigest(found);
  const backup = created || wiring.own || onlyOurs ? old?.backup : freeName(path);
  const newBackup = backup !== undefined && backup !== old?.backup;
  const folders = missingFolders(path);
  const record: InstallRecord = {
    host,
    path,
    created: created || (old?.created ?? wiring.own),
    folders: created ? folders : (old?.folders ?? []),
    made: [...(old?.made ?? []), ...wired.made],
    after: textDigest(wired.text),
    uses,
    policies,
    ...((wired.kept ?? old?.kept) && { kept: wired.kept ?? old?.kept ?? {} }),
    ...(backup !== undefined && { backup }),
    ...wholeBefore(found, old, onlyOurs),
  };
  return {
    outcome: {
      path,
      change: created ? "made" : "changed",
      text: wired.text,
      ...(newBackup && { backup }),
    },
    run() {
      makeFolder(dirname(path));
      if (newBackup) copyFileSync(path, backup, constants.COPYFILE_EXCL);
      writeAtomically(path, wired.text);
      if (wiring.mode !== undefined) chmodSync(path, wiring.mode);
      keepRecord(state, record);
    },
    undo: [
      ...[...innermostFirst(folders)].reverse().map((folder) => () => rmdirSync(folder)),
      () => (newBackup ? rmSync(backup, { force: true }) : undefined),
      () => putRecordBack(host, path, state, old),
    ],
  };
}

/** Restores the record of a file as it was before a failed step. */
function putRecordBack(host: string, path: string, state: string, old: InstallRecord | undefined): void {
  if (old) keepRecord(state, old);
  else dropRecord(state, host, path);
}

/** Returns the digest of the text before the very first install, if nobody but us has changed the file since. */
function wholeBefore(
  found: string | undefined,
  old: InstallRecord | undefined,
  onlyOurs: boolean,
): { before?: string } {
  if (onlyOurs) return old?.before === undefined ? {} : { before: old.before };
  return found === undefined || old !== undefined ? {} : { before: textDigest(found) };
}

/** Returns a free name for a backup beside a file; an older backup is kept. */
function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = `${path}.hookwarden-backup${n === 1 ? "" : `-${n}`}`;
    if (!existsSync(name)) return name;
  }
}

/** Lists the missing folders above a path, innermost first. */
function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  return missing;
}

function uninstallStep(host: string, wiring: FileWiring, path: string, state: string): Step | InstallProblem {
  const read = readText(path);
  if ("message" in read) return read;
  const { text: found } = read;
  const old = recordOf(state, host, path);
  const forget = (): void => dropRecord(state, host, path);
  const undo = [() => putRecordBack(host, path, state, old)];
  if (found === undefined) return { outcome: { path, change: "absent" }, run: forget };
  const bare = wiring.unwire(found, old);
  if (isFault(bare)) return placed(path, found, bare);
  if (bare.ours === 0) return { outcome: { path, change: "absent" }, run: forget };
  const whole = old?.after === textDigest(found) ? backupOf(old) : undefined;
  if (whole !== undefined && old?.backup !== undefined)
    return {
      outcome: { path, change: "restored", text: whole },
      run: restoring(path, whole, old.backup, forget),
      undo,
    };
  if (bare.empty && (old?.created ?? wiring.own))
    return {
      outcome: { path, change: "removed" },
      folders: old?.folders ?? [],
      run() {
        rmSync(path);
        forget();
      },
      undo,
    };
  return {
    outcome: { path, change: "changed", text: bare.text, ...(old?.backup !== undefined && { backup: old.backup }) },
    run() {
      writeAtomically(path, bare.text);
      forget();
    },
    undo,
  };
}

function restoring(path: string, text: string, backup: string, forget: () => void): () => void {
  return () => {
    writeAtomically(path, text);
    rmSync(backup, { force: true });
    forget();
  };
}

/** Returns the text of a backup, if it is still the text that was there before. */
function backupOf({ backup, before }: InstallRecord): string | undefined {
  if (backup === undefined || before === undefined) return undefined;
  const read = readText(backup);
  const text = "text" in read ? read.text : undefined;
  return text !== undefined && textDigest(text) === before ? text : undefined;
}
