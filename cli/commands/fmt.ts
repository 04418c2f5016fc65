import { readFileSync } from "node:fs";
import { type Formatted, formatPolicy, hasFailed, type Spelling } from "../../authoring/fmt/format.ts";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { Source } from "../../diagnostics/source.ts";
import {
  type DiscoveredFile,
  discoverForAuthoring,
  discoverPolicies,
  importProblem,
  resolveImport,
} from "../../store/discover.ts";
import { writeAtomically } from "../../store/output-file.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { changedLines } from "../report/changed-lines.ts";
import { count, palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `fmt`. */
export interface FmtOptions {
  readonly check?: boolean;
  readonly to?: Spelling;
}

/**
 * `fmt`: 2 if any file cannot be used, and then none is written; with `--check` 1 if a file would change, else 0. A result
 * with another meaning is an internal error, 3.
 */
export async function format(paths: readonly string[], options: FmtOptions, io: Io): Promise<number> {
  const found = filesOf(paths, io);
  const formatted = found.files.map((file) => formatPolicy(file, formatOptions(options)));
  const diagnostics = [...found.diagnostics, ...formatted.flatMap((f) => f.diagnostics)];
  if (found.diagnostics.length > 0 || hasFailed(formatted)) {
    const sources = new Map(formatted.flatMap((f) => [...f.sources]));
    io.err(`${prettyDiagnostics(sortDiagnostics(diagnostics), sources, io.color)}\nno file was changed\n`);
    return diagnostics.some(({ code }) => code === "HW506") ? exit.internal : exit.unusable;
  }
  const changed = found.files.flatMap((file, i) => {
    const result = formatted[i] as Formatted;
    return result.after === result.before ? [] : [{ file, result }];
  });
  await reportKept(found.files, formatted, options, io);
  if (options.check) return report(changed, found.files.length, io);
  return write(changed, found.files.length, io);
}

interface Changed {
  readonly file: DiscoveredFile;
  readonly result: Formatted;
}

function formatOptions({ to }: FmtOptions): Parameters<typeof formatPolicy>[1] {
  return { resolveImport, importProblem, ...(to && { to }) };
}

interface Found {
  readonly files: readonly DiscoveredFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the files that paths name. Suites are left out, and the package's files are not the user's to change. */
function filesOf(paths: readonly string[], io: Io): Found {
  if (paths.length === 0) return discoverForAuthoring(io.cwd, undefined);
  const packs = paths.filter((path) => path.startsWith("pack:"));
  const help = "copy its policy into your own folder, or import it and override what differs";
  const refused = packs.map((path) => fileDiagnostic("HW701", path, "a shipped pack is not formatted", help));
  const own = paths.filter((path) => !path.startsWith("pack:") && !/\.test\.ya?ml$/.test(path));
  const { files, diagnostics } = discoverPolicies(own, io.cwd);
  return { files, diagnostics: [...refused, ...diagnostics] };
}

/** Reports the conditions that `--to` left unchanged, since the other spelling cannot express the same. */
async function reportKept(
  files: readonly DiscoveredFile[],
  formatted: readonly Formatted[],
  { to }: FmtOptions,
  io: Io,
): Promise<void> {
  if (to === undefined) return;
  const other = to === "expr" ? "an expression" : "YAML tests";
  for (const [i, { kept, after }] of formatted.entries()) {
    const source = new Source(files[i]?.name ?? "", after);
    for (const { span } of kept) {
      const { line, column } = source.position(span.start);
      await io.out(`${source.name}:${line}:${column}: kept; ${other} cannot say exactly the same\n`);
    }
  }
}

async function report(changed: readonly Changed[], total: number, io: Io): Promise<number> {
  const colors = palette(io.color);
  for (const { file, result } of changed)
    await io.out(`${file.name} would change\n${changedLines(result.before, result.after, colors)}`);
  const summary =
    changed.length === 0
      ? `${count(total, "file")}: ${colors.info("in canonical form")}`
      : `${count(total, "file")}: ${colors.warning(`${changed.length} would change`)}; run \`hookwarden fmt\``;
  await io.out(`${summary}\n`);
  return changed.length === 0 ? exit.fine : exit.findings;
}

async function write(changed: readonly Changed[], total: number, io: Io): Promise<number> {
  for (const { file, result } of changed) {
    try {
      if (!readFileSync(file.path).equals(file.bytes)) throw new Error("it changed while it was formatted");
      writeAtomically(file.path, result.output);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const help = "check that the folder can be written; this file and those after it are as they were";
      const d = fileDiagnostic("HW702", file.name, `\`${file.name}\` cannot be written: ${why}`, help);
      io.err(prettyDiagnostics([d], new Map(), io.color));
      return exit.unusable;
    }
    await io.out(`${file.name} formatted\n`);
  }
  await io.out(`${count(total, "file")}: ${changed.length} changed\n`);
  return exit.fine;
}
