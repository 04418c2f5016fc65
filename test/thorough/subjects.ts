import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { givenAmong } from "../../authoring/lint/check-policies.ts";
import { type Row, ThoroughJudge } from "../../authoring/thorough/judge.ts";
import { type CheckedRule, type CompileResult, compile } from "../../compiler/compile.ts";
import { discoverPolicies, importProblem, resolveImport } from "../../store/discover.ts";
import { packNames } from "../../store/packs.ts";
import { code, readDocument, type Section } from "../literate/document.ts";
import { diskOf } from "../literate/judge.ts";
import { compileTexts, givenBy, withHead } from "../literate/policies.ts";

const root = join(import.meta.dirname, "../..");
const spec = join(root, "test/spec");

/** Policies whose examples are judged in other spellings: a pack, or a section of the language manual. */
export interface Subject {
  readonly name: string;
  rows(): Row[];
}

/** Every pack. */
export function packs(): Subject[] {
  return packNames().map((name) => ({
    name,
    rows: () => {
      const { files } = discoverPolicies([`pack:${name}`], root);
      const result = compile({ files, resolveImport, importProblem });
      return rowsOf(result, givenAmong(result, files));
    },
  }));
}

/** Every page of the language manual with policies. Calls in its tables that a rule blocks or asks about are examples too. */
export function specPages(): Subject[] {
  const pages = readdirSync(spec).filter((name) => name.endsWith(".md") && name !== "profiles.md");
  return pages.sort().map((page) => ({
    name: `spec ${page.slice(0, 2)}`,
    rows: () => readDocument(readFileSync(join(spec, page), "utf8")).flatMap((section) => rowsOfSection(section)),
  }));
}

function rowsOfSection(section: Section): Row[] {
  const blocks = section.blocks.filter(({ language }) => language === "yaml");
  if (blocks.length === 0) return [];
  const result = compileTexts(...givenBy(blocks.map(({ info, text }) => ({ info, text: withHead(text) }))));
  const policies = result.policies.map((policy) => ({
    ...policy,
    rules: policy.rules.map((rule) => withCalls(rule, section)),
  }));
  return rowsOf(result, policies).map((row) => ({
    ...row,
    rule: { ...row.rule, id: `${section.title}: ${row.rule.id}` },
  }));
}

/** The rule with the calls that the table of its section says it stops. */
function withCalls(rule: CheckedRule, section: Section): CheckedRule {
  const { files } = diskOf(section);
  const { rows } = section;
  const calls = rows.flatMap(([call = "", outcome = "", by = ""]) => {
    if ((outcome !== "block" && outcome !== "ask") || code(by) !== rule.id) return [];
    const given = code(call);
    const event: object = given.startsWith("{") ? JSON.parse(given) : { tool: "bash", args: { command: given } };
    const value = files ? { ...event, files } : given.startsWith("{") ? event : given;
    return [{ value, span: rule.span }];
  });
  return { ...rule, examples: { ...rule.examples, match: [...rule.examples.match, ...calls] } };
}

function rowsOf({ plan }: CompileResult, policies: CompileResult["policies"]): Row[] {
  if (!plan) return [];
  const judge = new ThoroughJudge(plan);
  return policies.flatMap(({ rules }) => rules.flatMap((rule) => judge.rows(rule)));
}
