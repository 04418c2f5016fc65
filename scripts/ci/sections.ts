import type { Suite } from "./suite.ts";

/** A part of `.ci/full` that can be asked for by name. */
export interface Section {
  readonly name: string;
  readonly suites: readonly Suite[];
  /** Timings are printed beside their bars; on a machine that does other things too they decide nothing. */
  readonly informs?: boolean;
}

const hosts = [
  "pi",
  "pi-sessions",
  "omp",
  "gastown",
  "claude-code",
  "codex",
  "gemini",
  "copilot",
  "copilot-pascal",
  "opencode",
  "mcp",
  "frameworks",
];

/** All of `.ci/full`, in its order. `seed` is new in each run, and printed. */
export function sections(seed: number): readonly Section[] {
  return [
    {
      name: "tests",
      suites: [{ name: "tests", command: "npm run --silent test:unit", reads: "vitest", again: true }],
    },
    {
      name: "seeds",
      suites: [
        {
          name: "properties, fresh seed",
          command: "npx vitest run test/properties test/facts",
          reads: "vitest",
          again: true,
          env: { FC_SEED: String(seed) },
        },
        {
          name: "properties, fresh seed, script engine",
          command: "npx vitest run test/properties/redaction test/facts/regex test/facts/secrets",
          reads: "vitest",
          again: true,
          env: { FC_SEED: String(seed), HOOKWARDEN_TEST_REGEX: "re2js" },
        },
      ],
    },
    {
      name: "fuzz",
      suites: [{ name: "fuzz", command: `npm run --silent fuzz -- --seed ${seed} --cases 200000`, reads: "exit" }],
    },
    { name: "hosts", suites: hosts.map(host) },
    { name: "packs", suites: [counted("packs", "test:packs")] },
    { name: "audit", suites: [counted("audit figures", "test:audit -- --figures")] },
    { name: "pre-commit", suites: [counted("pre-commit", "test:pre-commit", true)] },
    { name: "editors", suites: [counted("editors", "test:editors", true)] },
    {
      name: "bench",
      informs: true,
      suites: [counted("bench", "bench -- --check decision recommended hook compile")],
    },
  ];
}

function counted(name: string, script: string, again = false): Suite {
  return { name, command: `npm run --silent ${script}`, reads: "counted", again };
}

function host(name: string): Suite {
  return counted(name, `test:hosts -- ${name}`, true);
}
