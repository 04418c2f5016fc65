import type { Declarations, DeclaredProgram, DeclaredTool } from "../../schema/declarations.ts";
import { canonicalTool } from "../../schema/tools.ts";
import { spend, unmetered } from "../meter.ts";
import { cleanPath, directoryAfter } from "../shell/directories.ts";
import { type Field, literalField } from "../shell/fields.ts";
import { withoutVersion } from "../shell/names.ts";
import { claimedEffects, runsItself } from "./declared-effects.ts";
import { type Grammar, readArguments } from "./grammar.ts";
import type { Call, Program } from "./program.ts";
import type { Wrapper } from "./wrapper.ts";

/**
 * Programs and tools that the policies of a plan declare, as rows in addition to the built-in tables. Like the meter, they are
 * module state while the facts of one event are read (`readWith`), because rows are needed deep in the call tree. A plan without
 * declarations costs one check.
 */

/** Base folders for relative paths and `~` in declarations. */
export interface DeclaredGround {
  readonly workspace: string;
  readonly home: string;
}

/** A declared program in the form of the built-in tables. */
interface Own {
  readonly claim: DeclaredProgram;
  readonly grammar: Grammar;
  readonly row: Program | undefined;
  readonly wrapper: Wrapper | undefined;
}

interface OwnTable {
  readonly programs: ReadonlyMap<string, Own>;
  /** Declared programs by alias, aliases that are paths excepted. */
  readonly names: ReadonlyMap<string, Own>;
  /** Aliases that are paths, each with its declared program. */
  readonly paths: readonly { readonly path: string; readonly own: Own }[];
  /** Declared tools by canonical name. */
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** Table rows by alias. */
  readonly rows: ReadonlyMap<string, Program>;
}

interface Reading {
  readonly table: OwnTable;
  readonly ground: DeclaredGround;
  /** True if effects that are only possible are read too. */
  readonly further: boolean;
  /** True once a declaration that is only possible was needed but left out. */
  touched: boolean;
}

let current: Reading | undefined;

/** Runs `work` with the declarations in force. `touched` is true if declarations that are only possible would add something. */
export function readWith<T>(
  declared: Declarations,
  ground: DeclaredGround,
  further: boolean,
  work: () => T,
): { readonly result: T; readonly touched: boolean } {
  const outer = current;
  const reading: Reading = { table: tableOf(declared), ground, further, touched: false };
  current = reading;
  try {
    const result = work();
    return { result, touched: reading.touched };
  } finally {
    current = outer;
  }
}

/** True if no declarations are in force, so that facts depend on the text alone. */
export function readsAlone(): boolean {
  return current === undefined;
}

/** Returns the row of a program, or alias, that policies of the user or the machine declare in full; otherwise undefined. */
export function declaredRow(name: string): Program | undefined {
  if (!current) return undefined;
  const own = seen(current, current.table.programs.get(name));
  if (own?.claim.standing === "known") return own.row;
  const other = seen(current, current.table.names.get(name));
  return other?.claim.standing === "known" && other.row ? current.table.rows.get(name) : undefined;
}

/** Returns the grammar of a declared program. A declaration that came with a repository does not change which words are operands. */
export function declaredGrammar(name: string): Grammar | undefined {
  const own = current && seen(current, current.table.programs.get(name));
  return own?.claim.standing === "known" ? own.grammar : undefined;
}

/** Returns the wrapper of a declared program that runs its operands, or of an alias; otherwise undefined. */
export function declaredWrapper(name: string): Wrapper | undefined {
  if (!current) return undefined;
  return (
    seen(current, current.table.programs.get(name))?.wrapper ??
    aliasWrapper(seen(current, current.table.names.get(name)))
  );
}

/** Returns the wrapper of a program word that is a declared alias of another program, by path or name; otherwise undefined. */
export function declaredAlias(head: Field, program: string, cwd: string): Wrapper | undefined {
  if (!current) return undefined;
  const { table } = current;
  const isPath = table.paths.length > 0 && head.kind === "literal" && head.text.includes("/");
  const at = isPath ? ownAt(current, directoryAfter(cwd, head.text)) : undefined;
  const own = at && at.claim.name !== program ? at : table.names.get(program);
  return own && aliasWrapper(seen(current, own));
}

/** True for a clean, absolute path that a declaration of the user or the machine gives for a program. */
export function isDeclaredPlace(path: string): boolean {
  return current !== undefined && ownAt(current, path)?.claim.standing === "known";
}

/** A row of effects that policies add to what the tables say of a program. */
export interface AddedRow {
  readonly row: Program;
  /** False for effects that a project's policies declare, which are only possible. */
  readonly certain: boolean;
}

/** Returns the effects that policies declare for a program, in addition to the tables; undefined if there are none. */
export function addedRow(name: string): AddedRow | undefined {
  const programs = current?.table.programs;
  const own = current && seen(current, programs?.get(name) ?? programs?.get(withoutVersion(name)));
  if (!own?.claim.effects) return undefined;
  const { claim, grammar } = own;
  return { row: { names: [name], grammar, effects: claimedEffects(claim) }, certain: claim.standing === "known" };
}

