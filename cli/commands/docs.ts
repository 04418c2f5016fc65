import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isPage, policyPage } from "../../authoring/docs/page.ts";
import type { ResolvedPolicy } from "../../compiler/resolve.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { OutputRefused, writeAtomically } from "../../store/output-file.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { type Loaded, loadPolicies } from "../load.ts";
import { changedLines } from "../report/changed-lines.ts";
import { palette, prettyDiagnostics } from "../report/pretty.ts";

/** Options of `docs`. */
export interface DocsOptions {
  readonly out?: string;
  readonly check?: boolean;
  readonly force?: boolean;
}

/**
 * `docs`: writes policies as a Markdown page, to standard output or a file. With `--check` it writes nothing, and 1 means
 * that the file is out of date. 2 if a policy has an error or the file cannot be written.
 */
export async function docs(paths: readonly string[], options: DocsOptions, io: Io): Promise<number> {
  const { out, check, force } = options;
  if (check && (out === undefined || out === "-")) {
    const help = "name the page with `-o`, such as `hookwarden docs --check -o .hookwarden/README.md`";
    return refuse([fileDiagnostic("HW701", "--check", "there is no page to compare with", help)], io);
  }
  const loaded = loadPolicies(paths.length > 0 ? { policy: paths } : {}, io);
  if (!loaded.plan) return refuse(loaded.diagnostics, io, loaded.sources);
  const page = policyPage(named(loaded, paths));
  if (out === undefined || out === "-") {
    await io.out(page);
    return exit.fine;
  }
  return check ? compare(out, page, io) : write(out, page, force === true, io);
}

/** Returns the named policies. Their pages mention their imports, unless there is nothing but imports. */
function named({ result }: Loaded, paths: readonly string[]): readonly ResolvedPolicy[] {
  const all = (result?.stages.resolved ?? []).filter(({ scope }) => scope !== "builtin");
  const packs = new Set(paths.filter((path) => path.startsWith("pack:")));
  return all.filter(({ draft: { file } }) => !file.name.startsWith("pack:") || packs.has(file.name));
}

async function compare(out: string, page: string, io: Io): Promise<number> {
  const found = readPage(resolve(io.cwd, out));
  if (found instanceof Error) {
    const help = "write it with `hookwarden docs -o`";
    return refuse([fileDiagnostic("HW702", out, `\`${out}\` cannot be read: ${found.message}`, help)], io);
  }
  if (found?.replaceAll("\r\n", "\n") === page) {
    await io.out(`${out}: up to date\n`);
    return exit.fine;
  }
  const shown = found === undefined ? "" : changedLines(found, page, palette(io.color));
  const state = found === undefined ? "is missing" : "is stale";
  await io.out(`${out} ${state}; run \`hookwarden docs -o ${out}\`\n${shown}`);
  return exit.findings;
}

function readPage(path: string): string | undefined | Error {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function write(out: string, page: string, force: boolean, io: Io): Promise<number> {
  try {
    writeAtomically(resolve(io.cwd, out), page, force ? undefined : (text) => text.trim() === "" || isPage(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const help =
      error instanceof OutputRefused
        ? "choose another name, or overwrite it with `--force`"
        : "check the folder and its permissions";
    return refuse([fileDiagnostic("HW702", out, `\`${out}\` cannot be written: ${why}`, help)], io);
  }
  await io.out(`${out} written\n`);
  return exit.fine;
}

function refuse(diagnostics: readonly Diagnostic[], io: Io, sources: Loaded["sources"] = new Map()): number {
  io.err(prettyDiagnostics(diagnostics, sources, io.color));
  return exit.unusable;
}
