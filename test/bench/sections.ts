import { writeFileSync } from "node:fs";
import type { Report } from "./measure.ts";
import type { SectionName } from "./options.ts";

const sections = {
  decision: async () => (await import("./decision.ts")).benchDecision(),
  "shell-decision": async () => (await import("./decision-shell.ts")).benchShellDecision(),
  recommended: async () => (await import("./recommended.ts")).benchRecommended(),
  hook: async () => (await import("./hook.ts")).benchHook(),
  worst: async () => (await import("./worst.ts")).benchWorst(),
  watchdog: async () => (await import("./watchdog.ts")).benchWatchdog(),
  daemon: async () => (await import("./daemon.ts")).benchDaemon(),
  pi: async () => (await import("./pi.ts")).benchPi(),
  authoring: async () => (await import("./authoring.ts")).benchAuthoring(),
  compile: async () => (await import("./compile.ts")).benchCompile(),
  facts: async () => (await import("./facts.ts")).benchFacts(),
  redaction: async () => (await import("./redaction.ts")).benchRedaction(),
  audit: async () => (await import("./audit.ts")).benchAudit(),
} satisfies Readonly<Record<SectionName, () => Promise<Report>>>;

/** Run as a process of its own, so that no section runs in what another left behind: `<section> <file for the report>`. */
const [name = "", file = ""] = process.argv.slice(2);
if (Object.hasOwn(sections, name)) {
  const report = await sections[name as keyof typeof sections]();
  writeFileSync(file, JSON.stringify(report));
} else if (name === "audit-verify") {
  process.stdout.write(JSON.stringify(await (await import("./audit-verify.ts")).verifiedHere(file)));
} else {
  process.stderr.write(`there is no section \`${name}\`\n`);
  process.exitCode = 2;
}
