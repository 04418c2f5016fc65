import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** A process as the system shows it. */
export interface SeenProcess {
  readonly pid: number;
  /** Its name, which it may have chosen. */
  readonly name: string;
  readonly words: readonly string[];
  /** Names of its non-empty variables at its start; none if they cannot be read. */
  readonly variables: readonly string[];
}

/** The processes around this one: each list begins with the nearest, and ends with the first process of the machine. */
export interface Surroundings {
  readonly ancestors: readonly SeenProcess[];
  /**
   * The first processes of our own and our ancestors' sessions and groups, each with its ancestors. A process that left its
   * ancestors is still in these.
   */
  readonly leaders: readonly (readonly SeenProcess[])[];
  /**
   * Processes that hold the other side of our terminal, and the first of their sessions and groups, each with its ancestors.
   * They read what is shown and type what is read.
   */
  readonly holders: readonly (readonly SeenProcess[])[];
  /** False if the terminal's user is not typing to this process; undefined if that is unknown. */
  readonly foreground?: boolean;
}

/** Surroundings where nothing can be examined. */
export const nobody: Surroundings = { ancestors: [], leaders: [], holders: [] };

/** Maximum number of ancestors examined. */
const mostAbove = 128;

/** Returns the processes around a process of this machine. Never throws: unreadable ones are left out. */
export function surroundings(pid: number = process.pid): Surroundings {
  if (process.platform === "win32") return nobody;
  return process.platform === "linux" ? linuxSurroundings("/proc", pid) : listedSurroundings(processList(), pid);
}

/** The fields of a process that locate it in the process tree. */
interface Place {
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly terminal: number;
  readonly foreground: number;
}

/** Returns the surroundings from the process file system of Linux. */
export function linuxSurroundings(root: string, pid: number): Surroundings {
  const own = placeOf(root, pid);
  if (!own) return nobody;
  const ancestors = chain(root, own.parent);
  const index = terminalIndex(own.terminal);
  const holders = (index === undefined ? [] : holdersOf(root, index, pid)).map((holder) => chain(root, holder));
  const leadersOf = (of: readonly number[]) => leadersAbove(root, of).map((leader) => chain(root, leader));
  return {
    ancestors,
    leaders: leadersOf([pid, ...pidsOf(ancestors)]),
    holders: [...holders, ...leadersOf(holders.flatMap(pidsOf))],
    ...(own.terminal !== 0 && { foreground: own.foreground === own.group }),
  };
}

const pidsOf = (processes: readonly SeenProcess[]): readonly number[] => processes.map(({ pid }) => pid);

/** Returns the first processes of these processes' sessions and groups, each once, without these processes themselves. */
function leadersAbove(root: string, pids: readonly number[]): readonly number[] {
  const leaders = pids.flatMap((pid) => {
    const place = placeOf(root, pid);
    return place ? [place.session, place.group] : [];
  });
  return [...new Set(leaders)].filter((leader) => leader > 0 && !pids.includes(leader));
}

function chain(root: string, first: number): readonly SeenProcess[] {
  const found: SeenProcess[] = [];
  for (let pid = first; pid > 0 && found.length < mostAbove; ) {
    const place = placeOf(root, pid);
    if (!place || found.some((seen) => seen.pid === pid)) break;
    found.push({
      pid,
      name: place.name,
      words: parts(root, pid, "cmdline"),
      variables: parts(root, pid, "environ").flatMap((one) => /^([^=]+)=./s.exec(one)?.[1] ?? []),
    });
    pid = place.parent;
  }
  return found;
}

/** Reads the fields of a process. The name is in brackets, and may hold brackets itself. */
function placeOf(root: string, pid: number): Place | undefined {
  const text = read(join(root, `${pid}`, "stat"));
  const [open, close] = [text.indexOf("("), text.lastIndexOf(")")];
  const numbers = text
    .slice(close + 2)
    .split(" ")
    .slice(1)
    .map(Number);
  const [parent, group, session, terminal, foreground] = numbers;
  if (open < 0 || close < open || foreground === undefined) return undefined;
  if (parent === undefined || group === undefined || session === undefined || terminal === undefined) return undefined;
  return { name: text.slice(open + 1, close), parent, group, session, terminal, foreground };
}

function parts(root: string, pid: number, file: string): readonly string[] {
  return read(join(root, `${pid}`, file))
    .split("\0")
    .filter((part) => part !== "");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Returns the number of a pseudoterminal (`/dev/pts/N`), from its device number. */
function terminalIndex(device: number): number | undefined {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return major >= 136 && major <= 143 ? (major - 136) * 256 + minor : undefined;
}

/** Returns the processes that made a terminal, as far as this user may see their open files. */
function holdersOf(root: string, index: number, self: number): readonly number[] {
  const marks = new RegExp(`^tty-index:\\s*${index}$`, "m");
  const holds = (pid: number): boolean => {
    const files = list(join(root, `${pid}`, "fd"));
    return files.some((file) => {
      if (!/^\/dev\/(?:pts\/)?ptmx$/.test(link(join(root, `${pid}`, "fd", file)))) return false;
      return marks.test(read(join(root, `${pid}`, "fdinfo", file)));
    });
  };
  return list(root)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== self && holds(pid));
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function processList(): string {
  const given = ["-A", "-ww", "-o", "pid=,ppid=,pgid=,tpgid=,command="];
  return spawnSync("/bin/ps", given, { env: {}, encoding: "utf8", maxBuffer: 67_108_864 }).stdout ?? "";
}

/** Returns the surroundings from the output of `ps`, on systems without that file system: variables and holders are unknown there. */
export function listedSurroundings(text: string, pid: number): Surroundings {
  const found = new Map<number, Pick<Place, "parent" | "group" | "foreground"> & { words: readonly string[] }>();
  for (const line of text.split("\n")) {
    const [, id, parent, group, foreground, command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(.*)$/.exec(line) ?? [];
    if (id === undefined) continue;
    const words = command.split(" ").filter((word) => word !== "");
    found.set(Number(id), { parent: Number(parent), group: Number(group), foreground: Number(foreground), words });
  }
  const above = (first: number): readonly SeenProcess[] => {
    const seen: SeenProcess[] = [];
    for (let at = first; at > 0 && seen.length < mostAbove; at = found.get(at)?.parent ?? 0) {
      const words = found.get(at)?.words;
      if (!words || seen.some((one) => one.pid === at)) break;
      seen.push({ pid: at, name: words[0] ?? "", words, variables: [] });
    }
    return seen;
  };
  const own = found.get(pid);
  if (!own) return nobody;
  return {
    ancestors: above(own.parent),
    leaders: own.group === pid ? [] : [above(own.group)],
    holders: [],
    ...(own.foreground > 0 && { foreground: own.foreground === own.group }),
  };
}
