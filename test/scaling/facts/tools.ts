import { type FactShape, file, joined, made, numbered, piecesOf } from "./shape.ts";

const patched =
  (section: (i: number) => string): ((length: number) => Record<string, unknown>) =>
  (length) => ({
    patch: `*** Begin Patch\n${joined(length, section)}*** End Patch`,
  });

/** Tools that are no shells: lists of edits, patches, paths, addresses, keys. */
export const tools: readonly FactShape[] = [
  made(
    "a patch that adds scripts",
    "edit",
    patched((i) => `*** Add File: f${i}.sh\n+cat a${i}\n`),
  ),
  made(
    "a patch that adds files",
    "edit",
    patched((i) => `*** Add File: f${i}.ts\n+const a = 1;\n`),
  ),
  made(
    "a patch of one script",
    "edit",
    patched((i) => `*** Update File: f.sh\n+cat a${i}\n`),
  ),
  made("a patch of one script with many lines", "edit", (length) => ({
    patch: `*** Update File: f.sh\n${joined(length, (i) => `+cat a${i}\n`)}`,
  })),
  made(
    "a patch that deletes",
    "edit",
    patched((i) => `*** Delete File: f${i}\n`),
  ),
  made(
    "a patch that moves",
    "edit",
    patched((i) => `*** Update File: f${i}\n*** Move to: g${i}\n`),
  ),
  made("a diff", "edit", (length) => ({
    patch: joined(length, (i) => `--- a/f${i}\n+++ b/f${i}\n@@ -1 +1 @@\n-a\n+b\n`),
  })),
  made(
    "a diff of code",
    "edit",
    patched((i) => `*** Add File: f${i}.py\n+os.remove("a${i}")\n`),
  ),
  made(
    "a diff of makefiles",
    "edit",
    patched((i) => `*** Add File: d${i}/Makefile\n+a:\n+\tcat a${i}\n`),
  ),
  made(
    "a diff of settings",
    "edit",
    patched((i) => `*** Add File: d${i}/.env\n+LD_PRELOAD=a${i}\n`),
  ),
  made(
    "a diff of packages",
    "edit",
    patched((i) => `*** Add File: d${i}/package.json\n+{"scripts":{"a":"cat a${i}"}}\n`),
  ),
  made("a patch with blanks in names", "edit", (length) => ({ patch: `*** Add File: a${" ".repeat(length)}b\n+x` })),
  made("a patch of empty lines", "edit", (length) => ({ patch: `*** Add File: a\n${"+\n".repeat(length / 2)}` })),
  made("edits of a script", "edit", (length) => ({
    path: "f.sh",
    edits: piecesOf(length, (i) => `cat a${i}`).map((new_string) => ({ old_string: "x", new_string })),
  })),
  made("edits of a script that do not parse", "edit", (length) => ({
    path: "f.sh",
    edits: piecesOf(length, (i) => `cat a${i}\nif`).map((new_string) => ({ old_string: "x", new_string })),
  })),
  made("edits of a file", "edit", (length) => ({
    path: "f.ts",
    edits: piecesOf(length, (i) => `a${i}`).map((new_string) => ({ old_string: "x", new_string })),
  })),
  made("edits of many scripts", "edit", (length) => ({
    edits: piecesOf(length, (i) => `f${i}.sh`).map((path) => ({ path, new_text: "cat a" })),
  })),
  made("edits of sixteen scripts", "edit", (length) => ({
    paths: piecesOf(90, (i) => `f${i}.sh`),
    edits: piecesOf(length, (i) => `cat a${i}`).map((new_text) => ({ new_text })),
  })),
  made("edits without a text", "edit", (length) => ({
    path: "f.ts",
    edits: piecesOf(length, () => "a").map(() => ({})),
  })),
  made("one edit with many names", "edit", (length) => ({ path: "f", edits: [numbered(length, (i) => `k${i}`, "x")] })),
  made("paths of read", "read", (length) => ({ paths: piecesOf(length, (i) => `f${i}`) })),
  made("paths of read that climb", "read", (length) => ({ paths: piecesOf(length, (i) => `a/../b/../f${i}`) })),
  made("one path of read of many names", "read", (length) => ({ path: "a/".repeat(length / 2) })),
  made("one path of read that climbs", "read", (length) => ({ path: "a/../".repeat(length / 5) })),
  made("paths of read that are long", "read", (length) => ({
    paths: piecesOf(length, (i) => `${"a/".repeat(500)}${i}`),
  })),
  made("paths of write", "write", (length) => ({ path: piecesOf(length, (i) => `f${i}.sh`), content: "cat a" })),
  made("paths of grep", "grep", (length) => ({ paths: piecesOf(length, (i) => `f${i}`), pattern: "x" })),
  made("patterns of glob", "glob", (length) => ({ pattern: "*", paths: piecesOf(length, (i) => `f${i}/*`) })),
  made("one pattern of glob", "glob", (length) => ({ pattern: "*?[a]/".repeat(length / 6) })),
  made("addresses of fetch", "fetch", (length) => ({ url: piecesOf(length, (i) => `https://a${i}.example/x`) })),
  made("addresses of read", "read", (length) => ({
    path: "f",
    urls: piecesOf(length, (i) => `https://a${i}.example`),
  })),
  made("one address of fetch", "fetch", (length) => ({ url: `https://a.example/${"x/".repeat(length / 2)}` })),
  made("one host of fetch", "fetch", (length) => ({ url: `https://${"a.".repeat(length / 2)}example` })),
  made("one encoded host of fetch", "fetch", (length) => ({ url: `https://xn--${"a".repeat(length)}-9ve.example` })),
  made("one host of other letters", "fetch", (length) => ({ url: `https://${"ä".repeat(length)}.example` })),
  made("one address with a query", "fetch", (length) => ({
    url: `https://a.example/?${"u=https%3A%2F%2Fb&".repeat(length / 18)}`,
  })),
  made("one user of an address", "fetch", (length) => ({ url: `https://${"a%40".repeat(length / 4)}@b.example` })),
  made("keys of a foreign tool with paths", "mcp__x__y", (length) => numbered(length, (i) => `path${i}`, "/a/b")),
  made("keys of a foreign tool", "mcp__x__y", (length) => numbered(length, (i) => `k${i}`, "x")),
  made("a list of a foreign tool", "mcp__x__y", (length) => ({ paths: piecesOf(length, (i) => `/a${i}/b`) })),
  made("addresses of a foreign tool", "mcp__x__y", (length) => ({
    urls: piecesOf(length, (i) => `https://a${i}.example`),
  })),
  made("statements of a foreign tool", "mcp__x__y", (length) => ({ sql: joined(length, (i) => `drop table a${i}; `) })),
  made("many statements of a foreign tool", "mcp__x__y", (length) => ({
    queries: piecesOf(length, (i) => `drop table a${i}`).map((sql) => ({ sql })),
  })),
  made("one long text of a foreign tool", "mcp__x__y", (length) => ({ text: "a ".repeat(length / 2) })),
  made("one long path of a foreign tool", "mcp__x__y", (length) => ({ path: "a".repeat(length) })),
  made("a command of a foreign tool", "mcp__x__run_command", (length) => ({
    command: joined(length, (i) => `ls a${i}; `),
  })),
  made("files of a file server", "mcp__filesystem__read_multiple_files", (length) => ({
    paths: piecesOf(length, (i) => `f${i}`),
  })),
  made("edits of a file server", "mcp__filesystem__edit_file", (length) => ({
    path: "f.sh",
    edits: piecesOf(length, (i) => `cat a${i}`).map((newText) => ({ oldText: "x", newText })),
  })),
  {
    // Which text goes to which path no argument says.
    product: true,
    ...made("paths and texts of a file server", "mcp__filesystem__write_file", (length) => ({
      paths: piecesOf(length, (i) => `f${i}.sh`),
      contents: piecesOf(length, (i) => `cat a${i}`),
    })),
  },
  made("variables of a shell call", "bash", (length) => ({
    command: "ls $A1",
    env: numbered(length, (i) => `A${i}`, "x"),
  })),
  made("settings of a shell call", "bash", (length) => ({
    command: "ls",
    env: { ...numbered(length, (i) => `A${i}`, "x"), PATH: ".:".repeat(length / 2) },
  })),
  made("words of a list", "bash", (length) => ({ command: ["cat", ...piecesOf(length, (i) => `a${i}`)] })),
  made("code of eval", "eval", (length) => ({
    language: "python",
    code: joined(length, (i) => `os.remove("a${i}")\n`),
  })),
  {
    name: "a working folder of many names",
    of: (length) => ({
      tool: "bash",
      args: { command: "ls a b c > d; cat e" },
      environment: { cwd: `/${"a/".repeat(length / 2)}` },
    }),
  },
  {
    name: "a working folder that climbs",
    of: (length) => ({
      tool: "bash",
      args: { command: "ls a b c > d; cat e" },
      environment: { cwd: `/${"a/../".repeat(length / 5)}` },
    }),
  },
  made("a working folder of the call", "bash", (length) => ({
    command: "ls a b c > d; cat e",
    cwd: "a/".repeat(length / 2),
  })),
  {
    name: "a working folder and many paths",
    product: true,
    of: (length) => ({
      tool: "read",
      args: { paths: piecesOf(length / 2, (i) => `f${i}`) },
      environment: { cwd: `/${"a/".repeat(length / 4)}` },
    }),
  },
  {
    name: "variables of the surroundings, and scripts",
    product: true,
    of: (length) => ({
      tool: "edit",
      args: { path: "f.sh", edits: piecesOf(length / 2, (i) => `cat ${i}`).map((new_text) => ({ new_text })) },
      environment: { variables: numbered(length / 2, (i) => `A${i}`, "x") as Record<string, string> },
    }),
  },
  {
    name: "symbolic links of each name",
    of: (length) => ({
      tool: "read",
      args: { paths: piecesOf(length, (i) => `l/l/l/l/l/f${i}`) },
      files: { "/home/dev/app/l": { symlink: "." } },
    }),
  },
  {
    name: "symbolic links that lead far",
    of: (length) => ({
      tool: "read",
      args: { paths: piecesOf(length, (i) => `l/f${i}`) },
      files: { "/home/dev/app/l": { symlink: "../app/./".repeat(300) } },
    }),
  },
  {
    name: "folders that exist, deep",
    of: (length) => ({
      tool: "read",
      args: { paths: piecesOf(length, (i) => `${"a/".repeat(200)}f${i}`) },
      files: { [`/home/dev/app/${"a/".repeat(200)}f`]: {} },
    }),
  },
];

