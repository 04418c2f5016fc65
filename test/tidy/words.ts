import { moduleOf } from "./module.ts";
import { roomOf } from "./rooms.ts";
import { type Check, isGenerated, isSource } from "./tree.ts";

const focus = /^(describe|it|test|suite|bench)(\.\w+)*\.(only|skip|todo|fails|skipIf|runIf)$/;

/** A test that does not run, or that keeps others from running, proves nothing. */
export const everyTestRuns: Check = {
  name: "no test is skipped, left for later or run alone",
  run: (tree) =>
    [...tree].flatMap(([path, text]) => {
      if (!isSource(path, text) || roomOf(path) !== "test") return [];
      return moduleOf(path, text)
        .names.filter((name) => focus.test(name.text))
        .map((name) => `${path}:${name.line} ${name.text}`);
    }),
};

/** People of the examples; a home folder of anybody else is a machine that leaked in. */
const people = "alice|bob|dev\\d?|developer|eve|mallory|user|u|x";
const foreignFolder = new RegExp(
  `(?<![\\w.-])/(?:home|Users)/(?!(?:${people})(?![\\w-]))[a-z][\\w-]*|(?<![\\w.-])/work/[a-z]`,
  "gi",
);

/** The repository is the same on every machine. */
export const noMachinePaths: Check = {
  name: "no path of a home or work folder",
  run: (tree) => [...tree].flatMap(([path, text]) => found(path, text, foreignFolder)),
};

const pathOfAddress = /import\.meta\.url\)\.pathname/g;

/** The path in an address has its blanks and letters escaped, so that such a file is not found in a folder with a blank. */
export const pathsAreNoAddresses: Check = {
  name: "no file is named by the path of an address",
  run: (tree) => [...tree].flatMap(([path, text]) => (isSource(path, text) ? found(path, text, pathOfAddress) : [])),
};

const registryUrl = /https?:\/\/[^\s"'`<>)\]/]*(?:registry|npm|mirror|artifactory|nexus|verdaccio)[^\s"'`<>)\]/]*/gi;
const publicRegistry = /^https?:\/\/(registry\.npmjs\.org|(www\.|docs\.)?npmjs\.com|registry-1\.docker\.io)$/i;
/** Names that examples are reserved for (RFC 2606, RFC 6761): nobody's machine has one. */
const reservedName = /[./]example\.(com|net|org)$|\.(test|example|invalid)$/i;

/** Packages come from the public registry or from wherever the user's own npm is told to look. */
export const noMirrors: Check = {
  name: "no mention of a registry's mirror",
  run: (tree) =>
    [...tree].flatMap(([path, text]) =>
      found(path, text, registryUrl).filter((hit) => {
        const url = hit.slice(hit.indexOf(" ") + 1);
        return !publicRegistry.test(url) && !reservedName.test(url);
      }),
    ),
};

/** A file of ours in a document; a name with `xxx` stands for several. */
const namedFile = /`((?:test|examples|scripts|docs)\/[\w./-]+\.\w+)`/g;

/** A document that sends its reader to a file which is not there proves nothing. */
export const namedFilesAreThere: Check = {
  name: "files that documents name are there",
  run: (tree) =>
    [...tree].flatMap(([path, text]) => {
      if (!path.endsWith(".md") || roomOf(path) === "test" || isGenerated(text)) return [];
      return found(path, text, namedFile).filter((hit) => {
        const file = hit.slice(hit.indexOf("`") + 1, -1);
        return !tree.has(file) && !file.includes("xxx");
      });
    }),
};

function found(path: string, text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    return `${path}:${line} ${match[0]}`;
  });
}

/** The first two fenced blocks of a README, each of one line, or a sentence that says what is wrong. */
export function readmeLines(readme: string): { readonly run: string; readonly test: string } | string {
  const blocks = [...readme.matchAll(/^```\w*\n(.*?)^```$/gms)].map((match) => (match[1] as string).trim());
  const [run, test] = blocks;
  if (run === undefined || test === undefined) return "README.md has fewer than two code blocks";
  if (run.includes("\n") || test.includes("\n") || run === "" || test === "")
    return "a first code block of README.md is not one line";
  return { run, test };
}

/** The README starts with how to see it work and how to test it; `.ci/run` reads both lines from there. */
export const readmeStart: Check = {
  name: "the README starts with two one-line code blocks, and .ci/run runs them",
  run(tree) {
    const lines = readmeLines(tree.get("README.md") ?? "");
    if (typeof lines === "string") return [lines];
    const ci = [".ci/run", ".ci/prepare", "scripts/ci/gate.ts"].map((path) => tree.get(path) ?? "").join("\n");
    const copied = ci.split("\n").some((line) => line.includes(lines.test) && !line.trimStart().startsWith("#"));
    return [
      ...(/\bnpm (run )?demo\b|\bnpm run demo\b/.test(lines.run)
        ? []
        : [`the first line does not run the demo: ${lines.run}`]),
      ...(/\bnpm (run )?test\b/.test(lines.test) ? [] : [`the second line does not run the tests: ${lines.test}`]),
      ...(ci.includes("README.md") ? [] : [".ci/run does not read README.md"]),
      ...(copied ? [".ci/run repeats the test line instead of reading it"] : []),
    ];
  },
};
