import type { Code } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnostic, type Related } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import { spend } from "../facts/meter.ts";
import { programName } from "../facts/shell/names.ts";
import type { ProgramClaim, ToolClaim } from "../schema/declarations.ts";
import type { PolicyOutline } from "./outline.ts";
import { shown } from "./parse/declarations.ts";
import type { ProgramDraft } from "./policy-draft.ts";
import { inOrder } from "./policy-name.ts";
import type { ResolvedPolicy } from "./resolve.ts";

type Report = (code: Code, span: Span, message: string, help: string, related?: readonly Related[]) => void;

/** First declaration of a name that says anything, in judging order, with its policy. */
interface Said<Claim> {
  readonly claim: Claim;
  readonly by: string;
  /** Undefined for a policy that is compiled already. */
  readonly policy: ResolvedPolicy | undefined;
  readonly related: readonly Related[];
}

/** Declarations of one compilation's policies: for each name the first one that says anything, in judging order. */
interface Sayings {
  readonly programs: ReadonlyMap<string, Said<ProgramClaim>>;
  readonly tools: ReadonlyMap<string, Said<ToolClaim>>;
  /** Programs by other names and paths of theirs. */
  readonly aliases: ReadonlyMap<string, Said<ProgramClaim>>;
}

const known = new WeakMap<readonly ResolvedPolicy[], Sayings>();

/**
 * Checks the declarations of one policy. They may only add to the tables. Declarations of one name in several policies must be
 * equal; a difference is an error in the policy that is judged later. A declaration with only a name never differs.
 */
export function checkDeclared(
  { draft }: ResolvedPolicy,
  all: readonly ResolvedPolicy[],
  base: readonly PolicyOutline[] = [],
): readonly Diagnostic[] {
  if (draft.programs.size === 0 && draft.tools.size === 0) return [];
  const found: Diagnostic[] = [];
  const report: Report = (code, span, message, help, related) => {
    spend(findingWork);
    found.push(diagnostic(code, draft.source, span, message, help, related));
  };
  const said = known.get(all) ?? sayings(all, base);
  known.set(all, said);
  for (const program of draft.programs.values()) {
    spend(4 + program.claim.aliases.length);
    checkAliases(program, said, report);
    differs(program, "program", said.programs.get(program.claim.name), report);
  }
  for (const { claim, span } of draft.tools.values()) {
    spend(2);
    differs({ claim, span }, "tool", said.tools.get(claim.name), report);
  }
  return found;
}

/** Cost of a finding, with the comparison that it takes, in units of work. */
const findingWork = 100;

function differs<Claim extends ProgramClaim | ToolClaim>(
  { claim, span }: { readonly claim: Claim; readonly span: Span },
  what: string,
  first: Said<Claim> | undefined,
  report: Report,
): void {
  if (!first || !saysAnything(claim) || textOf(first.claim) === textOf(claim)) return;
  report(
    "HW415",
    span,
    `${what} \`${shown(claim.name)}\` is declared otherwise by policy \`${first.by}\``,
    "make both alike, or leave one out: no declaration replaces another",
    first.related,
  );
}

/** Checks aliases: every name must belong to one program only. */
function checkAliases({ claim, aliasSpans }: ProgramDraft, said: Sayings, report: Report): void {
  for (const [i, alias] of claim.aliases.entries()) {
    const span = aliasSpans[i] as Span;
    const base = programName(alias);
    const other = [
      said.programs.get(alias),
      base === claim.name ? undefined : said.programs.get(base),
      said.aliases.get(alias),
    ];
    const owner = other.find((one) => one !== undefined && one.claim.name !== claim.name);
    if (owner)
      report(
        "HW415",
        span,
        `\`${shown(alias)}\` is declared for the program \`${shown(owner.claim.name)}\` too, by policy \`${owner.by}\``,
        "leave it out at one of them: a name stands for one program",
        owner.related,
      );
  }
}

function sayings(all: readonly ResolvedPolicy[], base: readonly PolicyOutline[]): Sayings {
  const programs = new Map<string, Said<ProgramClaim>>();
  const tools = new Map<string, Said<ToolClaim>>();
  const aliases = new Map<string, Said<ProgramClaim>>();
  const say = (program: Said<ProgramClaim>): void => {
    const { name } = program.claim;
    if (saysAnything(program.claim) && !programs.has(name)) programs.set(name, program);
    for (const alias of program.claim.aliases) if (!aliases.has(alias)) aliases.set(alias, program);
  };
  const sayTool = (tool: Said<ToolClaim>): void => {
    if (saysAnything(tool.claim) && !tools.has(tool.claim.name)) tools.set(tool.claim.name, tool);
  };
  for (const { id, programs: own, tools: named } of base) {
    for (const claim of own) say({ claim, by: id, policy: undefined, related: [] });
    for (const claim of named) sayTool({ claim, by: id, policy: undefined, related: [] });
  }
  for (const policy of inOrder(all)) {
    const { draft } = policy;
    const related = (span: Span): readonly Related[] => [{ message: "declared here", source: draft.source.name, span }];
    for (const { claim, span } of draft.programs.values()) say({ claim, by: draft.id, policy, related: related(span) });
    for (const { claim, span } of draft.tools.values())
      sayTool({ claim, by: draft.id, policy, related: related(span) });
  }
  return { programs, tools, aliases };
}

/** False for a declaration that only names a program or a tool. */
export function saysAnything(claim: ProgramClaim | ToolClaim): boolean {
  if (claim.effects) return true;
  return "options" in claim && (claim.options.length > 0 || claim.aliases.length > 0 || claim.wraps !== undefined);
}

/** Returns a claim as text, independent of the order of its names. */
function textOf(claim: ProgramClaim | ToolClaim): string {
  if (!("options" in claim)) return JSON.stringify(claim);
  const { name, aliases, options, effects, wraps } = claim;
  return JSON.stringify([name, [...aliases].sort(), [...options].sort(), effects, wraps]);
}
