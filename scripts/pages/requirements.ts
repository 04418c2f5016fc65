import { allRequirements as rows } from "../../test/seeds/all.ts";
import { killedRows, proofOf } from "../../test/seeds/mutants/killed.ts";
import { hasHostCase, isAboutHost, onHosts, ownSeeds } from "../../test/seeds/on-hosts.ts";
import type { Requirement } from "../../test/seeds/requirement.ts";
import { knownSentences } from "../../test/seeds/sentences.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** The requirements of the pi, omp, Opta and Gastown seeds, each with the tests that prove it. */
export const page: Page = {
  path: "docs/reference/requirements.md",
  render() {
    const intro =
      "What the descriptions of the hooks of pi, omp, Opta and Gastown ask for, sentence by sentence in our words, with the tests that prove it.\n" +
      "A row without a test, with one that is not there, or with a case of a real run (`test/hosts/`) that did not pass, fails\n" +
      "`test/seeds/requirements.test.ts`. Files without a folder are in `test/adapters/hooks/`; rows of `profiles.md` are scenarios\n" +
      "in `test/spec/profiles.md`, run on every profile.\n\n" +
      "A row is **proven** where a recorded change of the product that takes away what it asks for made a test of its own fail\n" +
      "(`npm run test:mutants`), **seen** where only a case of a real host stands for it, and else **touched**.\n" +
      `Of ${rows.length} rows ${counted("killed")} are proven, ${counted("host")} seen and ${counted("touched")} touched.\n\n` +
      `The descriptions have ${sentences.length} sentences. ${asking} ask for something, and each has a row; the others lead to what follows, advise,\n` +
      "or speak about the text (`test/seeds/sentences.test.ts` holds the list against the descriptions, where they are at hand).";
    const seeds = [...new Set(rows.map((row) => row.seed))];
    const parts = seeds.map((seed) =>
      seedPart(
        seed,
        rows.filter((row) => row.seed === seed),
      ),
    );
    return `${generatedFrom("test/seeds/")}\n# Requirements\n\n${intro}\n\n${hostPart()}\n\n${parts.join("\n\n")}\n`;
  },
};

const killed = killedRows();
const sentences = knownSentences();
const asking = sentences.filter(({ idle }) => idle === undefined).length;
const proofs = { killed: "proven", host: "seen", touched: "touched" } as const;

function counted(proof: keyof typeof proofs): number {
  return rows.filter((row) => proofOf(row, killed) === proof).length;
}

function hostPart(): string {
  const intro =
    "Rows that speak about what a host does are held against the real host as well, in each version that `test/hosts/` runs\n" +
    "(`npm run test:hosts`). **Differs**: a case shows that a real version does otherwise. **Unseen**: no case can be made.\n" +
    "**Open**: there is none yet. Rows about our own product are not counted.";
  const heads = ["seed", "rows", "ours", "about a host", "with a real-host case", "of them differ", "unseen", "open"];
  const figures = onHosts(rows).map(({ seed, rows, ours, about, seen, differs, unseen, open }) => [
    seed,
    ...[rows, ours, about].map(String),
    about === 0 ? "none is owed" : `${seen} (${Math.floor((100 * seen) / about)} %)`,
    ...[differs, unseen, open].map(String),
  ]);
  const own = Object.entries(ownSeeds).map(([seed, why]) => {
    const run = rows.filter((row) => row.seed === seed && hasHostCase(row)).length;
    return `- ${seed}: ${why} ${run} of its rows name a case of a real host.`;
  });
  const told = rows.flatMap((row) => {
    const { id, mark } = row;
    if (mark) return [[code(id), mark.kind, mark.reason]];
    return isAboutHost(row) && !hasHostCase(row) ? [[code(id), "open", ""]] : [];
  });
  const marks = told.length === 0 ? "" : `\n\n${table(["id", "on real hosts", "why, or what a host does"], told)}`;
  return `## On real hosts\n\n${intro}\n\n${table(heads, figures)}\n\n${own.join("\n")}${marks}`;
}

function seedPart(seed: string, rows: readonly Requirement[]): string {
  const sections = [...new Set(rows.map((row) => row.section))];
  const parts = sections.map((section) => {
    const lines = rows
      .filter((row) => row.section === section)
      .map((row) => {
        const { id, requirement } = row;
        return [code(id), requirement, proofs[proofOf(row, killed)], row.tests.map(shortened).join("<br>")];
      });
    return `### ${section}\n\n${table(["id", "requirement", "proof", "tests"], lines)}`;
  });
  return `## ${seed} (${rows.length})\n\n${parts.join("\n\n")}`;
}

function shortened(test: string): string {
  return test.replace("test/adapters/hooks/", "").replace("test/spec/", "").replaceAll("<", "&lt;");
}
