import { readdirSync, readFileSync } from "node:fs";

/** A process that we started, as far as ending it goes. */
export interface Child {
  readonly pid?: number | undefined;
  kill(signal: "SIGKILL"): boolean;
}

/**
 * Ends a program and all it started: the process group that it leads, and on Linux also its descendants that left the
 * group for one of their own. What has left the tree altogether (its parent ended before) cannot be found any more; on
 * other systems that is true of what left the group. Source: semantics section 2 (`run`).
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

/** Every process below one, by the parents that Linux tells; none where it does not. */
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

/** Every process with its parent. */
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

/** The fourth field of `stat`; the second, the name, is in parentheses and may hold anything. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return Number.isSafeInteger(parent) ? parent : undefined;
  } catch {
    return undefined;
  }
}
