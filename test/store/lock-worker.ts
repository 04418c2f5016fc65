import { closeSync, existsSync, openSync, unlinkSync } from "node:fs";
import { locked } from "../../store/lock.ts";

/**
 * One process of the test of locks: takes a lock as often as it is told, and fails when another process has it too. It
 * waits for the file `go` first. Arguments: path of the lock, how often, path of `go`.
 */
const [lock = "", times = "", go = ""] = process.argv.slice(2);
const pause = new Int32Array(new SharedArrayBuffer(4));
const marker = `${lock}.taken`;
const work = (): void => {
  closeSync(openSync(marker, "wx"));
  unlinkSync(marker);
};
// Locks of a process that has taken many are second names of a file, which must have been there for a while.
for (let i = 0; i < 20; i++) locked(lock, () => {}, 60_000);
while (!existsSync(go)) Atomics.wait(pause, 0, 0, 2);
for (let i = 0; i < Number(times); i++) {
  locked(lock, work, 60_000);
  // Else the one that runs takes all of its locks in a row, and nobody else is waiting.
  for (let idle = ((i + process.pid) * 7_919) % 30_011; idle > 0; idle--);
}
