/** Sections of the bench, in the order in which they are shown. */
export const sectionNames = [
  "decision",
  "shell-decision",
  "recommended",
  "hook",
  "worst",
  "watchdog",
  "daemon",
  "pi",
  "compile",
  "authoring",
  "redaction",
  "audit",
  "facts",
] as const;

/** Name of a section. */
export type SectionName = (typeof sectionNames)[number];

/** `--quick`: fewer rounds and smaller sizes, for the ratios alone. */
export function isQuick(): boolean {
  return process.argv.includes("--quick");
}

/** `--profile`: where profiles of started processes go; undefined without it. */
export function profileFolder(): string | undefined {
  return process.argv.find((word) => word.startsWith("--profiles="))?.slice("--profiles=".length);
}
