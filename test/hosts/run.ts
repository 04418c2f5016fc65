import { ensureBuilt } from "./guard-files.ts";
import { installHost } from "./install.ts";
import { piCases, piVersions } from "./pi.ts";
import { type CaseResult, Cases, summary } from "./report.ts";

/**
 * `npm run test:hosts -- pi [version]`: the real-host tests. Each host is installed from the registry into a cache, run
 * headless in scratch folders against a scripted model on loopback, and asked for harmless stand-ins only. Exits with 1
 * when a case does not hold, and also when a host could not be had: that is `not run`, never a pass.
 */
const [name, version] = process.argv.slice(2);
if (name !== "pi") {
  console.error("usage: npm run test:hosts -- pi [version]");
  process.exit(2);
}

const hosts = piVersions.filter((host) => version === undefined || host.version === version);
const results: CaseResult[] = [];
const notRun: string[] = hosts.length === 0 ? [`${name} ${version}: not a version that is tested`] : [];

ensureBuilt();
for (const host of hosts) {
  const title = `${host.name} ${host.version}`;
  try {
    const installed = installHost(host);
    const cases = new Cases(title, console.log);
    await piCases(installed, cases);
    results.push(...cases.results);
  } catch (error) {
    notRun.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const { lines, passed } = summary(results, notRun);
for (const line of lines) console.log(line);
process.exitCode = passed ? 0 : 1;
