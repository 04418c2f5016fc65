import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PathClass, pathClass } from "../../../facts/paths/classes.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { glob, within } from "../../../facts/paths/match.ts";
import { resolvePath } from "../../../facts/paths/resolve.ts";
import type { PathValue } from "../../../schema/facts.ts";
import type { Environment } from "../../../schema/judged-event.ts";
import { seed } from "../../properties/seed.ts";

/** Ways to name a protected file that a comparison of texts does not see (threats row 11), judged as a rule would. */

const linux: Environment = {
  cwd: "/home/dev/app",
  workspace: "/home/dev/app",
  home: "/home/dev",
  user: "dev",
  os: "linux",
  shell: "bash",
  branch: undefined,
  default_branch: undefined,
  case_insensitive: false,
  interactive: false,
  variables: {},
};
const folding: Environment = { ...linux, os: "darwin", case_insensitive: true };
const windows: Environment = {
  ...linux,
  os: "win32",
  cwd: "C:\\Users\\dev\\app",
  workspace: "C:\\Users\\dev\\app",
  home: "C:\\Users\\dev",
  case_insensitive: true,
};
const files = hermeticFiles({
  "/home/dev/app/notes": { symlink: "/home/dev/.ssh/id_rsa" },
  "/home/dev/app/up": { symlink: ".." },
  "/home/dev/app/chain": { symlink: "hop" },
  "/home/dev/app/hop": { symlink: "up/.aws" },
  "/home/dev/app/loop": { symlink: "loop" },
  "/home/dev/app/new": { symlink: "/home/dev/.claude" },
  "/home/dev/app/sub": { directory: true },
  "/C:/Users/dev/app/notes": { symlink: "C:\\Users\\dev\\.ssh\\id_rsa" },
});

function pathIn(environment: Environment, text: string): PathValue {
  const { cwd, home, case_insensitive: fold } = environment;
  return resolvePath(text, { cwd, home, fold, pattern: false }, files);
}

type Row = readonly [text: string, name: PathClass];

const tricks: readonly (readonly [name: string, environment: Environment, rows: readonly Row[]])[] = [
  [
    "a POSIX volume",
    linux,
    [
      ["src/../../.ssh/id_rsa", "secret"],
      ["//home//dev/./.ssh//id_rsa", "secret"],
      ["notes", "secret"],
      ["sub/../notes", "secret"],
      ["up/.ssh/id_rsa", "secret"],
      ["chain/credentials", "secret"],
      ["~dev/.ssh/id_rsa", "secret"],
      ["~+/../.ssh/id_rsa", "secret"],
      ["file:///home/dev/%2essh/id_rsa", "secret"],
      ["file://localhost/home/dev/.ssh/id_rsa", "secret"],
      ["/proc/self/root/home/dev/.ssh/id_rsa", "secret"],
      ["/proc/self/cwd/../.ssh/id_rsa", "secret"],
      ["/proc/thread-self/root/etc/shadow", "secret"],
      ["/proc/4242/root/etc/shadow", "secret"],
      ["/proc/self/task/7/root/etc/shadow", "secret"],
      ["/proc/self/root/proc/self/root/etc/shadow", "secret"],
      ["/proc/self/environ", "secret"],
      ["new/settings.json", "agent_config"],
      ["new/deep/er/settings.json", "agent_config"],
      ["src/../.git/hooks/post-checkout", "agent_config"],
      ["/dev/../etc", "protected_root"],
      ["..", "protected_root"],
      ["up", "protected_root"],
    ],
  ],
  [
    "a volume that folds case",
    folding,
    [
      [".CURSOR/MCP.JSON", "agent_config"],
      [".Claude/Settings.json", "agent_config"],
      ["~/.SSH/ID_RSA", "secret"],
      ["~/.\u017fsh/id_rsa", "secret"],
      ["~/.\u212aube/config".replace("\u212a", "\u212a"), "secret"],
      ["CLAUDE.MD", "agent_config"],
      [".ENV", "secret"],
      ["/ETC", "protected_root"],
    ],
  ],
  [
    "a volume of Windows",
    windows,
    [
      ["..\\.ssh\\id_rsa", "secret"],
      ["..\\.ssh\\id_rsa.", "secret"],
      ["..\\.ssh\\id_rsa. . ", "secret"],
      ["..\\.ssh\\id_rsa::$DATA", "secret"],
      ["..\\.ssh.\\id_rsa", "secret"],
      ["c:/users/DEV/.ssh/id_rsa", "secret"],
      ["\\\\?\\C:\\Users\\dev\\.ssh\\id_rsa", "secret"],
      ["\\\\.\\C:\\Users\\dev\\.ssh\\id_rsa", "secret"],
      ["\\\\localhost\\c$\\Users\\dev\\.ssh\\id_rsa", "secret"],
      ["//127.0.0.1/C$/Users/dev/.ssh/id_rsa", "secret"],
      ["/c/Users/dev/.ssh/id_rsa", "secret"],
      ["file:///C:/Users/dev/.ssh/id_rsa", "secret"],
      ["..\\SSH~1\\ID_RSA", "secret"],
      ["~\\.ssh\\id_rsa", "secret"],
      ["notes", "secret"],
      ["~/.npmrc", "secret"],
      [".env ", "secret"],
      [".env:stream", "secret"],
      ["C:\\Users\\dev", "protected_root"],
      ["C:\\", "protected_root"],
      ["src\\x", "workspace"],
    ],
  ],
];

