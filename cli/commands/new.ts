import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addRule } from "../../authoring/new/add-rule.ts";
import { policyText, suiteText } from "../../authoring/new/policy-text.ts";
import { isId, type RuleKindName } from "../../authoring/new/rule-kinds.ts";
import { editorSchemas } from "../../authoring/new/schemas.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import { importProblem, resolveImport } from "../../store/discover.ts";
import { writeAtomically } from "../../store/output-file.ts";
import { fileDiagnostic, readPolicyFile } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { writeNewFiles } from "../new-files.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `new policy`. */
export interface NewPolicyOptions {
  readonly folder: string;
}

/** Options of `new rule`. */
export interface NewRuleOptions {
  readonly policy: string;
  readonly kind: RuleKindName;
}

/** `new policy`: writes a policy with a rule, and a suite beside it, in new files. If one exists, it returns 2 and writes nothing. */
export async function newPolicy(id: string, { folder }: NewPolicyOptions, io: Io): Promise<number> {
  if (!isId(id)) return refuse([notAnId(id)], io);
  const path = resolve(io.cwd, folder);
  const { references, copies } = editorSchemas(path);
  const policy = { id, packs: [], rule: { id: "ask-before-apply", kind: "command" }, schemas: references } as const;
  const files = new Map([
    [`${id}.yaml`, policyText(policy)],
    [`${id}.test.yaml`, suiteText(policy, `${id}.yaml`)],
  ]);
  const faults = writeNewFiles(path, folder, files, "choose another id; nothing was written");
  if (faults.length > 0) return refuse(faults, io);
  // Existing schemas of another policy in the folder stay unchanged.
  for (const copy of copies) writeNewFiles(path, folder, new Map([copy]), "");
  await io.out(`${[...files.keys()].map((name) => `${folder}/${name} written\n`).join("")}`);
  await io.out(`next: change its rule, then \`hookwarden check ${folder}\`\n`);
  return exit.fine;
}

/** `new rule`: adds one rule to a policy, as a text edit that keeps every other byte; 2, and nothing written, if it cannot. */
export async function newRule(id: string, { policy: name, kind }: NewRuleOptions, io: Io): Promise<number> {
  if (!isId(id)) return refuse([notAnId(id)], io);
  const path = resolve(io.cwd, name);
  const file = readPolicyFile(path, name);
  if (!("bytes" in file)) return refuse([forNew(file)], io);
  const added = addRule(file, id, kind, { resolveImport, importProblem });
  if ("diagnostics" in added) return refuse(added.diagnostics, io, added.sources);
  if ("problem" in added) return refuse([fileDiagnostic("HW702", name, added.problem, added.help)], io);
  try {
    if (!readFileSync(path).equals(file.bytes)) throw new Error("it changed meanwhile");
    writeAtomically(path, added.text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const help = "check the file and its folder; nothing was written";
    return refuse([fileDiagnostic("HW702", name, `\`${name}\` cannot be written: ${why}`, help)], io);
  }
  const line = added.text.slice(0, added.text.lastIndexOf(`- id: ${id}`)).split("\n").length;
  await io.out(`${name}:${line}: rule \`${id}\` added\n`);
  await io.out(`next: change what it is about and its examples, then \`hookwarden check ${name}\`\n`);
  return exit.fine;
}

/** Returns the finding for a missing policy, to which no rule can be added. */
function forNew(d: Diagnostic): Diagnostic {
  if (!/does not exist/.test(d.message)) return d;
  return { ...d, help: "begin with `hookwarden init`, or name a policy with `--policy`" };
}

function notAnId(id: string): Diagnostic {
  const help = "write lower-case words with `-` between them, such as `no-deploys`";
  return fileDiagnostic("HW701", id, `\`${id}\` cannot be an id`, help);
}

function refuse(diagnostics: readonly Diagnostic[], io: Io, sources: ReadonlyMap<string, Source> = new Map()): number {
  io.err(prettyDiagnostics(diagnostics, sources, io.color));
  return exit.unusable;
}
