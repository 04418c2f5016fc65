import { hasText } from "../../facts/find-text.ts";
import { pathClass } from "../../facts/paths/classes.ts";
import { glob, type MatchOptions, within } from "../../facts/paths/match.ts";
import { agentHome, placeOf, resolvePath } from "../../facts/paths/resolve.ts";
import { GlobIndex } from "../../facts/paths/row-index.ts";
import type { PathValue } from "../../schema/facts.ts";
import type { CallContext, Value } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { stringGlobs } from "./pattern.ts";
import { asValue, evaluationError, isPath } from "./values.ts";

/** Returns a path of the event, resolved against its working directory. */
export function pathOf(text: string, { event, files }: CallContext): PathValue {
  const { cwd, case_insensitive } = event.environment;
  return resolvePath(text, { cwd, home: agentHome(event.environment), fold: case_insensitive }, files);
}

/** Returns a path of a policy. A relative path starts at the workspace, so that a change of the working directory cannot move it. */
export function policyPath(text: string, { event, files }: CallContext): PathValue {
  const { cwd, workspace, home, case_insensitive } = event.environment;
  return resolvePath(text, { cwd: workspace || cwd, home, fold: case_insensitive }, files);
}

/** Returns the options for path comparisons in a call. */
export function optionsOf({ event, forms }: CallContext): MatchOptions {
  const { home, workspace, cwd } = event.environment;
  return { forms, home: placeOf(home), workspace: placeOf(workspace || cwd) };
}

/** Forms of each path whose two forms differ, kept so that work on a form serves all comparisons. */
const apart = new WeakMap<PathValue, readonly PathValue[]>();

/** Returns the forms of a path, each as a separate path. */
function formsOf(path: PathValue): readonly PathValue[] {
  if (path.lexical === path.real) return [path];
  const known = apart.get(path);
  if (known) return known;
  const made = [
    { ...path, real: path.lexical },
    { ...path, lexical: path.real },
  ];
  apart.set(path, made);
  return made;
}

/** Tests the forms of a path; one must pass if `forms` is `any`, otherwise all. */
function overForms(path: PathValue, context: CallContext, test: (form: PathValue) => boolean): boolean {
  return context.forms === "any" ? formsOf(path).some(test) : formsOf(path).every(test);
}

/** Escapes a path as a glob that matches only this path. */
export const literal = (path: string): string => path.replace(/[*?[\]{}\\]/g, "\\$&");

/** True if both paths name the same place. A match with either form of the second suffices; `forms` decides for the first. */
export function pathEquals(path: PathValue, other: PathValue | string, context: CallContext): boolean {
  const wanted = typeof other === "string" ? policyPath(other, context) : other;
  const options = optionsOf(context);
  const targets = wanted.real === wanted.lexical ? [wanted.real] : [wanted.lexical, wanted.real];
  return overForms(path, context, (form) => targets.some((target) => glob(form, literal(target), options)));
}

/** Returns the items of a list as strings or paths, or an error value. */
function places(items: readonly Value[]): readonly (string | PathValue)[] | EvaluationError {
  const good = items.every((item) => typeof item === "string" || isPath(item));
  return good
    ? (items as readonly (string | PathValue)[])
    : evaluationError("a path is compared with strings and paths only");
}

function isWithin(path: PathValue, folders: readonly Value[], context: CallContext): boolean | EvaluationError {
  const wanted = places(folders);
  if (wanted instanceof EvaluationError) return wanted;
  const options = optionsOf(context);
  const { home } = options;
  const resolved = wanted.map((folder) =>
    typeof folder !== "string" || (folder.startsWith("~") && home === "") ? folder : policyPath(folder, context),
  );
  return overForms(path, context, (form) => resolved.some((folder) => within(form, folder, options)));
}

function matchesGlob(path: PathValue, patterns: readonly Value[], context: CallContext): boolean | EvaluationError {
  if (!patterns.every((pattern) => typeof pattern === "string")) return evaluationError("a glob is a string");
  const options = optionsOf(context);
  return overForms(path, context, (form) => patterns.some((pattern) => glob(form, pattern, options)));
}