/** Files that are written with scripts, settings, packages and code. */
export const files: readonly FactShape[] = [
  file("a.sh", "#!/bin/sh\n", (i) => `cat a${i}\n`),
  file("a.sh", "", (i) => `if a; then cat a${i}; fi\n`),
  file("a.sh", "x=$(", () => "a || ls; ", ")"),
  file("Makefile", "", (i) => `a${i}:\n\tcat a${i}\n`),
  file("Makefile", "", (i) => `A${i} = $(A${i - 1}) b\n`, "a:\n\tcat $(A1)\n"),
  file("Makefile", `A = ${"x ".repeat(500)}\na:\n`, () => "\tcat $(A)\n"),
  file("justfile", "", (i) => `a${i}:\n  cat {{a}} a${i}\n`),
  file("Taskfile.yml", "tasks:\n", (i) => `  a${i}:\n    cmds:\n      - cat a${i}\n`),
  file("Rakefile", "", (i) => `sh 'cat a${i}'\n`),
  file("Rakefile", "", () => "sh 'a "),
  file("package.json", '{"scripts":{', (i) => `"a${i}":"cat a${i}",`, '"z":"ls"}}'),
  file("package.json", '{"dependencies":{', (i) => `"a${i}":"git+https://a${i}.example/b",`, '"z":"1"}}'),
  file("package.json", "", (i) => `"a${i}":"cat a${i}",\n`),
  file("package.json", "", () => '"a'),
  file("requirements.txt", "", (i) => `a${i} @ https://a${i}.example/b\n`),
  file("Cargo.toml", "", (i) => `a${i} = { git = "https://a${i}.example" }\n`),
  file("pyproject.toml", "", () => '"a @ '),
  file("Gemfile", "", (i) => `gem "a${i}", git: "https://a${i}.example"\n`),
  file("Dockerfile", "", (i) => `RUN curl https://a${i}.example\n`),
  file("Dockerfile", "", () => "RUN --a "),
  file(".github/workflows/a.yml", "", (i) => `- run: cat a${i}\n`),
  file(".github/workflows/a.yml", "", (i) => `- run: |\n    cat a${i}\n    cat b\n`),
  file(".github/workflows/a.yml", "- run: |\n", () => "    ${{ a }} "),
  file("crontab", "", (i) => `* * * * * cat a${i}\n`),
  file("a.service", "", (i) => `ExecStart=/bin/cat a${i}\n`),
  file(".env", "", (i) => `A${i}=b\n`),
  file(".env", "", (i) => `LD_PRELOAD=/a${i}\n`),
  file(".env", "LD_PRELOAD=a", () => " "),
  file(".env", "LD_PRELOAD=a", () => "  b"),
  file("a.py", "", (i) => `shutil.rmtree("/a${i}")\n`),
  file("a.js", "", (i) => `fs.rmSync("/a${i}", { recursive: true });\n`),
  file("a.rb", "", (i) => `FileUtils.rm_rf("/a${i}")\n`),
  file("a.php", "", (i) => `<?php unlink("/a${i}"); ?>\n`),
  file("a.rs", "", (i) => `fn a${i}() { std::fs::remove_dir_all("/a${i}"); }\n`),
  file("a.go", "", (i) => `os.RemoveAll("/a${i}")\n`),
  file("a.txt", "", (i) => `a line ${i}\n`),
];
