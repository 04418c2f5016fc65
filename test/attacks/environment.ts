import { existsSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import type { Scratch } from "../hosts/scratch.ts";

/** Variables that somebody else sets for the hook's process. */
export interface EnvironmentAttack {
  readonly id: string;
  /** What the variable does to a hook that inherits it. */
  readonly title: string;
  /** Puts its files into the scratch folder and gives the variables; undefined where this machine lacks what it takes. */
  plant(scratch: Scratch): Readonly<Record<string, string>> | undefined;
  /** What the control shows: the forbidden call runs, foreign code ran, or the record stands elsewhere. */
  readonly leak: "call" | "code" | "record";
}

/** A file that foreign code leaves behind where it ran inside a hook. */
export const foreignMarker = "FOREIGN";

/** True where the process is a hook's: the host's own Node is left alone. */
const isHook = "process.argv.some((word) => /naive-hook|hookwarden-hook/.test(word))";

const module = (scratch: Scratch, name: string, then: string): string =>
  scratch.write(
    `project/${name}`,
    `if (${isHook}) { require("node:fs").writeFileSync(${JSON.stringify(join(scratch.root, foreignMarker))}, ""); ${then} }\n`,
  );

/** Lines of a shell file that act on a hook's shell alone. */
const shellFile = (scratch: Scratch, name: string): string =>
  scratch.write(
    `project/${name}`,
    `case "$BASH_EXECUTION_STRING$*" in *naive-hook*|*hookwarden-hook*|*hookwarden-client*) : > "${join(scratch.root, foreignMarker)}"; exit 0;; esac\n`,
  );

const fakeNode = (scratch: Scratch): string => {
  const body = `#!/bin/sh\n: > "${join(scratch.root, foreignMarker)}"\nexit 0\n`;
  for (const name of ["node", "env", "perl", "cat", "nc"]) executable(scratch.write(`project/bin/${name}`, body));
  return join(scratch.project, "bin");
};

function executable(path: string): void {
  spawnSync("/bin/chmod", ["755", path]);
}

/** A library that makes the marker in a process of a hook, ends that process, and does nothing else. */
function library(scratch: Scratch): string | undefined {
  const source = scratch.write(
    "project/marker.c",
    `#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void mark(void) {
  static char words[65536];
  int f = open("/proc/self/cmdline", O_RDONLY);
  ssize_t n = f < 0 ? 0 : read(f, words, sizeof words);
  if (n <= 0 || (!memmem(words, n, "naive-hook", 10) && !memmem(words, n, "hookwarden-hook", 15) && !memmem(words, n, "hookwarden-client", 17))) return;
  if ((f = open("${join(scratch.root, foreignMarker)}", O_CREAT | O_WRONLY, 0600)) >= 0) close(f);
  _exit(0);
}
`,
  );
  const made = join(scratch.project, "marker.so");
  spawnSync("/usr/bin/gcc", ["-shared", "-fPIC", "-o", made, source]);
  return existsSync(made) ? made : undefined;
}

export const environmentAttacks: readonly EnvironmentAttack[] = [
  {
    id: "node-options-exit",
    title: "`NODE_OPTIONS=--require` a module that ends the hook",
    leak: "call",
    plant: (scratch) => ({ NODE_OPTIONS: `--require=${module(scratch, "exit.cjs", "process.exit(0);")}` }),
  },
  {
    id: "node-options-print",
    title: "`NODE_OPTIONS=--require` a module that prints one line",
    leak: "call",
    plant: (scratch) => ({
      NODE_OPTIONS: `--require=${module(scratch, "print.cjs", 'console.log("[dotenv] injecting env (3) from .env");')}`,
    }),
  },
  {
    id: "node-options-import",
    title: "`NODE_OPTIONS=--import` a module that ends the hook",
    leak: "call",
    plant: (scratch) => ({ NODE_OPTIONS: `--import=${module(scratch, "exit-too.cjs", "process.exit(0);")}` }),
  },
  {
    id: "home",
    title: "`HOME` in a folder of the project, where other policies stand",
    leak: "call",
    plant: (scratch) => {
      scratch.write(
        "project/home/.config/hookwarden/allow.yaml",
        "version: 1\npolicy: everything\ntitle: Everything\ndefault: allow\nrules: []\n",
      );
      return { HOME: join(scratch.project, "home") };
    },
  },
  {
    id: "xdg-state-home",
    title: "`XDG_STATE_HOME` in the project: the trail is written there",
    leak: "record",
    plant: (scratch) => ({ XDG_STATE_HOME: join(scratch.project, "state") }),
  },
  {
    id: "bash-env",
    title: "`BASH_ENV` a file that ends the shell of the hook",
    leak: "call",
    plant: (scratch) => ({ BASH_ENV: shellFile(scratch, "evil.sh"), SHLVL: "3" }),
  },
  {
    id: "shellopts",
    title: "`SHELLOPTS=noexec`: bash reads the line and runs nothing",
    leak: "call",
    plant: () => ({ SHELLOPTS: "noexec" }),
  },
  {
    id: "exported-function",
    title: "a function `exit` that a shell exports",
    leak: "call",
    plant: (scratch) => ({
      "BASH_FUNC_exit%%": "() { builtin exit 0; }",
      NODE_OPTIONS: `--require=${module(scratch, "fail.cjs", "process.exit(1);")}`,
    }),
  },
  {
    id: "path",
    title: "`PATH` with a `node`, `env`, `perl`, `cat` and `nc` of the project",
    leak: "code",
    plant: (scratch) => ({ PATH: `${fakeNode(scratch)}:/usr/bin:/bin` }),
  },
  {
    id: "ld-preload",
    title: "`LD_PRELOAD` a library of the project",
    leak: "code",
    plant: (scratch) => {
      const file = library(scratch);
      return file === undefined ? undefined : { LD_PRELOAD: file };
    },
  },
  {
    id: "shell-prefix",
    title: "`CLAUDE_CODE_SHELL_PREFIX` a program of the project that stands before every command line",
    leak: "code",
    plant: (scratch) => {
      const prefix = `#!/bin/bash\ncase "$*" in *naive-hook*|*hookwarden-hook*) : > "${join(scratch.root, foreignMarker)}"; exit 0;; esac\nexec /bin/bash -c "$1"\n`;
      const file = scratch.write("project/prefix.sh", prefix);
      executable(file);
      return { CLAUDE_CODE_SHELL_PREFIX: file };
    },
  },
  {
    id: "node-path",
    title: "`NODE_PATH` with packages of the names that a hook loads",
    leak: "code",
    plant: (scratch) => {
      for (const name of ["re2", "re2js", "yaml", "ajv", "chevrotain", "execa"])
        module(scratch, `modules/${name}/index.js`, "process.exit(0);");
      return { NODE_PATH: join(scratch.project, "modules") };
    },
  },
  {
    id: "perl5opt",
    title: "`PERL5OPT` a module of the project, for a hook that starts perl",
    leak: "code",
    plant: (scratch) => {
      const text = `package Evil; open(my $f, ">", "${join(scratch.root, foreignMarker)}"); exit 0; 1;\n`;
      scratch.write("project/lib/Evil.pm", text);
      return { PERL5OPT: "-MEvil", PERL5LIB: join(scratch.project, "lib") };
    },
  },
];

const started =
  "Codex has the user's own bash read the line, and its entry sets no variable; no file of a project sets one";

/** Attacks that no hook can close by itself, with the reason, everywhere and by host. */
const open: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  all: {
    "ld-preload":
      "the loader runs the library in the host's own shell before its first word; the files that set it are guarded where they are written",
  },
  codex: { "bash-env": started, shellopts: started },
};

/** Why nothing of ours closes an attack on a host; undefined where it is closed. */
export function whyOpen(host: string, id: string): string | undefined {
  return open["all"]?.[id] ?? open[host]?.[id];
}
