import { describe, expect, it } from "vitest";
import { readTrace } from "./oracle/strace.ts";

const begin = `2 execve("/h/timeout", ["/h/timeout", "-s", "KILL", "5", "/shells/bash", "/batch/in/0007"], 0x1 /* 3 vars */) = 0
2 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD, child_tidptr=0x1) = 3
3 execve("/shells/bash", ["/shells/bash", "/batch/in/0007"], 0x1 /* 3 vars */) = 0
3 openat(AT_FDCWD</w/0007/p/q>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache>
`;

/** Reads the rows of a trace behind a beginning. */
function touched(lines: string): readonly string[] {
  const { touches } = readTrace(begin + lines).get("0007") ?? { touches: [] };
  return touches.map(({ kind, path, real, done }) => {
    const short = (place: string): string => place.replace("/w/s/p/q/", "");
    return `${kind} ${short(path)}${real === path || real === "" ? "" : ` (${short(real)})`}${done ? "" : "!"}`;
  });
}

/** Lines of one process or more, and what they say. */
const rows: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "a file made",
    `3 openat(AT_FDCWD</w/0007/p/q>, "MARK", O_WRONLY|O_CREAT, 0666) = 3</w/0007/p/q/MARK>`,
    ["write MARK"],
  ],
  ["a file read", `3 openat(AT_FDCWD</w/0007/p/q>, "src.txt", O_RDONLY) = 3</w/0007/p/q/src.txt>`, ["read src.txt"]],
  ["both", `3 openat(AT_FDCWD</w/0007/p/q>, "o", O_RDWR|O_CREAT, 0666) = 3</w/0007/p/q/o>`, ["write o"]],
  ["a folder listed", `3 openat(AT_FDCWD</w/0007/p/q>, ".", O_RDONLY|O_DIRECTORY) = 3</w/0007/p/q>`, ["list /w/s/p/q"]],
  [
    "an attempt",
    `3 openat(AT_FDCWD</w/0007/p/q>, "nope", O_RDONLY) = -1 ENOENT (No such file or directory)`,
    ["read nope!"],
  ],
  [
    "a place behind a link",
    `3 openat(AT_FDCWD</w/0007/p/q>, "l/o", O_WRONLY|O_CREAT, 0666) = 3</w/0007/p/q/sub/o>`,
    ["write l/o (sub/o)"],
  ],
  ["a call without a folder", `3 mkdir("new", 0777) = 0`, ["write new"]],
  [
    "another folder",
    `3 chdir("sub") = 0\n3 mkdir("o", 0777) = 0\n3 chdir("..") = 0\n3 mkdir("o", 0777) = 0`,
    ["write sub/o", "write o"],
  ],
  [
    "a folder that is not there",
    `3 chdir("nope") = -1 ENOENT (No such file or directory)\n3 mkdir("o", 0777) = 0`,
    ["write o"],
  ],
  ["a folder by its descriptor", `3 fchdir(4</w/0007/p/q/sub>) = 0\n3 mkdir("o", 0777) = 0`, ["write sub/o"]],
  [
    "a move",
    `3 renameat2(AT_FDCWD</w/0007/p/q>, "c.txt", AT_FDCWD</w/0007/p/q>, "MARK", RENAME_NOREPLACE) = 0`,
    ["delete c.txt", "write MARK"],
  ],
  ["an old move", `3 rename("c.txt", "sub/o") = 0`, ["delete c.txt", "write sub/o"]],
  ["a link", `3 linkat(AT_FDCWD</w/0007/p/q>, "o", AT_FDCWD</w/0007/p/q>, "sub/o", 0) = 0`, ["write sub/o"]],
  ["a symlink", `3 symlinkat("src.txt", AT_FDCWD</w/0007/p/q>, "l") = 0`, ["write l"]],
  [
    "a file in an open folder",
    `3 openat(5</w/0007/p/q/sub>, "o", O_WRONLY|O_CREAT, 0666) = 3</w/0007/p/q/sub/o>`,
    ["write sub/o"],
  ],
  ["times by a descriptor", `3 utimensat(0</w/0007/p/q/o>, NULL, NULL, 0) = 0`, ["write o"]],
  ["a file removed", `3 unlinkat(AT_FDCWD</w/0007/p/q>, "o", 0) = 0`, ["delete o"]],
  ["a program of the folder", `3 execve("./run.sh", ["./run.sh"], 0x1 /* 3 vars */) = 0`, ["run run.sh"]],
  ["a place outside", `3 openat(AT_FDCWD</w/0007/p/q>, "/dev/null", O_WRONLY) = 3</dev/null>`, []],
  ["another script's folder", `3 openat(AT_FDCWD</w/0007/p/q>, "/w/0008/p/q/o", O_RDONLY) = 3</w/0008/p/q/o>`, []],
  [
    "an address",
    `3 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ECONNREFUSED (Connection refused)`,
    ["connect 127.0.0.1:8080"],
  ],
  [
    "a socket of the machine",
    `3 connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/x"}, 110) = -1 ENOENT (No such file or directory)`,
    [],
  ],
  ["a name with a newline", `3 mkdir("o\\nMARK", 0777) = 0`, ["write o\nMARK"]],
  ["a name with a number", `3 mkdir("\\303\\204", 0777) = 0`, ["write \u00c3\u0084"]],
  [
    "a call that another interrupts",
    `3 openat(AT_FDCWD</w/0007/p/q>, "o", O_WRONLY|O_CREAT, 0666 <unfinished ...>\n2 chdir("/") = 0\n3 <... openat resumed>) = 3</w/0007/p/q/o>`,
    ["write o"],
  ],
  [
    "a child before its parent knows it",
    `3 chdir("sub") = 0\n3 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n4 mkdir("o", 0777) = 0\n3 <... clone resumed>, child_tidptr=0x1) = 4`,
    ["write sub/o"],
  ],
];

describe("the reader of traces", () => {
  it.each(rows)("sees %s", (_, lines, expected) => {
    expect(touched(lines)).toEqual(expected);
  });

  it("says how programs ended, and which folder was not there", () => {
    const lines = `3 chdir("nope") = -1 ENOENT (No such file or directory)
3 clone(child_stack=NULL, flags=SIGCHLD, child_tidptr=0x1) = 4
4 execve("/bin/cp", ["cp", "nope", "o"], 0x1 /* 3 vars */) = 0
4 exit_group(1) = ?
3 exit_group(0) = ?`;
    expect(readTrace(begin + lines).get("0007")?.ended).toEqual([
      { program: "cd", status: 1 },
      { program: "cp", status: 1 },
      { program: "bash", status: 0 },
    ]);
  });

  it("keeps scripts apart", () => {
    const other = begin
      .replaceAll("0007", "0008")
      .replaceAll(/^2/gm, "12")
      .replaceAll(/^3/gm, "13")
      .replace("= 3\n", "= 13\n");
    const traces = readTrace(`${begin}3 mkdir("o", 0777) = 0\n${other}13 mkdir("MARK", 0777) = 0`);
    expect(traces.get("0007")?.touches.map(({ path }) => path)).toEqual(["/w/s/p/q/o"]);
    expect(traces.get("0008")?.touches.map(({ path }) => path)).toEqual(["/w/s/p/q/MARK"]);
  });
});
