import { resolve } from "node:path";
import { importClaude } from "../../authoring/import/claude.ts";
import { type Effect, importGitleaks } from "../../authoring/import/gitleaks.ts";
import { importHookify } from "../../authoring/import/hookify.ts";
import { fromOne, type Imported, type ImportFile, type Left } from "../../authoring/import/imported.ts";
import { importOpta } from "../../authoring/import/opta.ts";
import { isImported } from "../../authoring/import/redact-policy.ts";
import { importSigma } from "../../authoring/import/sigma.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { OutputRefused, writeAtomically } from "../../store/output-file.ts";
import { fileDiagnostic, readPolicyFile } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { jsonDiagnostic, jsonLine } from "../report/json.ts";
import { count, palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `import`. */
export interface ImportOptions {
  readonly out?: string;
  readonly report: "pretty" | "json";
  readonly force?: boolean;
}

type Read = (files: readonly [ImportFile, ...ImportFile[]], regex: RegexEngine) => Imported;

/** Importable formats, with the names of their parts and results. */
const kinds = {
  gitleaks: {
    read: ([file], regex) => fromOne(importGitleaks(file.name, file.bytes, regex)),
    parts: ["rule", "patterns"],
  },
  opta: { read: ([file], regex) => fromOne(importOpta(file.name, file.bytes, regex)), parts: ["hook", "rules"] },
  claude: { read: importClaude, parts: ["setting", "rules"] },
  hookify: { read: importHookify, parts: ["rule", "rules"] },
  sigma: { read: importSigma, parts: ["rule", "rules"] },
} as const satisfies Readonly<Record<string, { readonly read: Read; readonly parts: readonly [string, string] }>>;

/** Name of a tool whose rules can be imported. */
export type ImportKind = keyof typeof kinds;

/**
 * `import <tool>`: writes the policy to standard output or a file, and the report of omissions to standard error. 0 with a
 * policy, whatever the report says; 2 if a file cannot be used, and then nothing is written.
 */
export async function importFiles(
  kind: ImportKind,
  files: readonly string[],
  options: ImportOptions,
  io: Io,
): Promise<number> {
  const found: ImportFile[] = [];
  for (const file of files) {
    const read = readPolicyFile(resolve(io.cwd, file), file);
    if (!("bytes" in read)) return fail([forImport(read)], [], options, io);
    found.push({ name: file, bytes: read.bytes });
  }
  const [first, ...others] = found;
  if (!first)
    return fail([fileDiagnostic("HW701", "<command line>", "no file was given", "name one")], [], options, io);
  const read: Read = kinds[kind].read;
  const imported = read([first, ...others], createRegexEngine());
  const name = others.length === 0 ? first.name : count(found.length, "file");
  if (imported.policy === undefined) {
    if (imported.notCarried.length > 0) report(kind, imported, name, options, io);
    return fail(imported.diagnostics, imported.sources, options, io);
  }
  const problem = await write(imported.policy, options, io);
  if (problem) return fail([problem], [], options, io);
  report(kind, imported, name, options, io);
  return exit.fine;
}

/** Returns the finding about an input file; one that is too large gets help for this command. */
function forImport(d: Diagnostic): Diagnostic {
  return d.code === "HW004" ? { ...d, help: "split it into several files and import each" } : d;
}

async function write(policy: string, { out, force }: ImportOptions, io: Io): Promise<Diagnostic | undefined> {
  if (out === undefined || out === "-") return void (await io.out(policy)) as undefined;
  try {
    writeAtomically(resolve(io.cwd, out), policy, force ? undefined : isOurs);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const help =
      error instanceof OutputRefused
        ? "choose another name, or overwrite it with `--force`"
        : "check the folder and its permissions";
    return fileDiagnostic("HW702", out, `\`${out}\` cannot be written: ${why}`, help);
  }
}

function isOurs(text: string): boolean {
  return text.trim() === "" || isImported(text);
}

function fail(diagnostics: readonly Diagnostic[], files: readonly Source[], options: ImportOptions, io: Io): number {
  const sources = new Map(files.map((source) => [source.name, source]));
  if (options.report === "json") for (const d of diagnostics) io.err(jsonLine(jsonDiagnostic(d, sources)));
  else io.err(prettyDiagnostics(diagnostics, sources, false));
  return diagnostics.some(({ code }) => code === "HW506") ? exit.internal : exit.unusable;
}

function report(kind: ImportKind, imported: Imported, name: string, options: ImportOptions, io: Io): void {
  const at = ({ source, span }: Left) => source.position(span.start);
  if (options.report === "json") {
    const several = imported.sources.length > 1;
    const list = imported.notCarried.map(({ source, ...item }) => ({
      ...item,
      ...(several && { source: source.name }),
      at: at({ source, ...item }),
    }));
    io.err(jsonLine({ source: name, rules: imported.rules, carried: imported.carried, not_carried: list }));
    return;
  }
  const colors = palette(false);
  const lines = imported.notCarried.map((item) => {
    const { line, column } = at(item);
    const what = `${item.rule === undefined ? "" : `${oneLine(item.rule)}: `}${oneLine(item.field)}`;
    return `  ${oneLine(item.source.name)}:${line}:${column}: ${colors.strong(what)}: ${oneLine(item.reason)}${effects[item.effect]}`;
  });
  const { rules, carried } = imported;
  const title = lines.length === 0 ? "everything was carried over" : "not carried over:";
  const [part, became] = kinds[kind].parts;
  io.err(`${name}: ${carried} of ${count(rules, part)} became ${became}; ${title}\n`);
  if (lines.length > 0) io.err(`${lines.join("\n")}\n`);
}

const effects: Readonly<Record<Effect, string>> = {
  finds_less: " (finds less)",
  finds_more: " (finds more)",
  replaces_more: " (replaces more)",
  guards_less: " (guards less)",
  guards_more: " (guards more)",
  none: "",
};

/** Makes text of someone else's file safe for a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 200);
}
