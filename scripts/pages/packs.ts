import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../compiler/compile.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import type { PlanRule } from "../../engine/plan.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

const root = join(import.meta.dirname, "..", "..");

/** The manual of each shipped pack, beside its policy. */
export const pages: readonly Page[] = readdirSync(join(root, "policies"))
  .sort()
  .map((pack) => ({ path: `policies/${pack}/README.md`, render: () => manual(pack) }));

/** What a manual takes from a rule as its author wrote it; the plan keeps only what decides. */
interface WrittenRule {
  readonly id: string;
  readonly description?: string;
  readonly reason?: string;
  readonly guidance?: string;
  readonly false_positives?: string;
  readonly references?: readonly string[];
  readonly examples?: { readonly match?: readonly unknown[]; readonly no_match?: readonly unknown[] };
}

interface WrittenPolicy {
  readonly imports?: readonly { readonly pack?: string; readonly with?: Readonly<Record<string, unknown>> }[];
  readonly rules?: readonly WrittenRule[];
}

function manual(pack: string): string {
  const { files } = discoverPolicies([`pack:${pack}`], root);
  const { plan, stages } = compile({ files, resolveImport });
  const draft = stages.resolved.find(({ draft: { id } }) => id === pack)?.draft;
  if (!plan || !draft) throw new Error(`pack ${pack} does not compile; run \`hookwarden check policies\``);
  const written = writtenPolicy(pack);
  const own = plan.rules.filter((rule) => rule.id.startsWith(`${pack}/`));
  const texts = new Map((written.rules ?? []).map((rule) => [`${pack}/${rule.id}`, rule]));
  return [
    generatedFrom(`policies/${pack}/policy.yaml`),
    `# ${pack}: ${draft.title}\n`,
    `${draft.description}\n`,
    `\`\`\`yaml\nimports:\n  - pack: ${pack}\n\`\`\`\n`,
    `A call that no rule answers: ${draft.default}. A call that cannot be understood: ${draft.unknown}.\n`,
    imported(written),
    own.length === 0 ? "" : `## Rules\n\n${overview(own)}\n`,
    parameters(draft.parameters),
    own.map((rule) => section(rule, texts.get(rule.id))).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function writtenPolicy(pack: string): WrittenPolicy {
  const name = `policies/${pack}/policy.yaml`;
  const { root: tree } = readYaml(name, readFileSync(join(root, name)));
  if (!tree) throw new Error(`${name} is no YAML`);
  return toValue(tree) as WrittenPolicy;
}

function imported({ imports = [] }: WrittenPolicy): string {
  const packs = imports.flatMap((one) => (one.pack === undefined ? [] : [{ pack: one.pack, set: one.with }]));
  if (packs.length === 0) return "";
  const rows = packs.map(({ pack, set }) => [
    `[${pack}](../${pack}/README.md)`,
    set === undefined ? "its defaults" : code(JSON.stringify(set)),
  ]);
  return `## Imported packs\n\n${table(["pack", "with"], rows)}\n`;
}

function overview(own: readonly PlanRule[]): string {
  const rows = own.map((rule) => [
    code(rule.id),
    rule.title,
    rule.actions.map((a) => a.action).join(", "),
    rule.events.join(", "),
    rule.severity,
    rule.tags.map(code).join(" "),
  ]);
  return table(["rule", "what it is about", "action", "events", "severity", "tags"], rows);
}

function parameters(declared: ReadonlyMap<string, { type: string; value: unknown; description: string }>): string {
  if (declared.size === 0) return "";
  const rows = [...declared].map(([name, p]) => [code(name), p.type, code(JSON.stringify(p.value)), p.description]);
  return `## Parameters\n\n${table(["parameter", "type", "default", "meaning"], rows)}\n`;
}

function section(rule: PlanRule, written: WrittenRule | undefined): string {
  const rows = [
    ["says", sentence(written?.reason)],
    ["instead", sentence(written?.guidance)],
    ["may be wrong about", sentence(written?.false_positives)],
    ["maps to", (written?.references ?? []).map(mapped).join(", ")],
  ].filter(([, text]) => text !== "") as [string, string][];
  return [
    `## ${rule.title}\n`,
    `Rule ${code(rule.id)}.${written?.description ? ` ${written.description.trim()}` : ""}\n`,
    ...(rows.length > 0 ? [`${table(["", ""], rows)}\n`] : []),
    ...examplesOf(written),
  ].join("\n");
}

function sentence(text: string | undefined): string {
  return text?.trim().replaceAll("\n", " ") ?? "";
}

/** `attack:T1485` as a link; the agentic list of OWASP has one page for all of its entries. */
function mapped(reference: string): string {
  const [list, id] = reference.split(":");
  if (list === "attack" && id) return `[${id}](https://attack.mitre.org/techniques/${id.replace(".", "/")}/)`;
  if (list === "owasp-agentic" && id) return `OWASP agentic ${id}`;
  return code(reference);
}

// So many examples of each kind show what a rule is about; the policy has them all.
const shown = 5;

function examplesOf(written: WrittenRule | undefined): string[] {
  const block = (title: string, list: readonly unknown[] | undefined): string[] =>
    !list || list.length === 0
      ? []
      : [
          `${title}:\n\n${list
            .slice(0, shown)
            .map((one) => `- ${inline(one)}`)
            .join("\n")}\n`,
        ];
  return [...block("Applies to", written?.examples?.match), ...block("Leaves alone", written?.examples?.no_match)];
}

/** A text as it is, anything else as JSON, as one piece of inline code whatever back-ticks it holds. */
function inline(example: unknown): string {
  const text = (typeof example === "string" ? example : JSON.stringify(example)).replaceAll("\n", "⏎");
  const visible = [...text]
    .map((c) => (/[\p{Cc}\p{Cf}]/u.test(c) ? `\\u{${c.codePointAt(0)?.toString(16)}}` : c))
    .join("");
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${visible}${fence}` : `${fence} ${visible} ${fence}`;
}
