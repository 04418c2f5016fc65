import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../compiler/compile.ts";
import type { PlanRule, Template } from "../../engine/plan.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

const root = join(import.meta.dirname, "..", "..");

/** The manual of each shipped pack, beside its policy. */
export const pages: readonly Page[] = readdirSync(join(root, "policies"))
  .sort()
  .map((pack) => ({ path: `policies/${pack}/README.md`, render: () => manual(pack) }));

function manual(pack: string): string {
  const { files } = discoverPolicies([`pack:${pack}`], root);
  const { plan, stages } = compile({ files, resolveImport });
  const draft = stages.resolved.find(({ draft: { id } }) => id === pack)?.draft;
  if (!plan || !draft) throw new Error(`pack ${pack} does not compile; run \`hookwarden check policies\``);
  const own = plan.rules.filter((rule) => rule.id.startsWith(`${pack}/`));
  const rows = own.map((rule) => [
    code(rule.id),
    rule.title,
    rule.actions.map((a) => a.action).join(", "),
    rule.events.join(", "),
    rule.severity,
    rule.tags.map(code).join(" "),
  ]);
  return [
    generatedFrom(`policies/${pack}/policy.yaml`),
    `# ${pack}: ${draft.title}\n`,
    `${draft.description}\n`,
    `\`\`\`yaml\nimports:\n  - pack: ${pack}\n\`\`\`\n`,
    `A call that no rule answers: ${draft.default}. A call that cannot be understood: ${draft.unknown}.\n`,
    `${table(["rule", "what it is about", "action", "events", "severity", "tags"], rows)}\n`,
    parameters(draft.parameters),
    own.map(section).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function parameters(declared: ReadonlyMap<string, { type: string; value: unknown; description: string }>): string {
  if (declared.size === 0) return "";
  const rows = [...declared].map(([name, p]) => [code(name), p.type, code(JSON.stringify(p.value)), p.description]);
  return `## Parameters\n\n${table(["parameter", "type", "default", "meaning"], rows)}\n`;
}

function section(rule: PlanRule): string {
  const text = (template: Template | undefined): string =>
    (template ?? []).map((part) => (typeof part === "string" ? part : "…")).join("");
  const lines = [`## ${rule.title}\n`, `Rule ${code(rule.id)}.`];
  if (rule.reason) lines.push(`It says: ${text(rule.reason)}.`);
  if (rule.guidance) lines.push(`What to do instead: ${text(rule.guidance)}`);
  return `${lines[0]}\n${lines.slice(1).join(" ")}\n`;
}
