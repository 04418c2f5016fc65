import { type CompileRequest, type CompileResult, compile } from "../../compiler/compile.ts";
import type { PolicyDraft, PolicyFile } from "../../compiler/policy-draft.ts";
import type { ResolvedPolicy } from "../../compiler/resolve.ts";
import type { YamlMap } from "../../compiler/yaml-node.ts";
import { type Diagnostic, diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { Source } from "../../diagnostics/source.ts";
import { canonicaliseNames } from "./aliases.ts";
import { type Conversion, type Kept, toExpressions } from "./conditions.ts";
import { toTests } from "./conditions-to-tests.ts";
import { openDocument, type PolicyDocument } from "./document.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { canonicaliseTests, mayHoldAlias } from "./names-in-tests.ts";
import { type OwnText, parseOwnText, readOwnText } from "./own-text.ts";
import { conditionPlaces, referencesOf } from "./places.ts";
import { draftText, planText } from "./same-plan.ts";
import { trimWhiteSpace } from "./white-space.ts";

/** The target spelling of conditions. */
export type Spelling = "yaml" | "expr";

/** Options of formatting a file. `resolveImport` and `importProblem` are those of `compile`. */
export interface FormatOptions extends Pick<CompileRequest, "resolveImport" | "importProblem"> {
  readonly to?: Spelling;
}

/** A formatted file. */
export interface Formatted {
  readonly before: string;
  /** Equal to `before` if there is nothing to do, or if `diagnostics` has an error. */
  readonly after: string;
  /** The file's bytes with `after` in them: a byte order mark stays. */
  readonly output: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: CompileResult["sources"];
  /** Conditions that keep their spelling, by their place in `after`. */
  readonly kept: readonly Kept[];
}

/** One small change of form: edits that do not overlap. Each sees the text as its predecessor left it. */
type Rewrite = (document: PolicyDocument) => readonly Edit[];

/** Maximum rounds until nothing changes; a formatter that needs more has a fault. */
const mostRounds = 3;

/**
 * Formats one policy file: canonical names, no white space at line ends, one line break at the end; with `to`, conditions in
 * that spelling. Everything else stays byte for byte. A file that cannot be read or parsed is not touched. Nor is one that
 * does not compile, if `to` needs its types. The result is parsed again. Rules that differ in more than places must give the
 * same plan, else it is HW506; so is a second formatting that would change something. Never throws.
 */
export function formatPolicy(file: PolicyFile, options: FormatOptions = {}): Formatted {
  const before = new TextDecoder("utf-8").decode(file.bytes);
  const given: Given = options.to === undefined ? readOwnText(file) : compiledText(file, options);
  const refused = refusal(given, options);
  const sources = new Map([[file.name, given.source], ...(given.compiled?.sources ?? [])]);
  const unchanged = { before, after: before, output: before, sources, kept: [] };
  if (refused.length > 0) return { ...unchanged, diagnostics: refused };
  try {
    const { document, kept } = rewritten(file, canonicalTests(file, before, given, options), given.policy, options);
    const { text } = document;
    const problem = text === before ? undefined : changedMeaning(file, document, given, options);
    if (problem !== undefined) return { ...unchanged, diagnostics: [internal(file, problem)] };
    const mark = file.bytes[0] === 0xef && file.bytes[1] === 0xbb ? "\ufeff" : "";
    return { before, after: text, output: mark + text, diagnostics: [], sources, kept };
  } catch (fault) {
    return { ...unchanged, diagnostics: [internal(file, fault instanceof Error ? fault.message : String(fault))] };
  }
}

/** A file as given: by itself, and compiled if its types are needed. */
type Given = Omit<OwnText, "policy"> & {
  readonly policy: { readonly draft: PolicyDraft; readonly root: YamlMap } | ResolvedPolicy | undefined;
  readonly compiled?: CompileResult;
};

function compiledText(file: PolicyFile, options: FormatOptions): Given {
  const compiled = compileOne(file, options);
  const policy = compiled.stages.resolved.find(({ draft }) => draft.file.path === file.path);
  const source = compiled.sources.get(file.name) ?? new Source(file.name, "");
  return { source, policy, diagnostics: compiled.diagnostics, compiled };
}

function compileOne(file: PolicyFile, { resolveImport, importProblem }: FormatOptions): CompileResult {
  return compile({
    files: [file],
    ...(resolveImport && { resolveImport }),
    ...(importProblem && { importProblem }),
  });
}

/** Returns the errors that forbid a change of the file: always those of form and syntax, and all errors if types are needed. */
function refusal({ diagnostics, policy }: Given, { to }: FormatOptions): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (to !== undefined || policy === undefined) return errors;
  return errors.some(({ code }) => /^HW(?:0|10[1-5]|2)/.test(code)) ? errors : [];
}

