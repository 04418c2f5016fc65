import { isSlip } from "../../diagnostics/suggest.ts";
import { describe } from "../../facts/programs/describe.ts";
import type { Program, Subcommand } from "../../facts/programs/program.ts";
import { knownNames, programOf } from "../../facts/programs/registry.ts";
import { wrapperNames, wrapperOf } from "../../facts/programs/wrappers.ts";
import { literalField } from "../../facts/shell/fields.ts";
import { withoutVersion } from "../../facts/shell/names.ts";
import type { EffectKind } from "../../schema/facts.ts";
import { canonicalTool, canonicalTools } from "../../schema/tools.ts";
import { neverCauses } from "./causes.ts";
import { optionMeant, subcommandMeant } from "./meanings.ts";
import { otherPrograms } from "./other-programs.ts";
import type { DeclaredNames } from "./policy.ts";
import { subcommandPaths } from "./subcommand-paths.ts";
import { partVerdict } from "./subcommand-words.ts";
import { known, unlisted, type Verdict } from "./verdict.ts";

const near = (found: string | undefined): Verdict => (found === undefined ? unlisted : { kind: "near", near: found });

/** Judges a name of a command by the declarations of the set's policies; undefined where they declare nothing about it. */
export function declaredVerdict(
  { of, text, programs }: { readonly of: string; readonly text: string; readonly programs: readonly string[] },
  declared: DeclaredNames,
): Verdict | undefined {
  if (of === "program") {
    const found = declared.get(text);
    if (!found?.peeled) return found && known;
    const { name } = found.claim;
    return { kind: "dead", why: `it is another name of \`${name}\``, help: `write \`${name}\``, instead: name };
  }
  if (of === "wrapper" || of === "cause") return declared.has(text) ? known : undefined;
  const claims = programs.flatMap((program) => declared.get(program)?.claim ?? []);
  if (of !== "option" || claims.length === 0) return undefined;
  const names = claims.flatMap(({ options }) => options.flatMap((line) => line.replace(/=$/, "").split(" ")));
  if (names.includes(text)) return known;
  if (claims.length < programs.length || names.length === 0) return undefined;
  // The names are few, so that a longer or shorter form of one is most likely that one.
  const begun = names.find(
    (one) => one.length > 4 && text.length > 4 && (one.startsWith(text) || text.startsWith(one)),
  );
  return near(nearest(text, names) ?? begun);
}

/** A program as `c.program` has it: a bare name, without a version where one row describes all versions. */
export function programVerdict(name: string): Verdict {
  if (name === "" || /\s/.test(name)) return known;
  if (/[/\\]/.test(name)) {
    const base = name.split(/[/\\]/).at(-1) ?? "";
    const written = write(withoutVersion(base));
    const help = `${written.help}, or test the place with \`path\` of the command (\`c.path\`)`;
    return { kind: "dead", why: "a program has no folder in its name", ...written, help };
  }
  if (/\.exe$/i.test(name)) return { kind: "dead", why: "`.exe` is left out", ...write(name.slice(0, -4)) };
  if (isListed(name) || isListed(name.replace(/-?\d+(?:\.\d+)*$/, "")) || isDaemon(name)) return known;
  const lower = name.toLowerCase();
  if (lower !== name && all.has(lower)) return near(lower);
  const bare = name.replace(/[\d.]+$/, "");
  return near(nearest(bare, knownNames) ?? nearest(name, knownNames) ?? nearest(bare, longOthers));
}

function isListed(name: string): boolean {
  return programOf(name) !== undefined || all.has(name) || others.has(name);
}

/** `mysqld` beside `mysql`: a program that serves is called like its client, with a `d` behind it. */
function isDaemon(name: string): boolean {
  return name.length > 4 && name.endsWith("d") && isListed(name.slice(0, -1));
}

/**
 * A program or tool that causes an effect of a list, as `via` has it; `names` are those of the same test. Any tool of a host or
 * server may be one.
 */
