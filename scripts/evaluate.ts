import { join } from "node:path";
import { compile } from "../compiler/compile.ts";
import { renderDiagnostic } from "../diagnostics/render.ts";
import { createEngine } from "../runtime.ts";
import { discoverPolicies, resolveImport } from "../store/discover.ts";
import { readCalls } from "../test/evaluation/calls.ts";
import {
  deviations,
  type Figures,
  figures,
  figuresByClass,
  judgeCalls,
  missedBars,
  percent,
  type Rate,
} from "../test/evaluation/figures.ts";

/**
 * `npm run evaluate [-- <pack or file> …] [--calls]`: judges the evaluation set by `recommended` or by what is named,
 * prints the figures of each class with Wilson intervals of 95 %, and fails below the bars. `--calls` also lists every
 * call whose answer is not the expected one. Calls are data: they are judged, never run.
 */
function main(given: readonly string[]): number {
  const named = given.filter((word) => !word.startsWith("--"));
  const { files } = discoverPolicies(named.length > 0 ? named : ["pack:recommended"], root);
  const { plan, diagnostics, sources } = compile({ files, resolveImport });
  if (!plan) {
    for (const d of diagnostics) console.error(renderDiagnostic(d, sources));
    return 2;
  }
  const judged = judgeCalls(readCalls(), createEngine(plan));
  const rows = [...figuresByClass(judged), figures("all", judged)];
  console.log(lines([header, ...rows.map(row)]));
  if (given.includes("--calls"))
    for (const { call, outcome, by } of deviations(judged))
      console.log(`${call.class}: expected ${call.expect}, got ${outcome} (${by}): ${call.text}`);
  const missed = missedBars(judged);
  for (const line of missed) console.error(line);
  return missed.length > 0 ? 1 : 0;
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
