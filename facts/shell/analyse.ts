import type { Draft, LooseRedirect } from "./draft.ts";
import { parseShell } from "./parse.ts";
import { fork, type Ground, rootScope } from "./scope.ts";
import { runTraps } from "./traps.ts";
import { Walk } from "./walk.ts";

// Files whose written text is handed on; more are only written.
const writtenFiles = 64;

/** Commands of a shell text in the order in which they are met, with what feeds what. */
export interface Analysis {
  readonly kind: "analysis";
  readonly drafts: readonly Draft[];
  readonly pipelines: readonly (readonly number[])[];
  readonly loose: readonly LooseRedirect[];
  /** Folders in which a function starts ever more of itself. */
  readonly bombs: readonly string[];
  /** Files by path with a text that the analysed text writes. */
  readonly written: readonly { readonly path: string; readonly text: string; readonly whole: boolean }[];
  /** Links that the text makes: by path without letter case, what each names. */
  readonly links: ReadonlyMap<string, string>;
}

/** Nothing is known about the text, and why. */
export interface NotUnderstood {
  readonly kind: "not_understood";
  readonly reason: string;
  readonly at: number;
}

/**
 * Analyses a bash text: parse, expand, walk, unwrap. Anything over a bound or with a syntax error, also in a
 * nested text, makes the whole text not understood. Pure; never throws. Source: language section 4.
 */
export function analyseShell(text: string, ground: Ground): Analysis | NotUnderstood {
  const tree = parseShell(text);
  if (tree.kind === "problem") return { kind: "not_understood", reason: tree.reason, at: tree.at };
  const walk = new Walk();
  walk.node(tree, rootScope(ground), undefined);
  runTraps(walk);
  // A function that nothing calls may be called from outside. Walking one may define more.
  for (const found of walk.definitions) {
    if (found.called) continue;
    walk.calling.push(found.body);
    walk.repeats.set(found.body, { count: 0, piped: false });
    walk.node(found.body, fork(found.scope), undefined);
    walk.calling.pop();
  }
  if (walk.failure) return { kind: "not_understood", ...walk.failure };
  return {
    kind: "analysis",
    drafts: walk.drafts,
    pipelines: walk.pipelines,
    loose: walk.loose,
    bombs: [...walk.bombs],
    written: textsOf(walk),
    links: walk.files.aliases,
  };
}

function textsOf(walk: Walk): { path: string; text: string; whole: boolean }[] {
  const found: { path: string; text: string; whole: boolean }[] = [];
  for (const { path, texts } of walk.files.all()) {
    if (!path.startsWith("/") || found.length >= writtenFiles) continue;
    for (const atom of texts) {
      const text = atom.template ?? atom.text;
      if (text !== "") found.push({ path, text, whole: true });
    }
  }
  return found;
}
