import { existsSync, readFileSync } from "node:fs";
import { hookLine } from "../../adapters/install/command.ts";
import { clientFile } from "../hosts/guard-files.ts";
import { type Bar, digits } from "./bars.ts";
import { callPayload, type HookPlace, HookPlaces } from "./hook-subjects.ts";
import { quantile, type Report, shownTime } from "./measure.ts";
import { isQuick } from "./options.ts";
import { runProgram } from "./processes.ts";

/** Seconds that the client of this bench waits for; that of the product waits for longer. */
const deadline = 1;

/** What ends a program that never answers: what the client must not find, so that it uses it, and how late it may be. */
const watchdogs = [
  { name: "alarm", program: "/usr/bin/perl", without: [], late: 100 },
  { name: "timeout", program: "/usr/bin/timeout", without: ["/usr/bin/perl"], late: 100 },
  { name: "limit", program: "/bin/sh", without: ["/usr/bin/perl", "/usr/bin/timeout"], late: 300 },
] as const;

/** How long after the deadline a hook whose launcher never answers has refused: wall time, for hosts wait by the clock. */
export function benchWatchdog(): Report {
  const there = watchdogs.filter(({ program }) => existsSync(program));
  const notRun = watchdogs.filter((one) => !there.includes(one)).map(({ name, program }) => `${name}: no ${program}`);
  const places = new HookPlaces();
  try {
    const place = places.make();
    const bars: Bar[] = [];
    const lines: string[] = [];
    const numbers: Record<string, readonly number[]> = {};
    for (const { name, without, late } of there) {
      const line = stuckLine(places, place, name, without);
      const over: number[] = [];
      for (let round = 0; round < (isQuick() ? 3 : 15); round++) over.push(overshoot(place, line));
      const worst = Math.max(...over);
      numbers[name] = over;
      lines.push(`  ${name.padEnd(8)} ${shownTime(quantile(over, 0.5))} in the middle, ${shownTime(worst)} at most`);
      bars.push({
        id: `watchdog/${name}`,
        what: `refusal of a hook that loops for ever, after the deadline, by ${name}, the latest of ${over.length}`,
        bar: `at most ${late} ms`,
        measured: `${digits(worst)} ms`,
        met: worst <= late,
      });
    }
    return {
      text: ["a hook whose launcher loops, refused after the deadline", ...lines].join("\n"),
      numbers,
      bars,
      notRun,
    };
  } finally {
    places.remove();
  }
}

/** The wired line of a client with a short deadline, before a launcher that loops. */
function stuckLine(places: HookPlaces, { home }: HookPlace, name: string, without: readonly string[]): string {
  const text = readFileSync(clientFile, "utf8").replace(/^deadline=\d+$/m, `deadline=${deadline}`);
  const bare = without.reduce((made, program) => made.replaceAll(program, "/nonexistent"), text);
  places.write(`${name}/hookwarden-client.sh`, bare);
  const launcher = places.write(`${name}/hookwarden-hook.cjs`, "for (;;);\n");
  return hookLine("claude-code", "PreToolUse", {
    program: { node: process.execPath, launcher, command: "", modules: "" },
    by: { policies: [], set: {} },
    platform: process.platform,
    home,
    state: `${home}/state`,
  });
}

function overshoot({ home, project }: HookPlace, line: string): number {
  const began = performance.now();
  const { status, stderr } = runProgram({
    command: ["/bin/sh", "-c", line],
    cwd: project,
    home,
    input: callPayload(project),
  });
  if (status !== 2 || !stderr.includes("no decision was made in time"))
    throw new Error(`the hook was not refused: ${status} ${stderr}`);
  return performance.now() - began - deadline * 1_000;
}
