import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InstalledHost } from "../install.ts";
import { bash, finished, has, inScratch, read } from "../omp-process.ts";
import type { Cases } from "../report.ts";
import { fakeSecret, type Scratch } from "../scratch.ts";
import { sessionText } from "./agent.ts";
import { Program } from "./program.ts";

/** Puts the module with what the seeds' examples do into the scratch folder. */
export function examplesModule(scratch: Scratch): string {
  const path = join(scratch.root, "examples.mjs");
  copyFileSync(join(import.meta.dirname, "examples.mjs"), path);
  return path;
}

/** What the examples of the seeds do, on omp's program with a human who agrees. */
export async function exampleCases(host: InstalledHost, cases: Cases): Promise<void> {
  await inScratch(async (scratch) => {
    const program = await Program.start(host, scratch, { modules: [examplesModule(scratch)], flag: "--extension" });
    try {
      await asked(program, cases);
      await redacted(program, cases);
      await filtered(program, cases);
      await begun(program, cases);
    } finally {
      await program.end();
    }
  });
}

async function asked(program: Program, cases: Cases): Promise<void> {
  await program.prompt("Please make the marked call.", [bash("touch ASKED"), finished]);
  const question = program.records.find((record) => record["method"] === "confirm");
  const allowed = question?.["message"] === "Allow: touch ASKED" && has(program.scratch, "ASKED");
  cases.check("a guard can ask the human, and the call runs when the human agrees", allowed, question ?? program.told);
}

async function redacted(program: Program, cases: Cases): Promise<void> {
  const { requests } = await program.prompt("Please read.", [read("notes.txt"), read("long.txt"), finished]);
  const [, notes = "", long = ""] = requests;
  const clean = notes.includes("API_KEY=[REDACTED]") && notes.includes("last line of the notes");
  cases.check(
    "a redactor changes what the model sees of a result",
    clean && !notes.includes(fakeSecret),
    notes.slice(-600),
  );
  cases.check(
    "a result that a redactor does not answer stays as it is",
    long.includes("a plain line of text"),
    long.slice(-600),
  );
  const whole = long.includes("a plain line of text") && long.includes("last line of the notes");
  cases.check(
    "results are not of role `tool` in the context, so that a filter for it changes nothing",
    whole,
    long.slice(-600),
  );
}

async function filtered(program: Program, cases: Cases): Promise<void> {
  await program.during([], () => program.ask({ type: "prompt", message: "/say-debug" }));
  await program.until("the message in the session", () => sessionText(program).includes("a word for debugging"));
  const { requests } = await program.prompt("Please go on.", [finished]);
  const dropped = requests.length === 1 && !requests[0]?.includes("a word for debugging");
  cases.check("a filter of the context keeps custom messages from the model", dropped, requests[0]?.slice(-600));
}

async function begun(program: Program, cases: Cases): Promise<void> {
  const before = String((await program.state())["sessionFile"]);
  const { data = {} } = await program.ask({ type: "get_available_commands" });
  const listed = data["commands"] as { name: string; source?: string }[];
  const own = listed.filter(({ name }) => name === "handoff").map(({ source }) => source);
  cases.check("omp has a command of the name handoff itself", own.length === 1 && own[0] !== "extension", own);
  await program.during([], async () => {
    await program.ask({ type: "prompt", message: "/begin-anew" });
    await program.until("a new session", () => program.stderr.includes("a new session has begun"));
  });
  const after = String((await program.state())["sessionFile"]);
  const { requests } = await program.prompt("Please go on in the new session.", [finished]);
  const session = readFileSync(after, "utf8");
  const child = after !== before && session.includes(`"parentSession":${JSON.stringify(before)}`);
  const filled = session.includes('"text":"Continue from the summary."');
  cases.check("a command can begin a session from this one and write its first message", filled && child, session);
  const sent = (request = ""): boolean => request.includes("Continue from the summary.");
  await program.ask({ type: "switch_session", sessionPath: before });
  await program.ask({ type: "switch_session", sessionPath: after });
  const again = await program.prompt("Please go on in it again.", [finished]);
  const late = !sent(requests[0]) && sent(again.requests[0]);
  cases.check(
    "the program's model gets that message when the session is next loaded",
    late,
    again.requests[0]?.slice(-600),
  );
}