/** Returns the declaration of a tool; undefined where it has no effects, or only possible ones that this reading leaves out. */
export function declaredTool(name: string): DeclaredTool | undefined {
  const tool = current?.table.tools.get(name);
  if (!current || !tool?.effects) return undefined;
  if (tool.standing === "known" || current.further) return tool;
  current.touched = true;
  return undefined;
}

/** Lists all declared names, to match them with a program word that is a glob. */
export function declaredNames(): readonly string[] {
  if (!current) return [];
  const { table, further } = current;
  const named = [...table.programs, ...table.names];
  return named.filter(([, { claim }]) => further || claim.standing === "known").map(([name]) => name);
}

/** Returns the program if this reading includes it; otherwise sets `touched`. */
function seen(reading: Reading, own: Own | undefined): Own | undefined {
  if (!own || own.claim.standing === "known" || reading.further) return own;
  reading.touched = true;
  return undefined;
}

function ownAt({ table, ground }: Reading, path: string): Own | undefined {
  if (path === "") return undefined;
  spend(table.paths.length);
  return table.paths.find((one) => placeOf(one.path, ground) === path)?.own;
}

/** Returns the absolute path of an alias; empty where it is not known. */
function placeOf(path: string, { workspace, home }: DeclaredGround): string {
  if (path.startsWith("/")) return cleanPath(path);
  if (path.startsWith("~/")) return home === "" ? "" : cleanPath(`${home}${path.slice(1)}`);
  return workspace === "" ? "" : cleanPath(`${workspace}/${path}`);
}

const tables = new WeakMap<Declarations, OwnTable>();

function tableOf(declared: Declarations): OwnTable {
  const known = tables.get(declared);
  if (known) return known;
  const made = unmetered(() => makeTable(declared));
  tables.set(declared, made);
  return made;
}

function makeTable({ programs, tools }: Declarations): OwnTable {
  const own = programs.map(ownOf);
  const byName = new Map(own.map((one) => [one.claim.name, one]));
  const names = new Map<string, Own>();
  const paths: { path: string; own: Own }[] = [];
  const rows = new Map<string, Program>();
  for (const one of own)
    for (const alias of one.claim.aliases) {
      if (alias.includes("/")) paths.push({ path: alias, own: one });
      else if (!byName.has(alias)) {
        names.set(alias, one);
        rows.set(alias, { names: [alias], effects: runsItself });
      }
    }
  return {
    programs: byName,
    names,
    paths,
    rows,
    tools: new Map(tools.map((tool) => [canonicalTool(tool.name), tool])),
  };
}

function ownOf(claim: DeclaredProgram): Own {
  const { name, options, effects, wraps, standing } = claim;
  const single = options.some((line) => line.split(" ").some((spelling) => /^-[^-]./.test(spelling.replace(/=$/, ""))));
  const grammar: Grammar = { options, ...(single && { single }), ...(wraps && { stop: true }) };
  const isWhole = standing === "known" && (effects !== undefined || wraps !== undefined);
  const claimed = claimedEffects(claim);
  const both = (call: Call): void => {
    runsItself(call);
    claimed(call);
  };
  const row = isWhole ? { names: [name], grammar, effects: both } : undefined;
  return { claim, grammar, row, wrapper: wraps && wrapperOf(claim, grammar) };
}

/**
 * Makes a wrapper that runs the words after its own options, as `sudo` does. An undeclared option may take the next word as its
 * value, so either word may be the program.
 */
function wrapperOf({ name, standing, listed, effects, options: own }: DeclaredProgram, grammar: Grammar): Wrapper {
  const declared = new Set(own.flatMap((line) => line.replace(/=$/, "").split(" ")));
  const isKnown = standing === "known";
  const self = !isKnown || listed === true || (effects !== undefined && effects.length > 0);
  return {
    names: [name],
    unwrap(args) {
      const { operands, options } = readArguments(grammar, args);
      const isStrange = options.some(({ names, value }) => !value && !names.some((one) => declared.has(one)));
      const fields = operands[0]?.text === "--" ? operands.slice(1) : operands;
      if (fields.length === 0) return undefined;
      const isSure = isKnown && !isStrange;
      const readings = isStrange && fields.length > 1 ? [fields, fields.slice(1)] : [fields];
      return {
        self,
        inner: readings.map((words) => ({
          kind: "words",
          fields: words,
          external: true,
          ...(!isSure && { certain: false }),
        })),
      };
    },
  };
}

/** Makes the wrapper of an alias: it runs the declared program with the same arguments. */
function aliasWrapper(own: Own | undefined): Wrapper | undefined {
  if (!own) return undefined;
  const { name, standing, listed } = own.claim;
  const isKnown = standing === "known";
  return {
    names: [name],
    unwrap: (args) => ({
      self: !isKnown || listed === true,
      inner: [
        {
          kind: "words",
          fields: [literalField(name, nowhere), ...args],
          external: true,
          ...(isKnown ? {} : { certain: false }),
        },
      ],
    }),
  };
}

const nowhere = { start: 0, end: 0 };
