import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { packFile, packNames } from "../../store/packs.ts";
import { attackTechniques, owaspAgentic, owaspLlm } from "./frameworks.ts";

/** What people read of shipped packs: every rule says why, what instead and where it may be wrong, shows both sides, and maps to public lists that have the entry. */

interface Rule {
  readonly id: string;
  readonly action: unknown;
  readonly title?: string;
  readonly reason?: string;
  readonly guidance?: string;
  readonly false_positives?: string;
  readonly tags?: readonly string[];
  readonly references?: readonly string[];
  readonly examples?: { readonly match?: readonly unknown[]; readonly no_match?: readonly unknown[] };
}

interface Policy {
  readonly title?: string;
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, { readonly description?: string; readonly default?: unknown }>>;
  readonly rules: readonly Rule[];
}

function policyOf(pack: string): Policy {
  const { root } = readYaml(`policies/${pack}/policy.yaml`, readFileSync(packFile(pack) ?? ""));
  if (!root) throw new Error(`${pack} is no YAML`);
  return toValue(root) as Policy;
}

const packs = packNames().map((pack) => [pack, policyOf(pack)] as const);
const rules = packs.flatMap(([pack, { rules: own }]) => own.map((rule) => [`${pack}/${rule.id}`, rule] as const));

const runs = ({ action }: Rule): boolean =>
  typeof action === "object" && action !== null && Object.hasOwn(action, "run");
const waits = (rule: Rule): boolean => runs(rule) && !JSON.stringify(rule.action).includes('"background":true');

/** Rules that a parameter switches on: no example can match. Their suite sets it. */
const offByDefault = new Set(["exfiltration/unlisted-download"]);
/** Rules for the sake of the work, not of safety: no list of threats has them. */
const withoutThreat = new Set(["context-hygiene/remind"]);

describe.each(packs)("pack %s", (_, { title, description, parameters }) => {
  it("says what it is for, and of every parameter what it means and what it is by itself", () => {
    expect(title).toBeTruthy();
    expect(description?.length ?? 0).toBeGreaterThan(80);
    for (const [name, one] of Object.entries(parameters ?? {})) {
      expect(one.description, name).toBeTruthy();
      expect(one.default, name).toBeDefined();
    }
  });
});

describe.each(rules)("rule %s", (id, rule) => {
  it("says what it is about, why, what to do instead, and where it may be wrong", () => {
    // A program speaks for itself.
    const texts = [rule.title, rule.guidance, rule.false_positives, ...(runs(rule) ? [] : [rule.reason])];
    for (const text of texts) expect(text, id).toBeTruthy();
  });

  it("has three examples of each side", () => {
    // No program is run for an example, so that the matching side of a rule that waits for one stands in its suite.
    if (!waits(rule) && !offByDefault.has(id)) expect(rule.examples?.match?.length ?? 0).toBeGreaterThanOrEqual(3);
    expect(rule.examples?.no_match?.length ?? 0).toBeGreaterThanOrEqual(3);
  });

  it("maps to entries that the public lists have, and its tags say the same", () => {
    const references = rule.references ?? [];
    if (!runs(rule) && !withoutThreat.has(id)) expect(references.length).toBeGreaterThan(0);
    for (const reference of references) expect(entryOf(reference), reference).toBeDefined();
    const cited = references.map(tagOf);
    const tags = (rule.tags ?? []).filter((tag) => /^(?:attack|owasp)\./.test(tag));
    for (const tag of tags)
      expect(
        cited.some((one) => one === tag || one.startsWith(`${tag}.`)),
        tag,
      ).toBe(true);
    for (const one of cited)
      expect(
        tags.some((tag) => one === tag || one.startsWith(`${tag}.`)),
        one,
      ).toBe(true);
  });
});

it("keeps no entry of a list that no rule names", () => {
  const cited = new Set(rules.flatMap(([, { references = [] }]) => references.map((one) => one.split(":")[1])));
  expect([...attackTechniques.keys()].filter((id) => !cited.has(id))).toEqual([]);
});

function entryOf(reference: string): string | undefined {
  const [list, id = ""] = reference.split(":");
  if (list === "attack") return attackTechniques.get(id);
  if (list === "owasp-agentic") return owaspAgentic.get(id);
  return list === "owasp-llm" ? owaspLlm.get(id) : undefined;
}

/** `attack:T1548.003` as the tag `attack.t1548.003`, `owasp-agentic:ASI03` as `owasp.asi03`. */
function tagOf(reference: string): string {
  const [list = "", id = ""] = reference.split(":");
  return `${list.replace(/-.*/, "")}.${id.toLowerCase()}`;
}