/** Returns the file with canonical names in its conditions and sequences. */
function canonicalTests(file: PolicyFile, before: string, given: Given, options: FormatOptions): PolicyDocument {
  const document = opened(file.name, before, given.policy?.root);
  if (!given.policy || !mayHoldAlias(given.policy.draft)) return document;
  const edits = canonicaliseTests(document, file.name, given.compiled ?? compileOne(file, options));
  return edits.length === 0 ? document : opened(file.name, applyEdits(before, edits));
}

function rewritten(
  file: PolicyFile,
  given: PolicyDocument,
  policy: Given["policy"],
  options: FormatOptions,
): { readonly document: PolicyDocument; readonly kept: readonly Kept[] } {
  let kept: readonly Kept[] = [];
  const rewrites: Rewrite[] = [canonicaliseNames];
  if (options.to !== undefined && policy && "scope" in policy) {
    const convert = options.to === "expr" ? toExpressions : toTests;
    rewrites.push((document) => {
      const places = conditionPlaces(document, policy);
      const conversion: Conversion = convert(document, places, referencesOf(policy));
      kept = conversion.kept;
      return conversion.edits;
    });
  }
  rewrites.push(trimWhiteSpace);
  let document = given;
  for (let round = 0; round < mostRounds; round++) {
    const { text } = document;
    document =
      options.to === undefined ? together(file.name, document, rewrites) : inTurn(file.name, document, rewrites);
    if (document.text === text) return { document, kept };
  }
  throw new Error("formatting does not settle");
}

function inTurn(name: string, given: PolicyDocument, rewrites: readonly Rewrite[]): PolicyDocument {
  let document = given;
  for (const rewrite of rewrites) {
    const made = rewrite(document);
    if (made.length > 0) document = opened(name, applyEdits(document.text, made));
  }
  return document;
}

/** Applies rewrites together if their edits do not overlap, since reading a file takes most of the time. */
function together(name: string, document: PolicyDocument, rewrites: readonly Rewrite[]): PolicyDocument {
  const made = rewrites.map((rewrite) => rewrite(document));
  const all = made.flat().sort((a, b) => a.span.start - b.span.start);
  if (all.length === 0) return document;
  const apart = all.every(({ span }, i) => i === 0 || span.start >= (all[i - 1] as Edit).span.end);
  return apart ? opened(name, applyEdits(document.text, all)) : inTurn(name, document, rewrites);
}

function opened(name: string, text: string, known?: YamlMap): PolicyDocument {
  const document = openDocument(name, text, known);
  if (!document) throw new Error("the formatted text cannot be read any more");
  return document;
}

/** Returns why the new text must not be written; undefined if it means the same. */
function changedMeaning(
  file: PolicyFile,
  { text, source, root }: PolicyDocument,
  given: Given,
  options: FormatOptions,
): string | undefined {
  const { policy: other } = parseOwnText(file, source, root);
  if (given.policy && other && draftText(given.policy.draft) === draftText(other.draft)) return undefined;
  const before = given.compiled ?? compileOne(file, options);
  if (!before.plan) return "formatted policy would have other rules";
  const after = compileOne({ ...file, bytes: new TextEncoder().encode(text) }, options);
  if (!after.plan) return `formatted policy would not load: ${after.diagnostics[0]?.message ?? "unknown reason"}`;
  return planText(after.plan) === planText(before.plan) ? undefined : "formatted policy would have another plan";
}

function internal(file: PolicyFile, problem: string): Diagnostic {
  const source = new Source(file.name, "");
  const help = "the file was left as it is; please report this with the policy that caused it";
  return diagnostic("HW506", source, { start: 0, end: 0 }, `internal error: ${problem}`, help);
}

/** True if any file may not be written. */
export function hasFailed(formatted: readonly Formatted[]): boolean {
  return formatted.some(({ diagnostics }) => hasErrors(diagnostics));
}
