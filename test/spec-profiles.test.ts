import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ProfileName, profiles } from "../adapters/hooks/profiles.ts";
import { profileNames } from "./adapters/hooks/modules.ts";
import { differences, type Scenario } from "./adapters/hooks/profile-differences.ts";
import { equalities } from "./adapters/hooks/profile-equalities.ts";

/**
 * `test/spec/profiles.md`, executed. `UPDATE_EXPECT=1` writes what is observed into the cells; the reader of the diff
 * judges it.
 */
const path = join(import.meta.dirname, "spec/profiles.md");
const updates = process.env["UPDATE_EXPECT"] === "1";
const scenarios: Readonly<Record<string, Scenario>> = { ...differences, ...equalities };

interface Row {
  readonly id: string;
  readonly rule: string;
  readonly cells: Record<ProfileName, string>;
}

function rowsOf(markdown: string): Row[] {
  const lines = markdown.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => {
    const [id = "", rule = "", pi = "", ompHookApi = "", omp = ""] = line.slice(2, -2).split(" | ");
    return { id: id.slice(1, -1), rule, cells: { pi, "omp-hookapi": ompHookApi, omp } };
  });
}

function write(id: string, profile: ProfileName, cell: string): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| \`${id}\` |`));
  const cells = (lines[at] ?? "").slice(2, -2).split(" | ");
  cells[2 + profileNames.indexOf(profile)] = cell;
  lines[at] = `| ${cells.join(" | ")} |`;
  writeFileSync(path, lines.join("\n"));
}

const markdown = readFileSync(path, "utf8");
const rows = rowsOf(markdown);

describe("test/spec/profiles.md (semantics section 3, Shared runner)", () => {
  it("has a scenario for every row and a row for every scenario", () => {
    expect(rows.map((row) => row.id).sort()).toEqual(Object.keys(scenarios).sort());
  });

  it("has a row for every field of the profile data", () => {
    const fields = Object.keys(profiles.pi).filter((field) => field !== "name");
    const named = new Set(Object.keys(differences).map((id) => id.split(".")[0]));
    expect([...named].sort()).toEqual(fields.sort());
  });

  it("every table has the same columns, in the order of the profiles", () => {
    const heads = markdown.split("\n").filter((line) => line.startsWith("| id"));
    expect(heads.length).toBeGreaterThan(0);
    expect(new Set(heads)).toEqual(new Set([`| id | rule | ${profileNames.join(" | ")} |`]));
  });

  for (const { id, rule, cells } of rows) {
    for (const profile of profileNames) {
      it(`${id}, ${profile}: ${rule}`, async () => {
        const observed = `\`${JSON.stringify(await scenarios[id]?.(profile))}\``;
        if (updates) write(id, profile, observed);
        else expect(observed).toBe(cells[profile]);
      });
    }
  }
});
