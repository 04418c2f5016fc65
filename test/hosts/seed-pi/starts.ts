import type { InstalledHost } from "../install.ts";
import { runPi } from "../pi-process.ts";
import { inScratch, told } from "../pi-script.ts";
import type { Cases } from "../report.ts";
import { eventsOf, textOf } from "./parts.ts";
import { logOf, Talk, writeRecorder } from "./talk.ts";

/** Cases that need a process of their own: where extensions come from, and how a process ends. */
export async function startCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("the order of extensions", () => loadOrder(host, cases));
  await cases.group("a prompt of the human", () => printed(host, cases));
}

/** pi 0.73 has no trust in projects, and no switch for it. */
async function loadOrder(host: InstalledHost, cases: Cases): Promise<void> {
  const trusts = host.host.version.startsWith("0.73.") ? [] : ["--approve"];
  const talk = await Talk.start(host, ["named"], { discover: true, args: trusts }, (scratch) => {
    writeRecorder(scratch, "project", "project/.pi/extensions/project.ts");
    writeRecorder(scratch, "user", "home/agent/extensions/user.ts");
    return [];
  });
  try {
    const begun = talk.log.filter(({ at, event }) => at === "begin" && event === "session_start").map(({ by }) => by);
    cases.check(
      "extensions run in load order: those named first, then the project's, then the user's",
      textOf(begun) === '["named","project","user"]',
      begun,
    );
    const { exitCode } = await talk.leave("SIGTERM");
    cases.check(
      "session_shutdown fires in each extension when pi is told to end",
      exitCode !== null &&
        ["named", "project", "user"].every((by) => eventsOf(talk.log, "session_shutdown", by).length === 1),
      [exitCode, talk.log.slice(-6).map(({ by, event }) => `${by} ${event}`)],
    );
  } finally {
    await talk.close();
  }
}

async function printed(host: InstalledHost, cases: Cases): Promise<void> {
  await inScratch(async (scratch) => {
    scratch.write("seed-scenario", "plain");
    const run = await runPi(host, scratch, [], [writeRecorder(scratch, "a", "a.mjs")], {
      prompt: "words of the human",
    });
    const log = logOf(scratch);
    const [input] = eventsOf(log, "input");
    cases.check(
      "text of the human fires input with the source interactive",
      input?.["source"] === "interactive" && input["text"] === "words of the human",
      [input, told(run)],
    );
    cases.check("session_shutdown fires when pi is done", eventsOf(log, "session_shutdown").length === 1, told(run));
  });
}
