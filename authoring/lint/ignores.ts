import { Texts } from "../../compiler/lint/comments.ts";
import type { PolicyDraft } from "../../compiler/policy-draft.ts";
import type { YamlMap } from "../../compiler/yaml-node.ts";
import { type Code, codes, isLint } from "../../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";

/** A comment `# hookwarden-ignore HW601: reason`. */
interface Ignore {
  readonly codes: readonly Code[];
  readonly span: Span;
  /** Line to which it applies (from 1); 0 for the whole file. */
  readonly line: number;
}

/** A file with its ignore comments. */
export interface IgnoringFile {
  readonly source: Source;
  readonly ignores: readonly Ignore[];
  /** Comments that are not complete (HW609). */
  readonly diagnostics: readonly Diagnostic[];
}

const mark = "hookwarden-ignore";

/**
 * Returns the ignore comments of a policy. A comment is on the line of the finding, or on a line of its own above it. Before
 * the first key of the file it applies to the whole file. Only real comments count, and only those with lint codes and a
 * reason.
 */
export function ignoresOf({ source }: Pick<PolicyDraft, "source">, root: YamlMap): IgnoringFile {
  const { text } = source;
  const ignores: Ignore[] = [];
  const diagnostics: Diagnostic[] = [];
  if (!text.includes(mark)) return { source, ignores, diagnostics };
  const texts = new Texts(root);
  const first = root.entries[0]?.keySpan.start ?? 0;
  for (const found of text.matchAll(/(?<=^|\s)#[ \t]*hookwarden-ignore(?![\w-])([^\r\n]*)/gm)) {
    const start = found.index;
    if (texts.at(start)) continue;
    const span = { start, end: start + found[0].trimEnd().length };
    const parsed = codesOf(found[1] ?? "");
    if ("problem" in parsed) {
      diagnostics.push(diagnostic("HW609", source, span, parsed.problem, `write \`# ${mark} HW…: reason\``));
      continue;
    }
    const line = start < first ? 0 : lineFor(source, start);
    ignores.push({ codes: parsed.codes, span, line });
  }
  return { source, ignores, diagnostics };
}

/** `HW601, HW603: reason`. */
function codesOf(rest: string): { readonly codes: readonly Code[] } | { readonly problem: string } {
  const colon = rest.indexOf(":");
  const names = (colon < 0 ? rest : rest.slice(0, colon)).split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0) return { problem: "an ignore comment names the codes that it ignores" };
  const unknown = names.find((name) => !Object.hasOwn(codes, name));
  if (unknown !== undefined) return { problem: `there is no code \`${unknown}\`` };
  const firm = names.find((name) => !isLint(name) || name === "HW609" || name === "HW610");
  if (firm !== undefined) return { problem: `\`${firm}\` cannot be ignored, only lints can` };
  if (colon < 0 || !/[\p{L}\p{N}]/u.test(rest.slice(colon + 1))) return { problem: "an ignore comment has a reason" };
  return { codes: names as Code[] };
}

/** Returns the line of the comment, or the next line with content if the comment stands alone. */
function lineFor(source: Source, start: number): number {
  let { line } = source.position(start);
  const own = source.line(line).trimStart();
  if (!own.startsWith("#")) return line;
  const last = source.position(source.text.length).line;
  while (line < last && /^\s*(?:#|$)/.test(source.line(line))) line++;
  return line;
}

/**
 * Returns diagnostics without the ignored ones, and a finding (HW610) for each comment that ignores nothing. `mayBeRaised`
 * tells which codes were checked: a comment for another code may still be needed.
 */
export function withoutIgnored(
  found: readonly Diagnostic[],
  files: readonly IgnoringFile[],
  mayBeRaised: (code: Code) => boolean = () => true,
): Diagnostic[] {
  const { kept, used } = divided(found, files);
  const idle = files.flatMap(({ source, ignores }) =>
    ignores
      .filter((each) => !used.has(each) && each.codes.every(mayBeRaised))
      .map((each) => {
        const names = each.codes.map((code) => `\`${code}\``).join(", ");
        return diagnostic(
          "HW610",
          source,
          each.span,
          `there is no ${names} here to be ignored`,
          "take the comment out",
        );
      }),
  );
  return [...kept, ...files.flatMap(({ diagnostics }) => diagnostics), ...idle];
}

/** Returns diagnostics without the ignored ones, and nothing about the comments: for a program that does not run the lints. */
export function notIgnored(
  found: readonly Diagnostic[],
  policies: readonly { readonly draft: Pick<PolicyDraft, "source">; readonly root: YamlMap }[],
): readonly Diagnostic[] {
  const files = policies.map(({ draft, root }) => ignoresOf(draft, root));
  return divided(found, files).kept;
}

function divided(
  found: readonly Diagnostic[],
  files: readonly IgnoringFile[],
): { readonly kept: readonly Diagnostic[]; readonly used: ReadonlySet<Ignore> } {
  const bySource = new Map(files.map((file) => [file.source.name, file]));
  const used = new Set<Ignore>();
  const kept = found.filter((d) => {
    const file = bySource.get(d.source);
    if (!file || file.ignores.length === 0) return true;
    const { line } = file.source.position(d.span.start);
    const over = file.ignores.filter((each) => each.codes.includes(d.code) && (each.line === 0 || each.line === line));
    for (const each of over) used.add(each);
    return over.length === 0;
  });
  return { kept, used };
}
