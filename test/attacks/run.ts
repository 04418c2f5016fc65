import { claudeCodeHost } from "../hosts/claude-code.ts";
import { codexHost } from "../hosts/codex.ts";
import { copilot } from "../hosts/copilot.ts";
import { geminiHost } from "../hosts/gemini.ts";
import { ensureBuilt } from "../hosts/guard-files.ts";
import { type HostVersion, type InstalledHost, installHost } from "../hosts/install.ts";
import type { OneShotHost } from "../hosts/one-shot.ts";
import { opencodeVersions } from "../hosts/opencode.ts";
import { keepPassed, passedCases, withRun } from "../hosts/passed.ts";
import { piVersions } from "../hosts/pi.ts";
import { type CaseResult, Cases, summary } from "../hosts/report.ts";
import { delayCases, opencodeSession, piSession, type Session, wiredSession } from "./delay-sessions.ts";
import { envelopeCases } from "./envelope.ts";
import { extendedPi, guardCases, pluggedOpencode, wiredByUser } from "./guard/sessions.ts";
import { heldFile, leftAsTheyWere } from "./held.ts";
import { inTurns } from "./in-turns.ts";
import { readOptions } from "./options.ts";
import { environmentCases } from "./real-host.ts";
import { type Choice, everything, sampleAt } from "./sample.ts";

/** One part: attacks of one kind on one version of a host. */
type Part = (program: InstalledHost, cases: Cases, choice: Choice) => Promise<void>;

/** A host that is attacked. */
interface Attacked {
  readonly versions: readonly HostVersion[];
  /** Its parts: what is carried out, by name. */
  readonly parts: Readonly<Record<string, Part>>;
}

const wired = (host: OneShotHost, older: readonly HostVersion[] = []): Attacked => ({
  versions: [...host.versions, ...older],
  parts: {
    environment: (program, cases, choice) => environmentCases(host, program, cases, choice),
    envelope: (program, cases, choice) => envelopeCases(host, program, cases, choice),
    delay: (program, cases, choice) => delayCases(wiredSession(host), program, cases, choice),
    guard: (program, cases, choice) => guardCases(wiredByUser(host), program, cases, choice),
  },
});

const guardedInside = (versions: readonly HostVersion[], byModule: Session, byPackage: Session): Attacked => ({
  versions,
  parts: {
    delay: (program, cases, choice) => delayCases(byModule, program, cases, choice),
    guard: (program, cases, choice) => guardCases(byPackage, program, cases, choice),
  },
});

/** A version that is attacked besides those that `test:hosts` runs. */
const olderClaude: HostVersion = {
  name: "claude-code",
  version: "2.1.197",
  package: "@anthropic-ai/claude-code",
  start: "bin/claude.exe",
};

const drivers: Readonly<Record<string, Attacked>> = {
  "claude-code": wired(claudeCodeHost, [olderClaude]),
  codex: wired(codexHost),
  gemini: wired(geminiHost),
  copilot: wired(copilot),
  pi: guardedInside(piVersions.slice(-1), piSession, extendedPi),
  opencode: guardedInside(opencodeVersions, opencodeSession, pluggedOpencode),
};
const parts = ["environment", "envelope", "delay", "guard"];

/**
 * `npm run test:attacks [-- <host>] [<part>] [--sample N [--seed S]]`: attacks on real hosts in scratch folders with a scripted
 * model on loopback, each beside a control. What held is written to `held.json`, from which the page of attacks is made, when
 * all of a host was run; a sample has N attacks of each part for each version, and says what it leaves out. Ends with
 * `N passed, N failed`; a host that cannot be had is `not run`.
 */
const options = readOptions(process.argv.slice(2), Object.keys(drivers), parts);
if (typeof options === "string") {
  console.error(options);
  process.exit(2);
}
const { hosts: names, parts: wanted, sample } = options;

const results: CaseResult[] = [];
const notRun: string[] = [];
const titleOf = ({ name, version }: HostVersion): string => `${name} ${version}`;

/** Versions of all hosts in their order: what a sample deals its attacks out to. */
const places = Object.values(drivers).flatMap(({ versions }) => versions.map(titleOf));

function choiceFor(title: string): Choice {
  if (!sample) return everything;
  return sampleAt(places.indexOf(title), sample, (text) => console.log(`left out - ${title}: ${text}`));
}

/** Every version of one host, one after the other. */
async function runHost([name, driver]: readonly [string, Attacked]): Promise<void> {
  const ran = new Map<string, readonly CaseResult[]>();
  for (const version of driver.versions) {
    const title = titleOf(version);
    let program: InstalledHost;
    try {
      program = installHost(version);
    } catch (error) {
      notRun.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
      continue;
    }
    const cases = new Cases(title, console.log);
    for (const [part, run] of Object.entries(driver.parts)) {
      if (wanted.length > 0 && !wanted.includes(part)) continue;
      const since = performance.now();
      await run(program, cases, choiceFor(title));
      console.log(`took ${Math.round((performance.now() - since) / 1_000)} s - ${title}: ${part}`);
    }
    results.push(...cases.results);
    ran.set(title, cases.results);
  }
  if (sample) return;
  const before = passedCases(heldFile);
  const whole = new Map(
    [...ran].map(([title, now]) => [title, [...leftAsTheyWere(before[name]?.[title], wanted), ...now]]),
  );
  keepPassed(withRun(before, name, driver.versions.map(titleOf), whole), heldFile);
}

ensureBuilt();
if (sample) console.log(`a sample of ${sample.size} attacks of each part, seed ${sample.seed}`);
const hosts = Object.entries(drivers).filter(([name]) => names.length === 0 || names.includes(name));
await inTurns(hosts, 2, runHost);
const { lines, passed } = summary(results, notRun);
for (const line of lines) console.log(line);
process.exitCode = passed ? 0 : 1;
