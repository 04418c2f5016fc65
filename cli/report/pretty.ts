import pico from "picocolors";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { type Palette, plain, renderDiagnostic } from "../../diagnostics/render.ts";
import type { Source } from "../../diagnostics/source.ts";

/** Colours for a screen, or none. */
export function palette(color: boolean): Palette {
  if (!color) return plain;
  const c = pico.createColors(true);
  return {
    error: (text) => c.bold(c.red(text)),
    warning: (text) => c.bold(c.yellow(text)),
    info: c.cyan,
    quiet: c.dim,
    strong: c.bold,
  };
}

/** Returns diagnostics as framed excerpts, one blank line between them; empty if there are none. */
export function prettyDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, Source>,
  color: boolean,
): string {
  const colors = palette(color);
  return diagnostics.map((d) => `${renderDiagnostic(d, sources, colors)}\n`).join("\n");
}

/** `1 rule`, `2 rules`, `3 policies`. */
export function count(n: number, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${n} ${n === 1 ? noun : plural}`;
}
