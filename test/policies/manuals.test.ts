import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../authoring/lint/check-policies.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";
import { importProblem, resolveImport } from "../../store/discover.ts";
import { packNames } from "../../store/packs.ts";

/** The generated manual beside each pack: what it tells people to write loads, and its parts are there. */
const root = join(import.meta.dirname, "..", "..");
const manuals = packNames().map(
  (pack) => [pack, readFileSync(join(root, "policies", pack, "README.md"), "utf8")] as const,
);
const builtIn = "self-protection";

describe.each(manuals)("the manual of %s", (pack, text) => {
  const policies = [...text.matchAll(/```yaml\n(version: 1\n[\s\S]*?)```/g)].map(([, policy = ""]) => policy);

  it("shows how to get past a rule by a policy of which nothing is found wrong", () => {
    expect(policies).toHaveLength(pack === builtIn ? 0 : 1);
    for (const policy of policies) {
      const file = {
        path: join(root, "manual.yaml"),
        name: "manual.yaml",
        bytes: new TextEncoder().encode(policy),
        scope: "user" as const,
      };
      const { result, diagnostics } = checkPolicies([file], { resolveImport, importProblem });
      const loud = diagnostics.filter(({ severity }) => severity !== "info");
      expect(loud.map((d) => renderDiagnostic(d, result.sources))).toEqual([]);
      expect(policy.includes("exceptions:")).toBe(/^- \*\*(?:Blocks|Asks about)/m.test(text) || pack === "recommended");
    }
  });

  it("says what it does before it lists its rules", () => {
    if (pack === "recommended") return expect(text).toContain("## Imported packs");
    expect(text.search(/^- \*\*(?:Blocks|Asks about|Changes what the model sees|Runs)/m)).toBeGreaterThan(0);
    expect(text.search(/^- \*\*/m)).toBeLessThan(text.indexOf("## Rules"));
  });

  it("tells every default", () => {
    const section = text.split("## Parameters")[1]?.split("\n## ")[0] ?? "";
    const rows = section.split("\n").filter((line) => line.startsWith("| `"));
    for (const row of rows) expect(row).toMatch(/^\| `\w+` \| [a-z()]+ \| `.+` \| \S/);
  });
});
