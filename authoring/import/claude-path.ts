import { literal } from "./cel-text.ts";

/** Result of a permission's path: a condition on a path, an example of a path, and whether it holds in more places. */
export interface PathTest {
  readonly when: string;
  readonly example: string;
  /** True if it holds in any folder, and the original only in one. */
  readonly wider: boolean;
}

/** The workspace, as text. */
const workspace = "environment.workspace.lexical";

/**
 * Converts the path of `Read(…)` or `Edit(…)`, in the manner of gitignore, to a condition on the path `path`: `//x` from the
 * root, `~/x` from home, `/x` and `./x` from the project, `x` anywhere. With `guards` (deny, ask) paths of the project match
 * in any folder, also if the workspace is unknown; an allow only in the workspace itself. Undefined for a pattern that
 * excludes something (`!x`). Source: hosts page; Claude Code's documentation of permission rules.
 */
export function pathTest(path: string, pattern: string, guards: boolean): PathTest | undefined {
  const text = pattern.trim();
  if (text === "" || text.startsWith("!") || text.includes("\\")) return undefined;
  if (text.startsWith("//")) return rooted(path, text.slice(1));
  if (text === "~" || text.startsWith("~/")) return rooted(path, text);
  const inner = text.replace(/^(?:\.?\/)+/, "").replace(/^\.$/, "**");
  const anywhere = inner === text && !inner.replace(/\/$/, "").includes("/");
  if (guards && inner !== "**") return { ...rooted(path, inner), wider: !anywhere };
  const globs = globsOf(inner).map((glob) => `${workspace} + ${literal(`/${glob}`)}`);
  return { when: `${path}.glob([${globs.join(", ")}])`, example: exampleOf(inner), wider: false };
}

/** Returns the test of an absolute glob. */
function rooted(path: string, glob: string): PathTest {
  const globs = globsOf(glob).map(literal);
  return { when: `${path}.glob([${globs.join(", ")}])`, example: exampleOf(glob), wider: false };
}

/** Returns the globs of a pattern, which also matches everything beneath it. */
function globsOf(glob: string): readonly string[] {
  const plain = glob.replace(/\/+$/, "");
  return plain.endsWith("**") || plain === "" ? [plain || "/**"] : [plain, `${plain}/**`];
}

function exampleOf(glob: string): string {
  return glob.replace(/\/+$/, "").replaceAll("**", "sub/file").replaceAll("*", "x").replaceAll("?", "x");
}
