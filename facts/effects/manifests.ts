import { sourceOf } from "../programs/package-sources.ts";
import type { Sink } from "./sink.ts";

/** A package that a file of the project names by an address, a repository or a registry of its own. */
interface Named {
  readonly manager: string;
  readonly source: string;
  readonly name: string;
}

/** Registries that packages come from where nobody names another. */
const usual = /^https?:\/\/(?:rubygems\.org|pypi\.org|index\.crates\.io|registry\.npmjs\.org)(?:[:/]|$)/i;
// Longer files are not looked into, and more packages of one file are not listed.
const manifestLength = 262_144;
const packageCount = 64;

type Extract = (text: string) => Named[];

/** `"name": "git+https://…"`: members of the tables of dependencies, wherever they stand in a part of the file. */
const packageJson: Extract = (text) =>
  [...text.matchAll(/"((?:@[\w.-]+\/)?[\w.-]+)"\s*:\s*"((?:[^"\\]|\\.){1,2048})"/g)].flatMap((found) => {
    const [, name = "", value = ""] = found;
    if (proseKeys.has(name) || /\s/.test(value)) return [];
    const source = sourceOf(`${name}@${value}`, "npm");
    const repository = /^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(value) && !/[\\^~*]|^\./.test(value);
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
    const line = raw.slice(0, 2048).trim();
    const index = /^(?:-i|--index-url|--extra-index-url|-f|--find-links)[ =]+(\S+)/.exec(line)?.[1];
    if (index !== undefined) return [{ manager: "pip", source: index, name: "" }];
    const address = /^(?:-e\s+)?(?:[\w.[\],-]+\s*@\s*)?((?:git\+|hg\+|https?:\/\/|git@)\S+)/.exec(line)?.[1];
    return address === undefined ? [] : [{ manager: "pip", source: sourceOf(address, "pip"), name: address }];
  });

/** `git = "address"` of cargo, and `name = { url = "address" }` or `"name @ address"` of Python's projects. */
const tables: Extract = (text) => [
  ...[...text.matchAll(/\bgit\s*=\s*"([^"\n]{1,2048})"/g)].map((found): Named => {
    return { manager: "project", source: "git", name: found[1] as string };
  }),
  ...[...text.matchAll(/["'][\w.[\],-]+\s*@\s*((?:git\+|https?:\/\/)[^"'\n]{1,2048})["']/g)].map((found): Named => {
    return { manager: "project", source: sourceOf(found[1] as string, "pip"), name: found[1] as string };
  }),
];

/** `gem "x", git: "address"`, `source "address"`. */
const gemfile: Extract = (text) => [
  ...[...text.matchAll(/\b(?:git|github|gist|bitbucket)(?::|\s*=>)\s*["']([^"'\n]{1,2048})["']/g)].map(
    (found): Named => {
      return { manager: "gem", source: "git", name: found[1] as string };
    },
  ),
  ...[...text.matchAll(/^\s*source[ (]+["'](https?:[^"'\n]{1,2048})["']/gm)].map((found): Named => {
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
  if (text.length > manifestLength) return;
  const extract = kinds.find(([pattern]) => pattern.test(path))?.[1];
  for (const { manager, source, name } of extract?.(text).slice(0, packageCount) ?? [])
    if (!usual.test(source)) to.mayInstall(manager, source, name);
}
