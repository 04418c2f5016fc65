import { runExamples } from "../../authoring/examples.ts";
import { checkThoroughly } from "../../authoring/thorough/thorough.ts";
import { type CompileResult, compile } from "../../compiler/compile.ts";
import type { PolicyFile } from "../../compiler/policy-draft.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import { sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";
import type { Scope } from "../../engine/plan.ts";
import { fenceInfo } from "./fence.ts";

const encoder = new TextEncoder();

/** A policy file of a test, from its text. */
export function policyFile(text: string, name = "policy.yaml"): PolicyFile {
  return { name, path: `/policies/${name}`, bytes: encoder.encode(text) };
}

/** What a test decides about the files of its set, by name. */
export interface Given {
  readonly set?: Readonly<Record<string, string>>;
  /** Files that are given by themselves, each in its scope. */
  readonly scopes?: Readonly<Record<string, Scope>>;
  /** Files that a human has trusted. */
  readonly trusted?: readonly string[];
}

/** Compiles policy texts as one set; the first and those with a scope are given, the others can be imported by name. */
export function compileTexts(
  texts: Readonly<Record<string, string>>,
  { set, scopes = {}, trusted = [] }: Given = {},
): CompileResult {
  const files = new Map(
    Object.entries(texts).map(([name, text]) => {
      const scope = scopes[name];
      return [name, { ...policyFile(text, name), ...(scope && { scope }) }];
    }),
  );
  const [first] = files.values();
  if (!first) throw new Error("a test needs a policy");
  const given = [...files.values()].filter((file) => file === first || scopes[file.name] !== undefined);
  return compile({
    files: given,
    ...(set && { set }),
    trusted: new Set(trusted.map((name) => sourceDigest(files.get(name)?.bytes ?? new Uint8Array()))),
    resolveImport: ({ file, pack }) => files.get((file ?? `${pack}.yaml`).replace(/^\.\//, "")),
  });
}

/** Everything that checking a policy says, examples included, as a terminal would show it without colours. */
export function rendered(result: CompileResult, thorough = false): string {
  const judged = result.plan ? runExamples(result) : [];
  const found = [...result.diagnostics, ...judged, ...(thorough ? checkThoroughly(result).diagnostics : [])];
  return sortDiagnostics(found)
    .map((d) => `${renderDiagnostic(d, result.sources)}\n`)
    .join("\n");
}

/** A policy head for texts that hold rules only. */
export function withHead(text: string): string {
  return /^version:/m.test(text) ? text : `version: 1\npolicy: p\n${/^rules:/m.test(text) ? "" : "rules:\n"}${text}`;
}

/** The blocks of a document as a set: texts by name, and what their fences say. Blocks without a name are numbered. */
export function givenBy(
  blocks: readonly { readonly info: string; readonly text: string }[],
): readonly [texts: Record<string, string>, given: Given] {
  const infos = blocks.map((block, i) => {
    const info = fenceInfo(block.info);
    return { ...info, text: block.text, name: info.name ?? `policy${i || ""}.yaml` };
  });
  return [
    Object.fromEntries(infos.map(({ name, text }) => [name, text])),
    {
      set: Object.assign({}, ...infos.map(({ set }) => set)),
      scopes: Object.fromEntries(infos.flatMap(({ name, scope }) => (scope ? [[name, scope]] : []))),
      trusted: infos.filter(({ trusted }) => trusted).map(({ name }) => name),
    },
  ];
}
