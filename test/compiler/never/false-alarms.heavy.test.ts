import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { discoverPolicies, resolveImport } from "../../../store/discover.ts";
import { blocks } from "../../guide/command-lines.ts";
import { readDocument } from "../../literate/document.ts";
import { policyFile, withHead } from "../../literate/policies.ts";
import { importedPolicies } from "./imports.ts";
import { sentencePolicies } from "./sentences.ts";

/** What is right is not refused: everything that ships or is shown passes `check --strict`, and what natural sentences say. */
const root = join(import.meta.dirname, "..", "..", "..");
const now = Date.UTC(2026, 10, 21);

/** What `check --strict` says, without notes. */
function strictly(files: readonly PolicyFile[], imports?: typeof resolveImport): readonly Diagnostic[] {
  const { diagnostics } = checkPolicies(files, {
    scope: "user",
    now,
    strict: true,
    ...(imports && { resolveImport: imports }),
  });
  return diagnostics.filter(({ severity }) => severity !== "info");
}

const shown = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(({ severity, code, message, help }) => `${severity}[${code}] ${message} | ${help}`);

const errorsOf = (found: readonly Diagnostic[]): readonly Diagnostic[] =>
  found.filter(({ severity }) => severity === "error");

/**
 * What is true of pages and imports, and no doubt about a name or test: rules without examples, or without what a human types,
 * names as another host has them, and texts of commands that the original looks at.
 */
const plain: ReadonlySet<string> = new Set(["HW601", "HW602", "HW624", "HW632"]);

/** Sections of pages that show what they are warned of. */
const shownThere: Readonly<Record<string, readonly string[]>> = {
  "Block wins over ask, ask over the default, the first rule in order is cited": ["HW616"],
  "`all`, `any`, `not` combine": ["HW622"],
  "Equality: `equals`, `not_equals`, `in`, `not_in`": ["HW696"],
  "A test on an absent field is false, and its `not` is true": ["HW622"],
  "`some`, `every`, `none` go through a list": ["HW655"],
  "Names stand for parameters, lists and conditions; `$$` is a dollar": ["HW622"],
  "`every` may waive: it speaks of all of them, the possible ones too": ["HW619"],
  "Hookwarden's own files, keys and decisions are protected in every plan": ["HW621"],
  "A name is the program in its place": ["HW669"],
  "A blocked call leaves no label, unless the rule says so": ["HW683"],
  "Every kind of effect can be declared": ["HW686"],
};

/** What was found in some policies: printed for the reader of the run, without errors, and with few warnings. */
function judge(
  what: string,
  policies: readonly { readonly of: string; readonly found: readonly Diagnostic[] }[],
): void {
  const codes = new Map<string, number>();
  for (const { code } of policies.flatMap(({ found }) => found)) codes.set(code, (codes.get(code) ?? 0) + 1);
  const counts = [...codes].toSorted().map(([code, count]) => `${code} ${count}`);
  const warned = policies.filter(({ found }) => found.some(({ code }) => !plain.has(code)));
  const errors = policies.flatMap(({ of, found }) => shown(errorsOf(found)).map((text) => `${of}: ${text}`));
  console.log(
    `${what}: ${policies.length} policies, ${errors.length} errors, ${warned.length} warned of; findings: ${counts.join(", ") || "none"}`,
  );
  expect(errors).toEqual([]);
  const told = warned.map(
    ({ of, found }) => `${of}: ${shown(found.filter(({ code }) => !plain.has(code))).join("; ")}`,
  );
  expect(told.length, told.join("\n")).toBeLessThanOrEqual(Math.floor(policies.length / 100));
}

describe("check --strict", () => {
  it("has nothing to say of the packs", () => {
    const packs = readdirSync(join(root, "policies")).sort();
    const policies = packs.map((pack) => {
      const { files } = discoverPolicies([`pack:${pack}`], root);
      return { of: pack, found: strictly(files, resolveImport) };
    });
    judge("packs", policies);
    expect(policies.flatMap(({ found }) => shown(found))).toEqual([]);
  });

  it.each([
    ["test/spec", 150],
    ["docs/guide", 4],
  ] as const)("has no doubts about the rules beside tables in %s", (folder, least) => {
    const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
    const policies = pages.flatMap((page) =>
      readDocument(readFileSync(join(root, folder, page), "utf8")).flatMap(({ title, blocks, rows }) => {
        const [first, ...others] = blocks.filter(({ language }) => language === "yaml");
        // A section with a `text` block shows a finding; one without a table, or with the name of a file, no rules alone.
        if (!first || others.length > 0 || blocks.some(({ language }) => language === "text") || rows.length === 0)
          return [];
        if (folder === "docs/guide" && first.info !== "") return [];
        const set = Object.fromEntries(
          [...first.info.matchAll(/([a-z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
        );
        const file = policyFile(withHead(first.text));
        const { diagnostics } = checkPolicies([file], { scope: "user", now, strict: true, set });
        return [
          {
            of: `${page} ${title}`,
            found: diagnostics.filter(
              ({ severity, code }) => severity !== "info" && !shownThere[title]?.includes(code),
            ),
          },
        ];
      }),
    );
    judge(folder, policies);
    expect(policies.length).toBeGreaterThan(least);
  });

  it("has no doubts about the whole policies of the guides", () => {
    const whole = blocks.filter(
      ({ language, text }) => language === "yaml" && /^version: 1\npolicy:[\s\S]*^rules:\n +- /m.test(text),
    );
    judge(
      "whole policies of guides",
      whole.map(({ page, text }) => ({ of: page, found: strictly([policyFile(text)], resolveImport) })),
    );
    expect(whole.length).toBeGreaterThan(2);
  });

  it("has no doubts about what importers write", () => {
    const policies = importedPolicies().map(({ of, policy }) => ({ of, found: strictly([policyFile(policy)]) }));
    judge("importers", policies);
    expect(policies.length).toBeGreaterThanOrEqual(100);
  });

  it("has no doubts about policies of plain sentences", () => {
    const policies = sentencePolicies();
    judge(
      "sentences",
      policies.map(({ sentence, text }) => ({ of: sentence, found: strictly([policyFile(text)]) })),
    );
    expect(policies.length).toBeGreaterThanOrEqual(200);
  });
});
