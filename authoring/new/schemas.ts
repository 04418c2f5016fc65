import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { packageRoot } from "../../store/packs.ts";
import type { NewPolicy } from "./policy-text.ts";

/** Schemas for editors, by the kind of file. */
const names = { policy: "policy-editor.schema.json", suite: "suite.schema.json" } as const;

/** Paths of the schemas for the files of a folder, and the copies that they require. */
export interface EditorSchemas {
  readonly references: NewPolicy["schemas"];
  /** Required copies in the folder, by their path in it. */
  readonly copies: ReadonlyMap<string, string>;
}

/**
 * Returns the schemas of the package that a project has installed, by relative path. Otherwise returns copies beside the
 * policies, which work in every editor without a network. A project's `package.json` is ignored: the file itself must exist.
 */
export function editorSchemas(folder: string): EditorSchemas {
  const installed = installedSchemas(folder);
  if (installed !== undefined) {
    const reference = (name: string): string => relative(folder, join(installed, name)).split(sep).join("/");
    return { references: { policy: reference(names.policy), suite: reference(names.suite) }, copies: new Map() };
  }
  const own = ownSchemas();
  const copies = Object.values(names).map((name) => [`schema/${name}`, readFileSync(join(own, name), "utf8")] as const);
  return {
    references: { policy: `./schema/${names.policy}`, suite: `./schema/${names.suite}` },
    copies: new Map(copies),
  };
}

function installedSchemas(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", "hookwarden", "dist", "schema");
    if (Object.values(names).every((name) => existsSync(join(found, name)))) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** `dist/schema` of a build, `schema` of the sources. */
function ownSchemas(): string {
  const root = packageRoot() ?? ".";
  const built = join(root, "dist", "schema");
  return existsSync(join(root, "schema", names.policy)) ? join(root, "schema") : built;
}