export function causeVerdict(name: string, list: EffectKind | undefined, names: readonly string[]): Verdict {
  // A list that names a program with the effect is most often one for several effects.
  const isLive = list === undefined || names.some((one) => !neverCauses(one, list));
  const never = isLive ? undefined : neverCauses(name, list);
  if (never) return { kind: never.isSure ? "dead" : "unlisted", why: never.why, help: never.help };
  // A redirect of the shell causes a write, too.
  if (isCanonical(name) || name === "shell" || name === "unseen code" || name.startsWith("mcp__")) return known;
  const [first = "", second] = name.split(" ");
  if (second !== undefined && all.has(first))
    return { kind: "dead", why: "it is the program alone, without its words", ...write(first) };
  const verdict = programVerdict(name);
  if (verdict.kind === "known" || verdict.kind === "dead") return verdict;
  const tool = canonicalTool(name);
  if (isCanonical(tool)) return { kind: "dead", why: "names of tools are canonical", ...write(tool) };
  return verdict.kind === "unlisted" ? known : verdict;
}

function isCanonical(name: string): boolean {
  return (canonicalTools as readonly string[]).includes(name);
}

/** A program that runs another, as `c.wrappers` has it. */
export function wrapperVerdict(name: string): Verdict {
  const first = /^(\S+)\s+\S/.exec(name)?.[1];
  if (first !== undefined && all.has(first))
    return { kind: "dead", why: "a wrapper is the program alone", help: `write \`${first}\``, instead: first };
  if (name === "" || all.has(name) || others.has(name) || wrapperOf(name)) return known;
  return near(nearest(name, wrapperNames));
}

function write(instead: string): { readonly help: string; readonly instead?: string } {
  return instead === "" ? { help: "write the name of the program" } : { help: `write \`${instead}\``, instead };
}

const all: ReadonlySet<string> = new Set([...knownNames, ...wrapperNames]);
const others: ReadonlySet<string> = new Set(otherPrograms);
/** Short names are near to many words. */
const longOthers: readonly string[] = otherPrograms.filter((name) => name.length > 5);

/** Returns the first name that is one typing error away; none for short names, which are close to too many others. */
function nearest(name: string, names: readonly string[]): string | undefined {
  if (!/^-{0,2}[A-Za-z]/.test(name)) return undefined;
  const letters = name.replace(/^-+/, "");
  if (letters.length < 3) return undefined;
  return names.find((one) => one.replace(/^-+/, "").length > 2 && isSlip(name, one) && isLikely(letters, one, name));
}

/** True if a typing error is likely. For short names only a missing, doubled or exchanged letter counts: `bat` is no error for `cat`. */
function isLikely(letters: string, one: string, name: string): boolean {
  if (letters.length >= 5) return true;
  if (one.length === name.length + 1) return true;
  if (one.length === name.length) return [...one].sort().join("") === [...name].sort().join("");
  return /(.)\1/.test(name);
}

