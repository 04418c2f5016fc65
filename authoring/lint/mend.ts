import type { CompileResult } from "../../compiler/compile.ts";
import type { PolicyFile } from "../../compiler/policy-draft.ts";
import { child } from "../../compiler/yaml-node.ts";
import { type Diagnostic, type Fix, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import { applyEdits } from "../fmt/edits.ts";
import type { ThoroughCounts } from "../thorough/thorough.ts";
import { decidingText } from "./alike.ts";

/** Result of a check of files, with lints and failed examples among the diagnostics. */
export interface Checked {
  readonly result: CompileResult;
  readonly diagnostics: readonly Diagnostic[];
  /** Counts of other spellings of the examples, if requested. */
  readonly thorough?: ThoroughCounts;
}

/** Files after their fixes were applied. */
export interface Mended {
  /** All files, fixed or unchanged. */
  readonly files: readonly PolicyFile[];
  /** Files whose bytes changed, with the bytes they had. */
  readonly changed: readonly { readonly file: PolicyFile; readonly before: Uint8Array; readonly output: string }[];
  /** Number of applied fixes. */
  readonly made: number;
  readonly checked: Checked;
}

/** Maximum rounds of fixes: one fix may make room for another. */
const mostRounds = 10;
/** Maximum fixes tried one by one after they failed together. */
const mostSingles = 100;

/**
 * Applies the fixes of findings in files that `may` be changed, and compiles the result. Fixes called `same` must leave a
 * plan that decides alike. `stricter` ones may change only the rule that holds them. No example may fail that held before. A
 * fix that breaks its promise is not applied. A set with an error is not touched at all. Pure except for `check`.
 */
export function mendPolicies(
  files: readonly PolicyFile[],
  check: (files: readonly PolicyFile[]) => Checked,
  may: (file: PolicyFile) => boolean,
): Mended {
  let now: State = { files, checked: check(files) };
  let made = 0;
  const refused = new Set<string>();
  for (let round = 0; round < mostRounds && !hasErrorsOf(now.checked); round++) {
    const offered = fixesOf(now, may).filter((fix) => !refused.has(keyOf(fix)));
    if (offered.length === 0) break;
    const step = attempt(now, offered, check) ?? singly(now, offered, check, refused);
    if (!step) break;
    now = step.state;
    made += step.made;
  }
  const before = new Map(files.map((file) => [file.path, file.bytes]));
  const changed = now.files.flatMap((file) => {
    const was = before.get(file.path);
    return was === undefined || was === file.bytes
      ? []
      : [{ file, before: was, output: new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes) }];
  });
  return { files: now.files, changed, made, checked: now.checked };
}

interface State {
  readonly files: readonly PolicyFile[];
  readonly checked: Checked;
}

interface Offered {
  readonly fix: Fix;
  readonly source: string;
  readonly code: string;
}

/** True for errors. Lints that a configuration calls errors do not keep a policy from loading. */
function hasErrorsOf({ result }: Checked): boolean {
  return hasErrors(result.diagnostics) || result.plan === undefined;
}

function keyOf({ fix, source, code }: Offered): string {
  return JSON.stringify([code, source, fix.edits]);
}

/** Returns fixes that do not overlap, the first ones first. */
function fixesOf({ files, checked }: State, may: (file: PolicyFile) => boolean): Offered[] {
  const open = new Set(files.filter(may).map(({ name }) => name));
  const taken = new Map<string, Span[]>();
  return checked.diagnostics.flatMap(({ fix, source, code }): Offered[] => {
    if (!fix || !open.has(source)) return [];
    const spans = taken.get(source) ?? [];
    if (fix.edits.some(({ span }) => spans.some((other) => span.start <= other.end && other.start <= span.end)))
      return [];
    taken.set(source, [...spans, ...fix.edits.map(({ span }) => span)]);
    return [{ fix, source, code }];
  });
}

type Check = (files: readonly PolicyFile[]) => Checked;
type Step = { readonly state: State; readonly made: number };

function attempt(state: State, offered: readonly Offered[], check: Check): Step | undefined {
  const files = state.files.map((file) => edited(file, offered));
  const checked = check(files);
  return keepsPromises(state, checked, offered) ? { state: { files, checked }, made: offered.length } : undefined;
}

function singly(state: State, offered: readonly Offered[], check: Check, refused: Set<string>): Step | undefined {
  for (const one of offered.slice(0, mostSingles)) {
    const step = offered.length > 1 ? attempt(state, [one], check) : undefined;
    if (step) return step;
    refused.add(keyOf(one));
  }
  return undefined;
}

function edited(file: PolicyFile, offered: readonly Offered[]): PolicyFile {
  const edits = offered.filter(({ source }) => source === file.name).flatMap(({ fix }) => fix.edits);
  if (edits.length === 0) return file;
  const text = new TextDecoder("utf-8").decode(file.bytes);
  const mark = file.bytes[0] === 0xef && file.bytes[1] === 0xbb && file.bytes[2] === 0xbf ? "\ufeff" : "";
  return { ...file, bytes: new TextEncoder().encode(mark + applyEdits(text, edits)) };
}

function keepsPromises({ checked: before }: State, after: Checked, offered: readonly Offered[]): boolean {
  const [one, other] = [before.result.plan, after.result.plan];
  if (!one || !other || hasErrorsOf(after)) return false;
  if (failedExamples(after) > failedExamples(before)) return false;
  const strict = offered.filter(({ fix }) => fix.meaning === "stricter");
  const rules = strict.map((each) => ruleOf(each, before.result));
  if (rules.includes(undefined)) return false;
  const free = new Set(rules);
  return apartFrom(decidingText(one), free) === apartFrom(decidingText(other), free);
}

function failedExamples({ diagnostics }: Checked): number {
  return diagnostics.filter(({ code }) => code === "HW403").length;
}

/** Returns the plan without some rules. */
function apartFrom(plan: string, rules: ReadonlySet<string | undefined>): string {
  if (rules.size === 0) return plan;
  const parsed = JSON.parse(plan) as { readonly rules: readonly { readonly id: string }[] };
  return JSON.stringify({ ...parsed, rules: parsed.rules.filter(({ id }) => !rules.has(id)) });
}

/** Returns the rule, by its name in the plan, that contains all edits of a fix. */
function ruleOf({ fix, source }: Offered, { stages, policies }: CompileResult): string | undefined {
  const at = stages.resolved.findIndex(({ draft }) => draft.source.name === source);
  const policy = stages.resolved[at];
  const nodes = policy && child(policy.root, "rules");
  const index =
    nodes?.kind === "list"
      ? nodes.items.findIndex(({ span }) =>
          fix.edits.every((edit) => edit.span.start >= span.start && edit.span.end <= span.end),
        )
      : -1;
  return policies[at]?.rules[index]?.id;
}
