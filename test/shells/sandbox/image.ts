import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { spawnSync } from "../../bounded-process.ts";
import { programs } from "../tree/names.ts";
import type { Shell } from "./shells.ts";

/** Files of the harness in the sandbox; scripts have no path to them. */
const helpers = ["bash", "strace", "timeout", "mkdir", "chmod", "umount", "unshare"];

/**
 * Fills a folder that becomes the root of the sandbox: the allowed programs, the shells, and the libraries that these
 * name. Nothing else of this machine is in it. Throws an Error that says what the machine lacks.
 */
export function buildImage(folder: string, shells: readonly Shell[]): void {
  for (const name of ["bin", "h", "w", "tmp", "proc", "batch", "dev", "etc", "shells"])
    mkdirSync(join(folder, name), { recursive: true });
  const copied: string[] = [];
  // A shell without `printf` of its own starts the program.
  for (const name of [...programs, "printf"]) copied.push(place(folder, located(name), join("bin", name)));
  for (const name of helpers) copied.push(place(folder, located(name), join("h", name)));
  for (const { name, file } of shells) copied.push(place(folder, file, join("shells", name)));
  for (const library of new Set(copied.flatMap(librariesOf))) place(folder, library, library);
  for (const name of ["drive.sh", "loop.sh"]) copyFileSync(join(import.meta.dirname, name), join(folder, "h", name));
  // Without the loader's own table every program looks for its libraries in a dozen places.
  if (existsSync("/etc/ld.so.cache")) copyFileSync("/etc/ld.so.cache", join(folder, "etc/ld.so.cache"));
  writeFileSync(join(folder, "dev/null"), "");
  symlinkSync("/proc/self/fd", join(folder, "dev/fd"));
  for (const [i, name] of ["stdin", "stdout", "stderr"].entries())
    symlinkSync(`/proc/self/fd/${i}`, join(folder, "dev", name));
  writeFileSync(join(folder, "etc/passwd"), "nobody:x:65534:65534:nobody:/w:/bin/sh\n");
  writeFileSync(join(folder, "etc/group"), "nogroup:x:65534:\n");
  writeFileSync(join(folder, "etc/hosts"), "127.0.0.1 localhost\n127.0.0.1 harness.example\n");
  writeFileSync(join(folder, "etc/nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files\n");
}

/** Finds a program by this machine's PATH. */
function located(name: string): string {
  for (const folder of [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin"]) {
    const file = join(folder, name);
    if (folder !== "" && existsSync(file)) return realpathSync(file);
  }
  throw new Error(
    `the shell harness needs the program \`${name}\`, which is not here; install it (Debian: apt-get install ${packageOf(name)})`,
  );
}

function packageOf(name: string): string {
  return (
    {
      strace: "strace",
      unshare: "util-linux",
      umount: "mount",
      bash: "bash",
      sh: "dash",
      xargs: "findutils",
      sed: "sed",
      grep: "grep",
    }[name] ?? "coreutils"
  );
}

function place(folder: string, file: string, name: string): string {
  const target = join(folder, name);
  mkdirSync(dirname(target), { recursive: true });
  if (!existsSync(target)) copyFileSync(realpathSync(file), target);
  chmodSync(target, 0o755);
  return file;
}

/** The libraries that a program names, and its loader; the C library's own for names are loaded by it later. */
function librariesOf(file: string): string[] {
  if (
    !readFileSync(file)
      .subarray(0, 4)
      .equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46]))
  )
    throw new Error(`${file} is no program of this machine's own`);
  const { stdout } = spawnSync("ldd", [file], { encoding: "utf8" });
  const named = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  return named.filter((path) => existsSync(path));
}
