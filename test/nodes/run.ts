import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { ensureBuilt } from "../hosts/guard-files.ts";
import { nodeBinary } from "../hosts/install.ts";

/**
 * `npm run test:nodes [-- 22 …]`: what hook modules and the guides promise, on the lowest Node that is supported and on each
 * later line: modules in TypeScript, README's recipe, the files of the guides, and every code block of the seeds where they
 * stand beside the checkout. Each Node comes from the registry. Ends with `N passed, N failed`.
 */
const versions = ["20.19.0", "22", "24"];
const files = [
  "test/seeds/blocks.test.ts",
  "test/seeds/examples.test.ts",
  "test/seeds/gastown",
  "test/seeds/opta",
  "test/adapters/hooks/hook-modules.test.ts",
  "test/adapters/hooks/bad-modules.test.ts",
  "test/adapters/hooks/readme.test.ts",
  "test/adapters/opta",
  "test/guide",
];

const root = join(import.meta.dirname, "../..");
const wanted = process.argv.slice(2);
const unknown = wanted.filter((version) => !versions.includes(version));
if (unknown.length > 0) {
  console.error(`there is no \`${unknown.join("`, `")}\`; there are ${versions.join(", ")}`);
  process.exit(2);
}
ensureBuilt();
const total = { passed: 0, failed: 0 };
for (const version of versions.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const node = nodeOf(version);
  if (node === undefined) {
    console.log(`not run: Node ${version}, which cannot be installed here`);
    continue;
  }
  const { passed, failed } = runWith(node);
  console.log(`${failed > 0 ? "not ok" : "ok"} - Node ${version}: ${passed} passed, ${failed} failed`);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function nodeOf(version: string): string | undefined {
  try {
    return nodeBinary(version);
  } catch {
    return undefined;
  }
}

/** Counts of one run; a run without a report has failed. */
function runWith(node: string): { passed: number; failed: number } {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-nodes-")));
  try {
    const report = join(scratch, "report.json");
    const seeds = join(root, "../shared/seeds");
    const env = {
      ...process.env,
      HOOKWARDEN_TEST_REPORT: report,
      ...(existsSync(seeds) && { HOOKWARDEN_SEEDS: seeds }),
    };
    const { status } = spawnSync(node, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...files], {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 7_200_000,
    });
    const { numTotalTests, numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>;
    const failed = (numTotalTests ?? 0) - (numPassedTests ?? 0);
    return { passed: numPassedTests ?? 0, failed: failed === 0 && status !== 0 ? 1 : failed };
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : String(fault));
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
