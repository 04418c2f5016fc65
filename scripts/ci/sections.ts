import type { Suite } from "./suite.ts";

/** A part of `.ci/full` that can be asked for by name. */
export interface Section {
  readonly name: string;
  readonly suites: readonly Suite[];
  /** More suites of it, which run beside those. */
  readonly beside?: readonly Suite[];
  /** True if the results only inform: timings are printed beside their limits, but decide nothing, because the machine may be busy. */
  readonly informs?: boolean;
}

// Hosts that share an installed version are in one list; the lists run in parallel.
const hosts = ["seed-omp", "omp", "claude-code", "codex", "gemini", "copilot", "copilot-pascal", "opencode", "mcp"];
const piHosts = ["seed-pi", "pi", "pi-sessions", "gastown", "frameworks"];

/** Folder of the test reports, which the requirements are checked against. */
const reports = ".scratch/ci/full/tests";

/** All of `.ci/full`, in its order. `seed` is new in each run, and printed. */
export function sections(seed: number): readonly Section[] {
  const fresh = { FC_SEED: String(seed) };
  return [
    {
      name: "tests",
      suites: [
        { name: "tests", command: "npm test", reads: "vitest", again: true },
        {
          name: "tests, script engine",
          command: "npm run --silent test:unit",
          reads: "vitest",
          again: true,
          env: { HOOKWARDEN_TEST_REGEX: "re2js" },
        },
        { name: "heavy", command: "npm run --silent test:heavy", reads: "vitest", again: true },
        counted("requirements", `test:requirements -- --report ${reports}/tests.json --report ${reports}/heavy.json`),
      ],
    },
    {
      name: "seeds",
      suites: [
        { name: "fresh seed", command: `npx vitest run ${seeded}`, reads: "vitest", again: true, env: fresh },
        {
          name: "fresh seed, script engine",
          command: "npx vitest run test/properties/redaction test/facts/regex test/facts/secrets",
          reads: "vitest",
          again: true,
          env: { ...fresh, HOOKWARDEN_TEST_REGEX: "re2js" },
        },
      ],
    },
    {
      name: "fuzz",
      suites: [{ name: "fuzz", command: `npm run --silent fuzz -- --seed ${seed} --cases 200000`, reads: "exit" }],
    },
    { name: "hosts", suites: hosts.map(hostSuite), beside: piHosts.map(hostSuite) },
    { name: "attacks", suites: [counted("attacks", `test:attacks -- --sample 4 --seed ${seed}`)] },
    { name: "nodes", suites: [counted("nodes", "test:nodes")] },
    { name: "packs", suites: [counted("packs", "test:packs"), counted("thorough", "test:thorough")] },
    { name: "mutants", suites: [counted("mutants", `test:mutants -- --sample 12 --seed ${seed}`)] },
    // All classes of the fixed seed, a third of the scripts of each: the whole takes longer than everything else.
    { name: "shells", suites: [counted("shells", "test:shells -- --cases 8000")] },
    { name: "audit", suites: [counted("audit figures", "test:audit -- --figures")] },
    {
      name: "pre-commit",
      suites: [
        counted("pre-commit", "test:pre-commit", true),
        counted("pre-commit, from a clone", "test:pre-commit -- --clone", true),
      ],
    },
    { name: "editors", suites: [counted("editors", "test:editors", true)] },
    {
      name: "bench",
      informs: true,
      suites: [counted("bench", "bench -- --check decision recommended hook compile")],
    },
  ];
}

/** Test files whose cases are drawn by a seed. */
const seeded = "$(npx tsx scripts/test-seeds.ts --list)";

const hostSuite = (name: string): Suite => counted(name, `test:hosts -- ${name}`, true);

function counted(name: string, script: string, again = false): Suite {
  return { name, command: `npm run --silent ${script}`, reads: "counted", again };
}
