import { moduleOf } from "./module.ts";
import { roomOf } from "./rooms.ts";
import { type Check, isSource } from "./tree.ts";

/** Top-level names; another one needs a decision record in docs/decisions. */
const folders = [
  ".ci",
  ".github",
  "adapters",
  "authoring",
  "cli",
  "compiler",
  "diagnostics",
  "docs",
  "engine",
  "examples",
  "facts",
  "policies",
  "rules",
  "schema",
  "scripts",
  "store",
  "test",
];
const files = [
  ".gitignore",
  ".npmrc",
  ".pre-commit-hooks.yaml",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "NAMES.md",
  "NOTICE",
  "action.yml",
  "README.md",
  "SECURITY.md",
  "biome.json",
  "index.ts",
  "package-lock.json",
  "package.json",
  "runtime.ts",
  "tsconfig.build.json",
  "tsconfig.json",
  "vitest.config.ts",
];

/** Architecture, "Rooms": no other top-level folder without a decision record. */
export const topLevel: Check = {
  name: "the top level holds the rooms and nothing else",
  run(tree) {
    const seen = new Set([...tree.keys()].map((path) => (path.includes("/") ? `${roomOf(path)}/` : path)));
    const known = new Set([...folders.map((name) => `${name}/`), ...files]);
    return [...seen].filter((name) => !known.has(name));
  },
};

const vague = /^(utils?|helpers?|commons?|misc|shared|lib|stuff)(\.\w+)*$/i;

/** Invariant 9: a name says what a file is about. */
export const tellingNames: Check = {
  name: "no file or folder is named for nothing",
  run: (tree) => [...tree.keys()].filter((path) => path.split("/").some((part) => vague.test(part))),
};

const kebab = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/;

/** One way to write a file name, so that a name can be guessed. */
export const kebabNames: Check = {
  name: "source files have kebab-case names",
  run: (tree) =>
    [...tree]
      .filter(([path, text]) => isSource(path, text) && !path.split("/").every((p) => kebab.test(p)))
      .map(([path]) => path),
};

const longestFile = 400;
const longestFunction = 70;

/** Invariant 9: size. The callback of a test suite is a table of contents, not a function. */
export const size: Check = {
  name: "files have at most 400 lines, functions at most 70",
  run: (tree) =>
    [...tree].flatMap(([path, text]) => {
      if (!isSource(path, text)) return [];
      const lines = text.split("\n").length - 1;
      const long = moduleOf(path, text).functions.filter((f) => f.lines > longestFunction && !f.suite);
      return [
        ...(lines > longestFile ? [`${path} has ${lines} lines`] : []),
        ...long.map((f) => `${path}:${f.line} ${f.name} has ${f.lines} lines`),
      ];
    }),
};

/** House rule: what crosses a file border says what it is for. */
export const docstrings: Check = {
  name: "every exported declaration has a docstring",
  run: (tree) =>
    [...tree].flatMap(([path, text]) => {
      if (!isSource(path, text) || roomOf(path) === "test" || path === "vitest.config.ts") return [];
      return moduleOf(path, text)
        .exports.filter((e) => !e.documented)
        .map((e) => `${path}:${e.line} ${e.name}`);
    }),
};
