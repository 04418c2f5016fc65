import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ctrlC, dismiss, lives, type Step, waiter } from "../../adapters/interrupts/at-terminal.ts";
import { bash, finished, type Try } from "../gastown-try.ts";
import type { Cases } from "../report.ts";

/** The end of pi on a real terminal while a hook runs, wanted by a human. Nothing of the hook may be left, nor of the screen. */
export async function endedByHumans(attempt: Try, cases: Cases): Promise<void> {
  const file = join(attempt.scratch.home, "waiter");
  attempt.program("waits", waiter(file));
  const hooks = [{ type: "command", command: "waits", timeout: 60 }];
  attempt.scratch.write("project/hooks.json", JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks }] } }));
  const pressed: Step = { file, press: ctrlC };
  const ways: readonly [string, readonly string[], readonly Step[]][] = [
    ["Ctrl+C in print mode", ["--print", "Go"], [pressed]],
    ["a terminal that goes away in print mode", ["--print", "Go"], [{ file, hang_up: true }]],
    ["SIGTERM in print mode", ["--print", "Go"], [{ file, signal: 15 }]],
    ["Ctrl+C, pressed twice, at the screen", ["Go"], [pressed, pressed]],
    ["SIGTERM at the screen", ["Go"], [{ file, signal: 15 }]],
  ];
  for (const [way, words, steps] of ways) {
    const ended = await attempt.onTerminal([bash("touch HARMLESS"), finished], words, steps);
    for (let n = 0; n < 100 && existsSync(file) && lives(file); n++) await delay(100);
    const gone = existsSync(file) && !lives(file);
    cases.check(`${way} while a hook runs ends pi`, !ended.forced && ended.left === 0, ended);
    cases.check(`${way} while a hook runs ends the hook`, gone, ended);
    cases.check(`${way} while a hook runs leaves the terminal as it was`, ended.restored, ended);
    dismiss(file);
    rmSync(file, { force: true });
  }
  cases.check("and the call of none of them has run", !attempt.has("HARMLESS"));
}
