import { claudeCodeHost } from "./claude-code.ts";
import { codexHost } from "./codex.ts";
import { copilot, copilotPascal } from "./copilot.ts";
import { frameworkCases, frameworks } from "./frameworks.ts";
import { gastownCases } from "./gastown.ts";
import { geminiHost } from "./gemini.ts";
import { ensureBuilt } from "./guard-files.ts";
import { type HostVersion, type InstalledHost, installHost } from "./install.ts";
import { mcpCases, mcpVersions } from "./mcp.ts";
import { ompCases } from "./omp.ts";
import { ompVersions } from "./omp-process.ts";
import { oneShotCases } from "./one-shot.ts";
import { opencodeCases, opencodeVersions } from "./opencode.ts";
import { keepPassed, passedCases, withRun } from "./passed.ts";
import { piCases, piVersions } from "./pi.ts";
import { piSessionCases } from "./pi-sessions.ts";
import { type CaseResult, Cases, summary } from "./report.ts";
import { seedOmpCases } from "./seed-omp.ts";
import { seedPiCases } from "./seed-pi.ts";

/** A host to test: its versions, and its cases. */
interface TestedHost {
  readonly versions: readonly HostVersion[];
  cases(host: InstalledHost, cases: Cases): Promise<void>;
}

const oneShot = (driver: typeof claudeCodeHost): TestedHost => ({
  versions: driver.versions,
  cases: (host, cases) => oneShotCases(driver, host, cases),
});

/** Every host by the name that the command takes; a new one joins with one row. */
const tested: Readonly<Record<string, TestedHost>> = {
  pi: { versions: piVersions, cases: piCases },
  "pi-sessions": { versions: piVersions, cases: piSessionCases },
  "seed-pi": { versions: piVersions, cases: seedPiCases },
  gastown: { versions: piVersions, cases: gastownCases },
  "claude-code": oneShot(claudeCodeHost),
  codex: oneShot(codexHost),
  gemini: oneShot(geminiHost),
  copilot: oneShot(copilot),
  "copilot-pascal": oneShot(copilotPascal),
  omp: { versions: ompVersions, cases: ompCases },
  "seed-omp": { versions: ompVersions, cases: seedOmpCases },
  opencode: { versions: opencodeVersions, cases: opencodeCases },
  frameworks: { versions: frameworks, cases: frameworkCases },
  mcp: { versions: mcpVersions, cases: mcpCases },
};

/**
 * `npm run test:hosts -- <host> [version|newest]`: the real-host tests. Each host is installed from the registry into a cache, run
 * headless in scratch folders against a scripted model on loopback, and asked for harmless stand-ins only. Exits with 1
 * when a case does not hold, and also when a host could not be had: that is `not run`, never a pass. What held is written
 * to `passed.json`, which the table of hosts is checked against.
 */
const [name = "", version] = process.argv.slice(2);
const host = Object.hasOwn(tested, name) ? tested[name] : undefined;
if (!host) {
  console.error(`usage: npm run test:hosts -- ${Object.keys(tested).join("|")} [version|newest]`);
  process.exit(2);
}

const newest = host.versions.at(-1)?.version;
const wanted = version === "newest" ? newest : version;
const versions = host.versions.filter((known) => wanted === undefined || known.version === wanted);
const results: CaseResult[] = [];
const ran = new Map<string, readonly CaseResult[]>();
const notRun: string[] = versions.length === 0 ? [`${name} ${wanted}: not a version that is tested`] : [];

ensureBuilt();
for (const known of versions) {
  const title = `${known.name} ${known.version}`;
  let installed: InstalledHost;
  try {
    installed = installHost(known);
  } catch (error) {
    notRun.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
    continue;
  }
  const cases = new Cases(title, console.log);
  // A driver that breaks is a failure: only a host that cannot be had is not run.
  await cases.group("the driver of these cases", () => host.cases(installed, cases));
  results.push(...cases.results);
  ran.set(title, cases.results);
}
const titles = host.versions.map((known) => `${known.name} ${known.version}`);
keepPassed(withRun(passedCases(), name, titles, ran));

const { lines, passed } = summary(results, notRun);
for (const line of lines) console.log(line);
process.exitCode = passed ? 0 : 1;
