import { spend } from "../meter.ts";
import { sourceOf } from "../programs/package-sources.ts";
import type { Sink } from "./sink.ts";

/** A package that a file of the project names by an address, a repository or a registry of its own. */
interface Named {
  readonly manager: string;
  readonly source: string;
  readonly name: string;
}

/** Default registries of packages. */
const usual = /^https?:\/\/(?:rubygems\.org|pypi\.org|index\.crates\.io|registry\.npmjs\.org)(?:[:/]|$)/i;
// Longer files are not read.
const manifestLength = 1_048_576;

type Extract = (text: string) => Named[];

/** `"name": "git+https://…"`: members of the tables of dependencies, at any place in a part of the file. */
const packageJson: Extract = (text) =>
  [...text.matchAll(/"((?:@[\w.-]+\/)?[\w.-]+)"\s*:\s*"((?:[^"\\\n]|\\.)+)"/g)].flatMap((found) => {
    const [, name = "", value = ""] = found;
    if (proseKeys.has(name) || /\s/.test(value)) return [];
    const source = sourceOf(`${name}@${value}`, "npm");
    const repository = /^[\w.-]+\/[\w.-]+(?:#.*)?$/s.test(value) && !/[\\^~*]|^\./.test(value);
    return source === "url" || source === "git" || (repository && !/^(?:main|module|types|bin|browser)$/.test(name))
      ? [
          {
            manager: "npm",
            source: source === "registry" || source === "file" ? "git" : source,
            name: `${name}@${value}`,
          },
        ]
      : [];
  });

const proseKeys: ReadonlySet<string> = new Set(
  "name version description license author homepage repository url main type bugs funding email registry $schema types module browser exports import require default node files directory extends".split(
    " ",
  ),
);

/** Lines of pip: an index, an address, `name @ address`, an editable repository. */
const requirements: Extract = (text) =>
  text.split("\n").flatMap((raw) => {
    const line = raw.trim();
    const index = /^(?:-i|--index-url|--extra-index-url|-f|--find-links)[ =]+(\S+)/.exec(line)?.[1];
    if (index !== undefined) return [{ manager: "pip", source: index, name: "" }];
    const address = /^(?:-e\s+)?(?:[\w.[\],-]+\s*@\s*)?((?:git\+|hg\+|https?:\/\/|git@)\S+)/.exec(line)?.[1];
    return address === undefined ? [] : [{ manager: "pip", source: sourceOf(address, "pip"), name: address }];
  });

/** `git = "address"` of cargo, and `name = { url = "address" }` or `"name @ address"` of Python's projects. */
const tables: Extract = (text) => [
  ...[...text.matchAll(/\bgit\s*=\s*"([^"\n]+)"/g)].map((found): Named => {
    return { manager: "project", source: "git", name: found[1] as string };
  }),
  ...[...text.matchAll(/["'][\w.[\],-]+\s*@\s*((?:git\+|https?:\/\/)[^"'\n]+)["']/g)].map((found): Named => {
    return { manager: "project", source: sourceOf(found[1] as string, "pip"), name: found[1] as string };
  }),
];

/** `gem "x", git: "address"`, `source "address"`. */
const gemfile: Extract = (text) => [
  ...[...text.matchAll(/\b(?:git|github|gist|bitbucket)(?::|\s*=>)\s*["']([^"'\n]+)["']/g)].map((found): Named => {
    return { manager: "gem", source: "git", name: found[1] as string };
  }),
  ...[...text.matchAll(/^[ \t]*source[ (]+["'](https?:[^"'\n]+)["']/gm)].map((found): Named => {
    return { manager: "gem", source: found[1] as string, name: "" };
  }),
];

const kinds: readonly (readonly [RegExp, Extract])[] = [
  [/(?:^|\/)package\.json$/i, packageJson],
  [
    /(?:^|\/)(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|(?:^|\/)requirements\/[\w.-]+\.(?:txt|in)$/i,
    requirements,
  ],
  [/(?:^|\/)(?:cargo|pyproject)\.toml$/i, tables],
  [/(?:^|\/)gemfile$/i, gemfile],
];

/**
 * Reports packages that a written file of the project names by an address, as possible installs: the next install takes
 * them. Those from the usual registry are everyday work. Source: threats page, classes 9 and 17.
 */
export function reportManifest(path: string, text: string, to: Sink): void {
  const extract = extractOf(path);
  if (!extract) return;
  if (text.length > manifestLength) return to.notRead("a list of packages is longer than can be analysed");
  spend(text.length >> 2);
  for (const { manager, source, name } of extract(text)) if (!usual.test(source)) to.mayInstall(manager, source, name);
}

function extractOf(path: string): Extract | undefined {
  spend(4);
  return kinds.find(([pattern]) => pattern.test(path))?.[1];
}

/** True for a file of the project that names packages. */
export function isManifest(path: string): boolean {
  return extractOf(path) !== undefined;
}
