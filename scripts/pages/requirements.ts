import { gastownRequirements } from "../../test/seeds/gastown-requirements.ts";
import { ompRequirements } from "../../test/seeds/omp-requirements.ts";
import { optaRequirements } from "../../test/seeds/opta-requirements.ts";
import { piRequirements } from "../../test/seeds/pi-requirements.ts";
import type { Requirement } from "../../test/seeds/requirement.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** The requirements of the pi, omp, Opta and Gastown seeds, each with the tests that prove it. */
export const page: Page = {
  path: "docs/reference/requirements.md",
  render() {
    const rows = [...piRequirements, ...ompRequirements, ...optaRequirements, ...gastownRequirements];
    const intro =
      "What the descriptions of the hooks of pi, omp, Opta and Gastown ask for, sentence by sentence in our words, with the tests that prove it.\n" +
      "A row without a test, with one that is not there, or with a case of a real run (`test/hosts/`) that did not pass, fails\n" +
      "`test/seeds/requirements.test.ts`. Files without a folder are in `test/adapters/hooks/`; rows of `profiles.md` are scenarios\n" +
      "in `test/spec/profiles.md`, run on every profile.";
    const seeds = [...new Set(rows.map((row) => row.seed))];
    const parts = seeds.map((seed) =>
      seedPart(
        seed,
        rows.filter((row) => row.seed === seed),
      ),
    );
    return `${generatedFrom("test/seeds/")}\n# Requirements\n\n${intro}\n\n${parts.join("\n\n")}\n`;
  },
};

function seedPart(seed: string, rows: readonly Requirement[]): string {
  const sections = [...new Set(rows.map((row) => row.section))];
  const parts = sections.map((section) => {
    const lines = rows
      .filter((row) => row.section === section)
      .map(({ id, requirement, tests }) => [code(id), requirement, tests.map(shortened).join("<br>")]);
    return `### ${section}\n\n${table(["id", "requirement", "tests"], lines)}`;
  });
  return `## ${seed} (${rows.length})\n\n${parts.join("\n\n")}`;
}

function shortened(test: string): string {
  return test.replace("test/adapters/hooks/", "").replace("test/spec/", "").replaceAll("<", "&lt;");
}
