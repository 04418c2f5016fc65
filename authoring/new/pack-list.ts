import { readFileSync } from "node:fs";
import { readYaml } from "../../compiler/read.ts";
import { child, text, type YamlNode } from "../../compiler/yaml-node.ts";
import { packFile, packNames } from "../../store/packs.ts";

/** A shipped pack in the list of offers: its name, and its own description in one line. */
export interface OfferedPack {
  readonly name: string;
  readonly title: string;
}

/** Packs among which one chooses for the same reason. */
export interface PackGroup {
  readonly about: string;
  readonly packs: readonly OfferedPack[];
}

/** The built-in pack: in force with any policy, and never imported (semantics page section 5). */
const builtIn = "self-protection";
/** The profile that most people run; each of its imports can be imported alone. */
const most = "recommended";

/**
 * Returns the packs of the installed package, grouped by their imports: profiles, which import others; parts of
 * `recommended`; and packs for one kind of work or host. A pack that cannot be read is left out.
 */
export function packGroups(): PackGroup[] {
  const all = packNames().flatMap((name) => describe(name));
  const parts = new Set(all.find(({ name }) => name === most)?.imports);
  const group = (about: string, holds: (pack: DescribedPack) => boolean): PackGroup => ({
    about,
    packs: all.filter(holds).map(({ name, title }) => ({ name, title })),
  });
  const isProfile = ({ imports }: DescribedPack): boolean => imports.length > 0;
  const isPart = ({ name }: DescribedPack): boolean => parts.has(name);
  return [
    group("whole sets, of which one is enough", isProfile),
    group(`parts of \`${most}\`, each of which can be imported alone`, (pack) => isPart(pack) && !isProfile(pack)),
    group("for what a project works with", (pack) => !isPart(pack) && !isProfile(pack)),
  ].filter(({ packs }) => packs.length > 0);
}

/** Returns groups as lines for a screen, the names in one column. */
export function packListText(groups: readonly PackGroup[]): string {
  const width = Math.max(...groups.flatMap(({ packs }) => packs.map(({ name }) => name.length)));
  return groups
    .map(({ about, packs }) =>
      [`${about}:`, ...packs.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`), ""].join("\n"),
    )
    .join("\n");
}

interface DescribedPack extends OfferedPack {
  readonly imports: readonly string[];
}

function describe(name: string): DescribedPack[] {
  const path = packFile(name);
  if (path === undefined || name === builtIn) return [];
  const root = rootOf(path);
  const imports = child(root, "imports");
  const items = imports?.kind === "list" ? imports.items : [];
  return root
    ? [
        {
          name,
          title: text(child(root, "title")) ?? "",
          imports: items.map((item) => text(child(item, "pack")) ?? ""),
        },
      ]
    : [];
}

function rootOf(path: string): YamlNode | undefined {
  try {
    return readYaml(path, readFileSync(path)).root;
  } catch {
    return undefined;
  }
}
