import { defineConfig } from "vitest/config";

/** `HOOKWARDEN_TEST_REPORT=<file>` also writes the results as JSON, for `.ci/run`. */
const report = process.env.HOOKWARDEN_TEST_REPORT;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
    // Fuzzing and recursion tests share two cores with whatever else the machine does.
    testTimeout: 20_000,
  },
});
