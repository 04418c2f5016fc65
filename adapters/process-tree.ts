import { readdirSync, readFileSync } from "node:fs";

/** The part of a process started by us that ending it needs. */
export interface Child {
  readonly pid?: number | undefined;
  kill(signal: "SIGKILL"): boolean;
}

/**
 * Ends a program and all that it started: its process group, and on Linux also descendants that moved to their own group.
 * Processes that left the tree (their parent ended before) cannot be found any more; nor, on other systems, those that left
 * the group. Source: semantics section 2 (`run`).
 */
export function killTree(child: Child): void {
  const { pid } = child;
  if (process.platform === "win32" || pid === undefined || pid <= 1) {
    child.kill("SIGKILL");
    return;
  }
  const left = descendants(pid);
  if (!end(-pid)) child.kill("SIGKILL");
  for (const one of left) end(one);
}

function end(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    // It is gone already, or not ours to end.
    return false;
  }
}

/** Lists every process below one, by the parents that Linux reports; none on other systems. */
function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of parents()) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  const found: number[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const below = children.get(pid) ?? [];
    found.push(...below);
    open.push(...below);
  }
  return found;
}

/** Lists every process with its parent. */
function parents(): [pid: number, parent: number][] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync("/proc").flatMap((name) => {
      const pid = Number(name);
      const parent = Number.isSafeInteger(pid) ? parentOf(pid) : undefined;
      return parent === undefined ? [] : [[pid, parent] as [number, number]];
    });
  } catch {
    return [];
  }
}

/** Returns the parent: the fourth field of `stat`. The second field, the name, is in parentheses and may hold anything. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return Number.isSafeInteger(parent) ? parent : undefined;
  } catch {
    return undefined;
  }
}
