import { visible } from "../../diagnostics/render.ts";

/** Returns text of a policy on one line of Markdown: it makes no link, no HTML and no table column, and hides nothing. */
export function line(text: string): string {
  const one = visible(text.toWellFormed().trim().replace(/\s+/g, " "));
  return one.replace(/[\\[\]<|]/g, (c) => (c === "<" ? "&lt;" : `\\${c}`));
}

/** Returns text as a code span; a bar stays inside its column. */
export function code(text: string): string {
  const one = visible(text.toWellFormed().trim().replace(/\s+/g, " ")).replaceAll("|", "\\|");
  if (one === "") return "";
  const longest = Math.max(0, ...[...one.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = one.startsWith("`") || one.endsWith("`") ? " " : "";
  return `${fence}${pad}${one}${pad}${fence}`;
}

/** Returns lines as a fenced block that none of the lines can end. */
export function block(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const lines = text.toWellFormed().replace(/\r/g, "").split("\n").map(visible);
  return `${fence}${language}\n${lines.join("\n")}\n${fence}`;
}

/** Returns a table without empty columns; empty without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const kept = head.flatMap((_, i) => (rows.some((row) => (row[i] ?? "") !== "") ? [i] : []));
  const row = (cells: readonly string[]): string => `| ${kept.map((i) => cells[i] ?? "").join(" | ")} |\n`;
  return `${row(head)}|${kept.map(() => "---|").join("")}\n${rows.map(row).join("")}`;
}