/** A subcommand of programs, as `c.subcommand` has it. */
export function subcommandVerdict(name: string, programs: readonly string[], of = ""): Verdict {
  const rows = programs.map((program) => ({ program, row: programOf(program) }));
  // HW614 reports several names in one text.
  if (rows.length === 0 || name === "" || /^[\w-]+\s*[,|]/.test(name)) return known;
  // HW639 reports a glob that is compared letter by letter.
  if (/[*?]/.test(name)) return known;
  const without = rows.filter(({ row }) => !row?.subcommands && !row?.chain);
  if (without.length === rows.length)
    return {
      kind: "dead",
      why: `\`${programs.join("`, `")}\` has no subcommands in the tables`,
      help: `test the words: \`operands: { contains: ${name.split(" ")[0]} }\``,
    };
  if (rows.some(({ row }) => row?.subcommands && hasPath(row.subcommands, name.split(" "))))
    return groupVerdict(name, rows);
  const part = partVerdict(name, programs, of);
  if (part) return part;
  const words = name.split(" ").map((text) => literalField(text, nowhere));
  const given = rows.map(({ program }) => describe(program, words).subcommand);
  if (!given.includes(name)) {
    const shown = given.find((text) => text !== "");
    const why = shown === undefined ? "no command of the program has it" : `facts have \`${shown}\` of it`;
    return {
      kind: "dead",
      why,
      help:
        shown === undefined
          ? "test `operands`"
          : name.startsWith(`${shown} `)
            ? `write \`${shown}\`, and test ${testOf(name.slice(shown.length + 1))}`
            : `write \`${shown}\``,
      ...(shown !== undefined && { instead: shown }),
    };
  }
  const names = rows.flatMap(({ row }) => row?.subcommands?.flatMap((one) => one.names) ?? []);
  const isBegun = programs.some((program) => subcommandPaths(program).begun.has(name));
  const meant = isBegun ? undefined : subcommandMeant(programs[0] as string, name);
  const open = isBegun || rows.some(({ row }) => row?.chain);
  return groupVerdict(name, rows, meant === undefined && open ? known : near(meant ?? nearest(name, names)));
}

/** Returns how to test the words behind a subcommand. */
function testOf(words: string): string {
  const option = /^-{1,2}[\w-]+/.exec(words)?.[0];
  return option === undefined ? "the words behind it with `operands`" : `\`{ has_option: ${option} }\` of the command`;
}

const nowhere = { start: 0, end: 0 };

function hasPath(table: readonly Subcommand[], [first, ...rest]: readonly string[]): boolean {
  const found = table.find(({ names }) => first !== undefined && names.includes(first));
  return found !== undefined && (rest.length === 0 || (found.subcommands ? hasPath(found.subcommands, rest) : false));
}

/** Refuses a word that only introduces others: `pr` of `gh pr merge` alone is no subcommand. */
function groupVerdict(
  name: string,
  rows: readonly { readonly program: string; readonly row: Program | undefined }[],
  otherwise: Verdict = known,
): Verdict {
  const longer = rows.map(({ program, row }) => longerThan(name, program, row)).find((text) => text !== undefined);
  if (longer === undefined) return otherwise;
  return {
    kind: "dead",
    why: `more words follow it, as in \`${longer}\``,
    help: `write \`{ glob: "${name} *" }\``,
  };
}

function longerThan(name: string, program: string, row: Program | undefined): string | undefined {
  const words = name.split(" ");
  let table = row?.subcommands;
  let found: Subcommand | undefined;
  for (const word of words) {
    found = table?.find(({ names }) => names.includes(word));
    table = found?.subcommands;
  }
  const below = found?.subcommands?.[0]?.names[0];
  // `dotnet new <template>` takes another word in the place of a subcommand.
  const takesOther = found?.effects && found.subcommands?.some(({ names }) => names.some((one) => one.startsWith("-")));
  if (below !== undefined) return takesOther ? undefined : `${name} ${below}`;
  if (!row?.chain) return undefined;
  const more = [...words, "x", "y", "z"].map((text) => literalField(text, nowhere));
  const { subcommand } = describe(program, more);
  return subcommand.split(" ").length > words.length ? `${name} …` : undefined;
}

