import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../compiler/compile.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import type { Plan, PlanRule } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { exampleEnvironment } from "../../schema/example-environment.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { exceptions, type ManualRule, summary } from "../generate/pack-use.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

const root = join(import.meta.dirname, "..", "..");

/** The manual of each shipped pack, beside its policy. */
export const pages: readonly Page[] = readdirSync(join(root, "policies"))
  .sort()
  .map((pack) => ({ path: `policies/${pack}/README.md`, render: () => manual(pack) }));

/** Parts of a rule that a manual takes from its source, because the plan keeps only what decides. */
interface WrittenRule {
  readonly id: string;
  readonly description?: string;
  readonly reason?: string;
  readonly guidance?: string;
  readonly false_positives?: string;
  readonly references?: readonly string[];
  readonly each?: Readonly<Record<string, string>>;
  readonly examples?: { readonly match?: readonly unknown[]; readonly no_match?: readonly unknown[] };
}

interface WrittenPolicy {
  readonly title?: string;
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
  const imports = (written.imports ?? []).length > 0;
  const rules = own.map((rule) => manualRule(rule, texts.get(rule.id)));
  return [
    generatedFrom(`policies/${pack}/policy.yaml`),
    `# ${pack}: ${draft.title}\n`,
    `${draft.description}\n`,
    own.length === 0 ? "" : `${summary(rules, isFreeBy(plan))}\n`,
    `A call that no rule answers: ${draft.default}. A call that cannot be understood: ${draft.unknown}.\n`,
    pack === builtIn ? "" : `## Using it\n\n\`\`\`yaml\nimports:\n  - pack: ${pack}\n\`\`\`\n`,
    imported(written),
    parameters(draft.parameters),
    pack === builtIn
      ? ""
      : `## When a rule is in the way\n\n${exceptions(pack, rules.length > 0 ? rules : importedRules(plan), [...draft.parameters.keys()], imports)}\n`,
    own.length === 0 ? "" : `## Rules\n\n${overview(own)}\n`,
    own.map((rule) => section(rule, texts.get(rule.id))).join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** In force wherever any policy is: nothing imports it, and no exception reaches it. */
const builtIn = "self-protection";

/** Returns the rules of a pack that only imports, with the data that an exception needs. */
function importedRules(plan: Plan): ManualRule[] {
  return plan.rules
    .filter(({ id }) => !id.startsWith(`${builtIn}/`))
    .map((rule) => ({ ...manualRule(rule, writtenRule(rule.id)), isImported: true }));
}

function writtenRule(id: string): WrittenRule | undefined {
  const [pack = "", name] = id.split("/");
  return writtenPolicy(pack).rules?.find((rule) => rule.id === name);
}

function isFreeBy(plan: Plan): (command: string) => boolean {
  const engine = createEngine(plan);
  return (command) => {
    const event = { event: "tool_call", tool: "bash", args: { command }, environment: exampleEnvironment };
    return engine.decide({ ...event, session: { id: command } }).decision.outcome === "allow";
  };
}

function manualRule(rule: PlanRule, written: WrittenRule | undefined): ManualRule {
  const [each] = Object.entries(written?.each ?? {});
  return {
    id: rule.id,
    title: rule.title,
    actions: rule.actions.map(({ action }) => action),
    noMatch: written?.examples?.no_match ?? [],
    ...(each && { each }),
  };
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
    writtenPolicy(pack).title ?? "",
    set === undefined ? "its defaults" : code(JSON.stringify(set)),
  ]);
  return `## Imported packs\n\n${table(["pack", "what it is about", "with"], rows)}\n`;
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
  if (list === "owasp-llm" && id) return `OWASP LLM ${id}`;
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

// Characters of an example that a page shows.
const longest = 300;

/** Returns a text, or any other value as JSON, as inline code, even if it contains backticks. */
function inline(example: unknown): string {
  const whole = (typeof example === "string" ? example : JSON.stringify(example)).replaceAll("\n", "⏎");
  const text = whole.length > longest ? `${whole.slice(0, longest)}…` : whole;
  const visible = [...text]
    .map((c) => (/[\p{Cc}\p{Cf}]/u.test(c) ? `\\u{${c.codePointAt(0)?.toString(16)}}` : c))
    .join("");
  const ticks = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(ticks + 1);
  return ticks === 0 ? `${fence}${visible}${fence}` : `${fence} ${visible} ${fence}`;
}
