import { type Check, isGenerated, type Tree } from "./tree.ts";

/** Codes of the closed list that a later step will use, by that step. A code leaves this table when code uses it. */
const reserved: Readonly<Record<string, string>> = {};

/** Where a code may be used: every room but the list itself. */
const rooms = /^(facts|rules|engine|compiler|store|adapters|authoring|cli)\/|^(runtime|index)\.ts$/;
/** Tests of behaviour; those of the list and of this check name codes without raising them. */
const tests = /^test\/(?!tidy|diagnostics\/)/;
/** What no policy text alone can raise: unreadable files, suites, run time, comments, command line. A test that names it will do. */
const notFromText = /^HW(?:001|003|004|01[234]|409|5\d\d|60[789]|610|7\d\d)$/;

/** Codes named by text at paths of a kind. */
function named(tree: Tree, paths: RegExp): Set<string> {
  const found = new Set<string>();
  for (const [path, text] of tree) {
    if (!paths.test(path) || isGenerated(text)) continue;
    for (const match of text.matchAll(/\bHW\d{3}\b/g)) found.add(match[0]);
  }
  return found;
}

/**
 * Every code that can be raised has `test/fixtures/codes/HWxxx*`, or a test where no policy text can raise it; every
 * other code waits for a named step.
 */
export function codeFixtures(codes: readonly string[], waiting: Readonly<Record<string, string>> = reserved): Check {
  return {
    name: "every diagnostic code has a fixture",
    run(tree) {
      const used = named(tree, rooms);
      const tested = named(tree, tests);
      const fixtures = new Set(
        [...tree.keys()].flatMap((path) => /^test\/fixtures\/codes\/(HW\d{3})/.exec(path)?.[1] ?? []),
      );
      // The examples of a lint stand in its own file, and are run by the test of all lints.
      const lints = named(tree, /^compiler\/lint\/units\//);
      const shown = (code: string): boolean =>
        fixtures.has(code) || lints.has(code) || (notFromText.test(code) && tested.has(code));
      const known = new Set(codes);
      return [
        ...codes.flatMap((code) => complaint(code, used.has(code), shown(code), waiting[code])),
        ...[...used, ...fixtures].filter((code) => !known.has(code)).map((code) => `${code} is not in the closed list`),
      ];
    },
  };
}

function complaint(code: string, used: boolean, fixture: boolean, step: string | undefined): string[] {
  if (used && step !== undefined) return [`${code} is used, yet reserved for ${step}`];
  if (used) return fixture ? [] : [`${code} has no fixture`];
  if (step === undefined) return [`${code} is used nowhere and reserved for no step`];
  return fixture ? [`${code} has a fixture, yet is reserved for ${step}`] : [];
}
