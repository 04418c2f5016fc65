import { floatingClass, floatingClassTest } from "../facts/paths/classes.ts";
import { isFloatingGlob, withContents } from "../facts/paths/tree-content.ts";
import { Unsure } from "../schema/approximation.ts";
import type { CallContext, Value } from "../schema/ports.ts";
import type { FloatingSet, TreeVocabulary } from "../schema/trees.ts";
import { isPath } from "./functions/values.ts";
import { liftTable } from "./lift-table.ts";

const globs: ReadonlySet<string> = new Set(`${liftTable.pathGlob} ${liftTable.globs}`.split(" "));
const classes: ReadonlySet<string> = new Set(`${liftTable.pathIs} any.is`.split(" "));

/**
 * Returns an open value if a path's test is false but tests for files in any folder, and this folder's content was not fully
 * seen. Undefined otherwise, and if the test loosens, because it then concerns the folder alone (decision 27).
 */
export function unseenIn(id: string, [path, operand]: readonly Value[], { forms }: CallContext): Unsure | undefined {
  const isGlob = globs.has(id);
  if (forms !== "any" || !(isGlob || classes.has(id)) || !isPath(path) || !path.content?.unseen) return undefined;
  const { asked, unseen } = path.content;
  const tests = (Array.isArray(operand) ? (operand as readonly Value[]) : [operand]).map((one) =>
    isGlob ? one : `is: ${String(one)}`,
  );
  const isAsked = tests.some(
    (one) => typeof one === "string" && asked.has(one) && (isGlob || one === floatingClassTest),
  );
  return isAsked ? new Unsure("open", [unseen]) : undefined;
}

/** Returns the globs and classes in a function's texts whose files may lie in any folder. */
function floating(id: string, texts: readonly string[]): FloatingSet {
  return {
    globs: globs.has(id) ? texts.filter(isFloatingGlob) : [],
    secret: classes.has(id) && texts.includes(floatingClass),
  };
}

/** Floating tests of the language, and contents of folders from the facts. */
export const trees: TreeVocabulary = { floating, contents: withContents };
