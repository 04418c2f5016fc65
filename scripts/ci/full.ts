import { spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { failuresOf, type Outcome } from "./outcome.ts";
import { type Section, sections } from "./sections.ts";
import { runLanes } from "./suite.ts";
import { summary } from "./summary.ts";

/** Results of a section on one commit. */
interface Known {
  /** Tree of the commit, or "" where files are not committed. */
  readonly tree: string;
  readonly outcomes: readonly Outcome[];
}

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, ".scratch", "ci", "full");
mkdirSync(folder, { recursive: true });

const seed = Math.floor(Math.random() * 0x7fffffff);
const all = sections(seed);
const given = process.argv.slice(2);
const names = given.filter((word) => !word.startsWith("--"));
const unknown = [
  ...names.filter((name) => !all.some((section) => section.name === name)),
  ...given.filter((word) => word.startsWith("--") && word !== "--resume" && word !== "--list"),
];
const named = all.map((section) => section.name).join(", ");
if (unknown.length > 0) {
  console.error(`there is no \`${unknown.join("`, `")}\`; sections are ${named}, options are --resume and --list`);
  process.exit(2);
}
if (given.includes("--list")) {
  console.log(named);
  process.exit(0);
}

const tree = committedTree();
console.log(`seed ${seed}; logs in ${relative(root, folder)}`);
const ran: { readonly section: Section; readonly outcomes: readonly Outcome[]; readonly kept: boolean }[] = [];
for (const section of all.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const before = given.includes("--resume") ? passedBefore(section) : undefined;
  const outcomes = before ?? (await runSection(section));
  ran.push({ section, outcomes, kept: before !== undefined });
}
const judged = ran.flatMap(({ section, outcomes }) => (section.informs ? [] : outcomes));
const report = join(folder, "report.json");
writeFileSync(
  report,
  `${JSON.stringify(
    ran.flatMap(({ outcomes }) => outcomes),
    null,
    2,
  )}\n`,
);
console.log(`\n${table().join("\n")}\n`);
console.log(summary(judged, relative(root, report)).join("\n"));
process.exitCode = failuresOf(judged).length > 0 ? 1 : 0;

/** Runs a section; what it prints goes to its log, and its heads and results to the terminal too. */
async function runSection({ name, suites, beside = [] }: Section): Promise<readonly Outcome[]> {
  const log = createWriteStream(join(folder, `${name}.log`));
  const print = (text: string): void => {
    log.write(text);
    for (const line of text.split("\n")) if (line.startsWith("== ")) console.log(line);
  };
  // Lanes that find no fresh build would each make one, in the same folder.
  if (beside.length > 0) spawnSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
  const outcomes = await runLanes([suites, beside], { root, folder: join(folder, name), print });
  await new Promise((resolve) => log.end(resolve));
  const known: Known = { tree, outcomes };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(known, null, 2)}\n`);
  return outcomes;
}

/** Returns the outcomes of a section on this commit, if all of it ran and passed. */
function passedBefore({ name }: Section): readonly Outcome[] | undefined {
  const file = join(folder, `${name}.json`);
  if (tree === "" || !existsSync(file)) return undefined;
  const known = JSON.parse(readFileSync(file, "utf8")) as Known;
  const whole = known.outcomes.every(({ failures, notRun }) => failures.length === 0 && notRun.length === 0);
  return known.tree === tree && whole ? known.outcomes : undefined;
}

function committedTree(): string {
  const git = (...args: readonly string[]): string =>
    spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD^{tree}") : "";
}

function table(): readonly string[] {
  const rows = ran.flatMap(({ section, outcomes, kept }) =>
    outcomes.map((one) => [
      section.name + (kept ? " (before)" : ""),
      one.suite,
      String(one.passed),
      `${one.failures.length}${section.informs ? " (decides nothing)" : ""}`,
      one.notRun.length === 0 ? "" : one.notRun.join("; ").slice(0, 80),
      (one.seconds / 60).toFixed(1),
    ]),
  );
  const cells = [["section", "suite", "passed", "failed", "not run", "minutes"], ...rows];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