/** An option, as `has_option` and `option` look for it. */
export function optionVerdict(name: string, programs: readonly string[], subcommands: readonly string[] = []): Verdict {
  const rows = programs.map(programOf);
  const names = rows.flatMap((row) => (row ? optionsOf(row) : []));
  if (names.includes(name)) return elsewhere(name, programs, subcommands) ?? known;
  if (!/^[-+/]/.test(name)) {
    // A word processor makes one long dash of two.
    const bare = name.replace(/^[\u2010-\u2015\u2212]+-*/u, "");
    const dashed = bare.length === 1 ? `-${bare}` : `--${bare}`;
    return { kind: "dead", why: "an option begins with a dash", help: `write \`${dashed}\``, instead: dashed };
  }
  const several = name.split(/\s*[,|]\s*/);
  if (several.length > 1 && several.every((one) => /^-[\w-]+$/.test(one)))
    return { kind: "dead", why: "that is one text and no list", help: `write the list \`[${several.join(", ")}]\`` };
  if (/[=\s]/.test(name)) {
    const bare = name.split(/[=\s]/)[0] as string;
    return {
      kind: "dead",
      why: "an option is its name, without a value",
      help: `write \`${bare}\`, and test its value with \`option\``,
    };
  }
  if (rows.length === 0 || rows.includes(undefined)) return known;
  // Nearly every program has these.
  if (name === "--version" || name === "--help") return known;
  if (names.includes(`-${name}`)) return near(`-${name}`);
  const bundled = /^-([A-Za-z0-9]{2,})$/.exec(name)?.[1];
  const letters = [...new Set(bundled ?? "")].map((letter) => `-${letter}`);
  if (letters.length > 1 && letters.every((letter) => names.includes(letter)))
    return {
      kind: "dead",
      why: `it is ${letters.length} options in one word`,
      help: `test each: ${letters.map((letter) => `\`has_option: ${letter}\``).join(" and ")}, under \`all:\``,
    };
  const close = nearest(name, names);
  const meant = close === undefined ? optionMeant(name, names) : undefined;
  if (meant === undefined) return near(close);
  return { kind: "unlisted", help: `\`${meant}\` of \`${programs[0]}\` may be what is meant` };
}

/** Subcommands whose options are all in the tables. The others have those that matter for facts, and most that policies name. */
const wholeOptions: ReadonlySet<string> = new Set(["git push", "git commit"]);

/** Judges an option of a program where the tests beside it name subcommands: others of the program may have it alone. */
function elsewhere(name: string, programs: readonly string[], subcommands: readonly string[]): Verdict | undefined {
  if (subcommands.length === 0) return undefined;
  for (const program of programs)
    for (const subcommand of subcommands) {
      const options = optionsAt(programOf(program), subcommand.split(" "));
      // git takes `--no-` before any of its flags.
      if (!options || options.includes(name) || options.includes(name.replace(/^--no-/, "--"))) return undefined;
    }
  const asked = `${programs[0]} ${subcommands[0]}`;
  const owner = programOf(programs[0] as string)?.subcommands?.find((one) => optionsOf(one).includes(name));
  const why = `no table has the option \`${name}\` for \`${asked}\``;
  const help = `\`${programs[0]} ${owner?.names[0]}\` has it`;
  const isWhole = programs.every((program) => subcommands.every((one) => wholeOptions.has(`${program} ${one}`)));
  if (owner && isWhole) return { kind: "near", near: name, why, help };
  return { kind: "unlisted", why, ...(owner && { help }) };
}

/** Lists the options of one subcommand and of its program; undefined where no table lists them. */
function optionsAt(row: Program | undefined, path: readonly string[]): readonly string[] | undefined {
  let own = row && ownOptions(row);
  let table = row?.subcommands;
  let found: Subcommand | undefined;
  for (const word of path) {
    found = table?.find(({ names }) => names.includes(word));
    if (!found) return undefined;
    own = [...(own ?? []), ...ownOptions(found)];
    table = found.subcommands;
  }
  return found?.grammar?.options && !found.subcommands ? own : undefined;
}

function ownOptions({ grammar }: Program | Subcommand): readonly string[] {
  return (grammar?.options ?? []).flatMap((line) => line.replace(/=[=?]?$/, "").split(" "));
}

const optionTables = new WeakMap<object, readonly string[]>();

/** Every spelling of every option of a program, those of its subcommands among them. */
function optionsOf(row: Program | Subcommand): readonly string[] {
  const before = optionTables.get(row);
  if (before) return before;
  const made = [...new Set([...ownOptions(row), ...(row.subcommands ?? []).flatMap(optionsOf)])];
  optionTables.set(row, made);
  return made;
}
