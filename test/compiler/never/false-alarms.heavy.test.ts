import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importClaude } from "../../../authoring/import/claude.ts";
import { importGitleaks } from "../../../authoring/import/gitleaks.ts";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { discoverPolicies, resolveImport } from "../../../store/discover.ts";
import { readDocument } from "../../literate/document.ts";
import { policyFile, withHead } from "../../literate/policies.ts";
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

/** How often each code is a warning, for the reader of the run. */
function print(what: string, files: number, found: readonly Diagnostic[]): void {
  const codes = new Map<string, number>();
  for (const { code } of found) codes.set(code, (codes.get(code) ?? 0) + 1);
  const counts = [...codes].toSorted().map(([code, count]) => `${code} ${count}`);
  console.log(`${what}: ${files} policies, ${errorsOf(found).length} errors, warnings: ${counts.join(", ") || "none"}`);
}

describe("check --strict", () => {
  it("has nothing to say of the packs", () => {
    const packs = readdirSync(join(root, "policies")).sort();
    const found = packs.flatMap((pack) => {
      const { files } = discoverPolicies([`pack:${pack}`], root);
      return strictly(files, resolveImport);
    });
    print("packs", packs.length, found);
    expect(shown(found)).toEqual([]);
  });

  it.each(["test/spec", "docs/guide"])("refuses no policy of the pages in %s", (folder) => {
    const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
    let policies = 0;
    const found: Diagnostic[] = [];
    for (const page of pages) {
      const sections = readDocument(readFileSync(join(root, folder, page), "utf8"));
      for (const { blocks, rows } of sections) {
        const yaml = blocks.filter(({ language }) => language === "yaml");
        const [first] = yaml;
        // A section with a `text` block shows a finding, and one without a table no whole policy.
        if (!first || yaml.length > 1 || blocks.some(({ language }) => language === "text") || rows.length === 0)
          continue;
        const set = [...first.info.matchAll(/([a-z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]);
        const { diagnostics } = checkPolicies([policyFile(withHead(first.text))], {
          scope: "user",
          now,
          strict: true,
          set: Object.fromEntries(set) as Record<string, string>,
        });
        policies++;
        found.push(...diagnostics.filter(({ severity }) => severity !== "info"));
      }
    }
    print(folder, policies, found);
    expect(policies).toBeGreaterThan(folder === "test/spec" ? 150 : 4);
    expect(shown(errorsOf(found))).toEqual([]);
  });

  it("refuses nothing of what importers write", () => {
    const regex = createRegexEngine();
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const permissions = {
      permissions: {
        deny: ["Bash(curl:*)", "Bash(git push:*)", "Read(./.env)", "Read(./secrets/**)", "WebFetch", "mcp__github"],
        ask: ["Bash(npm publish:*)", "Bash(docker run:*)", "Edit(docs/**)", "Bash(kubectl delete:*)", "Bash(rm:*)"],
        allow: ["Bash(npm run test:*)", "Bash(ls:*)", "Read(src/**)", "WebFetch(domain:example.com)", "mcp__x__y"],
      },
    };
    const settings = { name: "settings.json", path: "/settings.json", bytes: bytes(JSON.stringify(permissions)) };
    const rules = ["github-pat", "our-key"].map(
      (id) =>
        `[[rules]]\nid = "${id}"\ndescription = "${id}"\nregex = '''${id}-[a-z0-9]{20}'''\nkeywords = ["${id}"]\n`,
    );
    const imported = [
      importClaude([settings], regex).policy,
      importGitleaks(".gitleaks.toml", bytes(rules.join("\n")), regex).policy,
    ];
    const found = imported.flatMap((text) => strictly([policyFile(text ?? "")]));
    print("importers", imported.length, found);
    expect(imported).not.toContain(undefined);
    expect(shown(errorsOf(found))).toEqual([]);
  });

  it("refuses none of the policies of plain sentences, and warns of at most one in a hundred", () => {
    const policies = sentencePolicies();
    const found = policies.map(({ sentence, text }) => ({ sentence, of: strictly([policyFile(text)]) }));
    const all = found.flatMap(({ of }) => of);
    print("sentences", policies.length, all);
    const warned = found.filter(({ of }) => of.length > 0);
    expect(policies.length).toBeGreaterThanOrEqual(200);
    expect(warned.flatMap(({ sentence, of }) => shown(errorsOf(of)).map((text) => `${sentence}: ${text}`))).toEqual([]);
    const told = warned.map(({ sentence, of }) => `${sentence}: ${shown(of).join("; ")}`);
    expect(told.length, told.join("\n")).toBeLessThanOrEqual(Math.floor(policies.length / 100));
  });
});
