import { describe, expect, it } from "vitest";
import type { Reading } from "../../../facts/effects/reading.ts";
import { bash, deletes, tool } from "./judge.ts";

/** Data alone: nothing runs it. */
const bad = "rm -rf /etc";
const fetch = "curl https://h.example/x";

/** Characters that end a line for a regular expression of JavaScript or for an editor, but not for the program that reads the file. */
const marks: readonly (readonly [name: string, mark: string])[] = [
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
  ["a vertical tab", "\v"],
  ["a form feed", "\f"],
  ["a next line", "\u0085"],
];

/** Files with one line that does something; `¦` is where a mark stands. */
const files: readonly (readonly [path: string, content: string])[] = [
  ["x.sh", `: '¦'; ${bad}\n`],
  ["Makefile", `all:\n\t: '¦'; ${bad}\n`],
  ["Makefile", `DO = : '¦'; ${bad}\nall:\n\t$(DO)\n`],
  ["justfile", `x:\n    : '¦'; ${bad}\n`],
  ["Taskfile.yml", `cmds:\n  - : '¦'; ${bad}\n`],
  ["jobs.cron", `0 * * * * : '¦'; ${bad}\n`],
  ["x.service", `[Service]\nExecStart=/bin/sh -c ": '¦'; ${bad}"\n`],
  ["package.json", `{"scripts": {"a": ": '¦'; ${bad}"}}`],
];

const at = (content: string, mark: string): string => content.replace("¦", mark);

describe("a mark that ends no line hides nothing of the line", () => {
  it.each(files.flatMap(([path, content]) => marks.map(([name, mark]) => [path, name, mark, content] as const)))(
    "%s with %s",
    (path, _, mark, content) => {
      const plain = deletes(tool("write", { path, content: at(content, "-") }));
      expect(plain).toEqual(["/etc recursive maybe"]);
      expect(deletes(tool("write", { path, content: at(content, mark) }))).toEqual(plain);
    },
  );

  const others: readonly (readonly [what: string, call: (mark: string) => Reading])[] = [
    [
      "an image",
      (mark) => tool("write", { path: "Dockerfile", content: `RUN --network=default : '${mark}'; ${fetch}\n` }),
    ],
    [
      "a workflow",
      (mark) => tool("write", { path: ".github/workflows/ci.yml", content: `steps:\n  - run: : ${mark} ; ${fetch}\n` }),
    ],
    [
      "a pipeline",
      (mark) => tool("write", { path: ".gitlab-ci.yml", content: `a:\n  script:\n    - : ${mark} ; ${fetch}\n` }),
    ],
    [
      "a pipeline's text",
      (mark) => tool("write", { path: ".gitlab-ci.yml", content: `a:\n  script: : ${mark} ; ${fetch}\n` }),
    ],
    [
      "a workflow of such a name",
      (mark) => tool("write", { path: `.github/workflows/a${mark}b.yml`, content: `steps:\n  - run: ${fetch}\n` }),
    ],
    [
      "a unit of such a name",
      (mark) =>
        tool("write", {
          path: `~/.config/systemd/user/a${mark}b.service`,
          content: "[Service]\nEnvironment=BASH_ENV=/x\n",
        }),
    ],
    ["settings", (mark) => tool("write", { path: ".env", content: `LD_PRELOAD=./x.so ${mark}` })],
    ["quoted settings", (mark) => tool("write", { path: ".env", content: `LD_PRELOAD="./x${mark}.so"` })],
    [
      "settings of git",
      (mark) => tool("write", { path: ".git/config", content: `[alias]\n  a = !: '${mark}'; ${bad}\n` }),
    ],
    [
      "settings of ssh",
      (mark) => tool("write", { path: "~/.ssh/config", content: `ProxyCommand : '${mark}'; ${bad}\n` }),
    ],
    ["an editor", (mark) => bash(`echo '!: "${mark}"; ${bad}' | ed -s f`)],
    ["a notebook", (mark) => bash(`ipython -c '!: "${mark}"; ${bad}'`)],
    [
      "a patch",
      (mark) =>
        tool("apply_patch", { input: `*** Begin Patch\n*** Update File: a${mark}b.ts\n@@\n-a\n+b\n*** End Patch\n` }),
    ],
  ];

  const isShell = new Set(["an editor", "a notebook"]);

  it.each(others.flatMap(([what, call]) => marks.map(([name, mark]) => [what, name, mark, call] as const)))(
    "%s with %s",
    (what, _, mark, call) => {
      const plain = countsOf(call("-"));
      // The command of a shell with a control character is not understood.
      if (/[\v\f]/.test(mark) && isShell.has(what)) return expect(call(mark).understanding).toBe("unknown");
      expect(plain).not.toEqual([]);
      expect(countsOf(call(mark))).toEqual(plain);
    },
  );
});

/** How many effects of each kind a reading has. */
function countsOf({ effects }: Reading): readonly string[] {
  return Object.entries(effects ?? {}).flatMap(([kind, list]) =>
    Array.isArray(list) && list.length > 0 ? [`${kind} ${list.length}`] : [],
  );
}