/** Prepares the test for the constant globs of a policy; returns `plainly` if they are not constant texts. */
function globbing<P>(
  patterns: readonly Value[] | undefined,
  plainly: (args: readonly [path: PathValue, patterns: P], context: CallContext) => Value | EvaluationError,
): (args: readonly [path: PathValue, patterns: P], context: CallContext) => Value | EvaluationError {
  if (!patterns?.every((pattern) => typeof pattern === "string")) return plainly;
  const index = new GlobIndex(patterns as readonly string[]);
  return ([path], context) => index.matches(path, optionsOf(context));
}

function isIn(path: PathValue, items: readonly Value[], context: CallContext): boolean | EvaluationError {
  const wanted = places(items);
  if (wanted instanceof EvaluationError) return wanted;
  return overForms(path, context, (form) => wanted.some((item) => pathEquals(form, item, context)));
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Returns the extension of a name, without the dot; empty if there is none. */
export function extension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1);
}

/** Returns a path with the parent folder of each form; the root is its own parent. */
function parent(path: PathValue): PathValue {
  const up = (text: string): string => text.slice(0, text.lastIndexOf("/")) || "/";
  const { tree: _, takes: _takes, content: _content, ...own } = path;
  return { ...own, text: up(path.lexical), lexical: up(path.lexical), real: up(path.real) };
}

/** Makes a text test on both forms, for `starts_with` and similar tests. */
function textTest(name: string, test: (form: string, text: string) => boolean): Overload {
  return overload(`path.${name}`, ["path", "string"], ([path, text], context) =>
    overForms(path, context, (form) => test(form.lexical, text)),
  );
}

/** Path functions. `forms` of the call decides whether one form of the path suffices or both must match (language section 4). */
export const pathFunctions: Readonly<Record<string, readonly Overload[]>> = {
  path_of: [
    overload("path.of_path", ["path"], ([path]) => asValue(path)),
    overload("path.of", ["string"], ([text], context) => asValue(pathOf(text, context))),
  ],
  path_equals: [
    overload("path.equals", ["path", "string"], ([path, text], context) => pathEquals(path, text, context)),
    overload("path.equals_path", ["path", "path"], ([path, other], context) => pathEquals(path, other, context)),
    overload("string.equals_path", ["string", "path"], ([text, path], context) => pathEquals(path, text, context)),
  ],
  path_in: [overload("path.in", ["path", "list"], ([path, items], context) => isIn(path, items, context))],
  glob: [
    overload(
      "path.glob",
      ["path", "string"],
      ([path, pattern], context) => matchesGlob(path, [pattern], context),
      ([, pattern]) =>
        globbing(pattern === undefined ? undefined : [pattern], ([path, own], context) =>
          matchesGlob(path, [own], context),
        ),
    ),
    overload(
      "path.glob_any",
      ["path", "list"],
      ([path, patterns], context) => matchesGlob(path, patterns, context),
      ([, patterns]) => globbing(patterns, ([path, own], context) => matchesGlob(path, own, context)),
    ),
    ...stringGlobs,
  ],
  within: [
    overload("path.within", ["path", "string"], ([path, folder], context) => isWithin(path, [folder], context)),
    overload("path.within_path", ["path", "path"], ([path, folder], context) =>
      isWithin(path, [asValue(folder)], context),
    ),
    overload("path.within_any", ["path", "list"], ([path, folders], context) => isWithin(path, folders, context)),
  ],
  text_within: [
    overload("string.within", ["string", "string"], ([text, folder], context) =>
      isWithin(pathOf(text, context), [folder], context),
    ),
    overload("string.within_any", ["string", "list"], ([text, folders], context) =>
      isWithin(pathOf(text, context), folders, context),
    ),
  ],
  path_is: [
    overload("path.is", ["path", "string"], ([path, name], context) =>
      pathClass(name, path, context.event.environment, context.forms),
    ),
  ],
  path_starts_with: [textTest("starts_with", (form, text) => form.startsWith(text))],
  path_ends_with: [textTest("ends_with", (form, text) => form.endsWith(text))],
  path_contains: [textTest("contains", (form, text) => hasText(form, text))],
  path_name: [overload("path.name", ["path"], ([path]) => lastPart(path.lexical))],
  path_ext: [overload("path.ext", ["path"], ([path]) => extension(lastPart(path.lexical)))],
  path_parent: [overload("path.parent", ["path"], ([path]) => asValue(parent(path)))],
};