for (const [name, environment, rows] of tricks) {
  describe(`on ${name}`, () => {
    it.each(rows)("%j is %s", (text, kind) => {
      expect(pathClass(kind, pathIn(environment, text), environment, "any")).toBe(true);
    });
  });
}

describe("what is no trick", () => {
  it.each([
    [linux, ".env.example", "secret"],
    [linux, ".SSH/ID_RSA", "secret"],
    [linux, "src/id_rsa.ts", "secret"],
    [linux, "id_rsa::$DATA", "secret"],
    [folding, ".ENV.EXAMPLE", "secret"],
    [windows, "src\\keys.ts", "secret"],
    [windows, "src~1x\\a.ts", "secret"],
    [windows, "..\\eve.txt", "workspace"],
  ] as const)("%# %s stays what it is", (environment, text, kind) => {
    expect(pathClass(kind, pathIn(environment, text), environment, "any")).toBe(false);
  });
});

describe("what is no path", () => {
  it.each([["a\0b"], ["/tmp/x\0/../../etc"], ["file:///tmp/a%00b"], ["x".repeat(40_000)], [undefined], [["/tmp/x"]]])(
    "%# may be anything for a block, and nothing for an allow",
    (text) => {
      const path = resolvePath(text, { cwd: linux.cwd, home: linux.home, fold: false }, files);
      for (const name of ["secret", "agent_config", "protected_root", "temp", "workspace", "system"]) {
        expect([name, pathClass(name, path, linux, "any")]).toEqual([name, true]);
        expect([name, pathClass(name, path, linux, "all")]).toEqual([name, false]);
      }
      const options = { forms: "all", home: linux.home } as const;
      expect(within(path, "/", { ...options, forms: "any" })).toBe(true);
      expect(glob(path, "/tmp/**", options)).toBe(false);
    },
  );
});

describe("an allow", () => {
  it.each([
    ["notes", "a link out of the workspace"],
    ["up/x", "a link to the folder above"],
    ["chain", "a chain of links"],
    ["new/none/yet", "what does not exist, below a link"],
    ["../appendix/x", "a folder whose name begins alike"],
    ["/home/dev/app2", "a folder beside"],
    ["sub/../../x", "parents"],
    ["/proc/self/cwd/../x", "the process's own folder"],
  ])("never covers %s (%s)", (text) => {
    expect(pathClass("workspace", pathIn(linux, text), linux, "all")).toBe(false);
  });

  it.each([["src/x"], ["sub/new/file"], ["/proc/self/cwd/src"], ["./a/../b"], ["loop"]])("covers %s", (text) => {
    expect(pathClass("workspace", pathIn(linux, text), linux, "all")).toBe(true);
  });
});

describe("canonical paths", () => {
  const part = fc.constantFrom(
    "..",
    ".",
    "a",
    "B",
    "é",
    "e\u0301",
    "ﬁ",
    "notes",
    "up",
    "C:",
    "x.",
    "PROGRA~1",
    "\\",
    "~",
  );
  it.each([
    ["linux", linux],
    ["folding", folding],
    ["windows", windows],
  ] as const)("are the same when resolved again (%s)", (_, environment) => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), fc.boolean(), (parts, rooted) => {
        const path = pathIn(environment, (rooted ? "/" : "") + parts.join("/"));
        expect(pathIn(environment, path.real).real).toBe(path.real);
        expect(within(path, path, { forms: "any", home: environment.home })).toBe(true);
      }),
      { seed, numRuns: 300 },
    );
  });
});
