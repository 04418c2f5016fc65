import { defineConfig } from "vitest/config";
import { Journal } from "./scripts/ci/journal.ts";
import { journalOf } from "./scripts/ci/vitest-report.ts";

/** `HOOKWARDEN_TEST_REPORT=<file>` also writes the results as JSON, and a journal of them, for `.ci/run`. */
const report = process.env.HOOKWARDEN_TEST_REPORT;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/home.ts", "test/regex-engine.ts"],
    setupFiles: ["test/properties/seed.ts"],
    reporters: report ? ["default", ["json", { outputFile: report }], new Journal(journalOf(report))] : ["default"],
    // Two workers that keep their modules: loading them anew for each file would be a third of the time.
    maxWorkers: 2,
    isolate: false,
    // A net for a test that hangs: two cores are shared with whatever else the machine does.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
