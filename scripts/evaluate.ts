import { join } from "node:path";
import { compile } from "../compiler/compile.ts";
import { renderDiagnostic } from "../diagnostics/render.ts";
import { createEngine, type Engine } from "../runtime.ts";
import { discoverPolicies, resolveImport } from "../store/discover.ts";
import { callSets, readCalls } from "../test/evaluation/calls.ts";
import {
  deviations,
  type Figures,
  figures,
  figuresByClass,
  type Judged,
  judgeCalls,
  missedBars,
  percent,
  type Rate,
} from "../test/evaluation/figures.ts";

/**
 * `npm run evaluate [-- <pack or file> …] [--calls]`: judges the evaluation sets, `tuned`, `held out` and `fresh`, each by
 * its packs or by what is named, prints the figures of each class with Wilson intervals of 95 %, and fails where a
 * set is below the bars. `--calls` also lists every call whose answer is not the expected one. Calls are data: they are
 * judged, never run.
 */
function main(given: readonly string[]): number {
  const named = given.filter((word) => !word.startsWith("--"));
  let missed = 0;
  for (const { name, folder, packs, barred } of callSets) {
    const engine = engineOf(named.length > 0 ? named : packs.map((pack) => `pack:${pack}`));
    if (!engine) return 2;
    const lines = report(name, judgeCalls(readCalls(folder), engine), given);
    if (!barred) continue;
    for (const line of lines) console.error(line);
    missed += lines.length;
  }
  return missed > 0 ? 1 : 0;
}

function engineOf(named: readonly string[]): Engine | undefined {
  const { files } = discoverPolicies(named, root);
  const { plan, diagnostics, sources } = compile({ files, resolveImport });
  if (plan) return createEngine(plan);
  for (const d of diagnostics) console.error(renderDiagnostic(d, sources));
  return undefined;
}

/** Prints the table of one set; gives the bars that it misses. */
function report(name: string, judged: readonly Judged[], given: readonly string[]): string[] {
  const rows = [...figuresByClass(judged), figures("all", judged)];
  console.log(`${name} set, ${judged.length} calls\n${lines([header, ...rows.map(row)])}\n`);
  if (given.includes("--calls"))
    for (const { call, outcome, by } of deviations(judged))
      console.log(`${call.class}: expected ${call.expect}, got ${outcome} (${by}): ${call.text}`);
  return missedBars(judged).map((line) => `${name}: ${line}`);
}

const root = join(import.meta.dirname, "..");

const header = ["class", "recall (block or ask)", "recall by block", "false block", "friction"];

function row({ name, recall, blocked, falseBlock, friction }: Figures): string[] {
  return [name, ...[recall, blocked, falseBlock, friction].map(cell)];
}

function cell(rate: Rate): string {
  if (rate.of === 0) return "-";
  return `${rate.hits}/${rate.of} ${percent(rate.hits / rate.of)} [${percent(rate.low)}, ${percent(rate.high)}]`;
}

function lines(table: readonly (readonly string[])[]): string {
  const widths = header.map((_, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  return table
    .map((cells) =>
      cells
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

process.exitCode = main(process.argv.slice(2));
