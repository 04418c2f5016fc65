import { pathToFileURL } from "node:url";
import { behindPrompt, compileGuard, compilePolicy, hookwarden, packageExtension, policyFile } from "./guard-files.ts";
import type { HostVersion, InstalledHost } from "./install.ts";
import { keepGoingCases, stopPolicy, stopsEarly } from "./keep-going.ts";
import type { ScriptedTurn } from "./model-server.ts";
import { failureCases } from "./pi-failures.ts";
import { type RpcRecord, type RpcStep, runPi, runPiRpc } from "./pi-process.ts";
import { bash, ending, finished, has, inScratch, read, sent, sessions, state, told, trail } from "./pi-script.ts";
import { secretCases } from "./pi-secrets.ts";
import type { Cases } from "./report.ts";
import { fakeSecret, makeScratch, type Scratch, tailMarker } from "./scratch.ts";

/** The versions of pi that are tested: the end of the old package name, the newest that installs whole, and the newest. */
export const piVersions: readonly HostVersion[] = [
  { name: "pi", version: "0.73.1", package: "@mariozechner/pi-coding-agent", start: "dist/cli.js" },
  { name: "pi", version: "0.87.1", package: "@earendil-works/pi-coding-agent", start: "dist/bundle/cli.js", node: 24 },
  {
    name: "pi",
    version: "1.5.2",
    package: "@earendil-works/pi-coding-agent",
    start: "dist/bundle/cli.js",
    node: 24,
    bundled: true,
    with: ["jiti@2.7.0", "typebox@1.3.27"],
  },
];

/** The main script: the forbidden marker, then the file with the secret by two tools. */
const script: readonly ScriptedTurn[] = [bash("touch FORBIDDEN"), read("notes.txt"), bash("cat notes.txt"), finished];

/** Every case for one version of pi. */
export async function piCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("control", () => inScratch((scratch) => control(host, scratch, cases)));
  await cases.group("guarded", () => inScratch((scratch) => guarded(host, scratch, cases)));
  await cases.group("context rules", () => inScratch((scratch) => contextRules(host, scratch, cases)));
  await cases.group("rewritten call", () => inScratch((scratch) => rewrittenCall(host, scratch, cases)));
  await cases.group("refused prompt", () => inScratch((scratch) => refusedPrompt(host, scratch, cases)));
  if (host.host.version !== "0.73.1") await cases.group("stop", () => keepsGoing(host, cases));
  await cases.group("ask", () => inScratch((scratch) => askWithoutUi(host, scratch, cases)));
  for (const confirmed of [true, false]) {
    await cases.group(`ask, answer ${confirmed}`, () =>
      inScratch((scratch) => askOverRpc(host, scratch, cases, confirmed)),
    );
  }
  await cases.group("later extension", () => changedAfterwards(host, cases));
  await cases.group("user command", () => inScratch((scratch) => userCommand(host, scratch, cases)));
  await cases.group("package extension", () => inScratch((scratch) => packageCases(host, scratch, cases)));
  await secretCases(host, cases);
  await failureCases(host, cases);
}

/** Without a guard the script does what the guarded runs must not let it do; otherwise those runs would prove nothing. */
async function control(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, script, []);
  cases.check("control: without a policy the marker command runs", has(scratch, "FORBIDDEN"), told(run));
  cases.check("control: without a policy the secret reaches the model", sent(run).includes(fakeSecret), told(run));
  cases.check("control: without a policy the secret reaches the session file", sessions(scratch).includes(fakeSecret));
}

async function guarded(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, script, [compileGuard(scratch)]);
  const [first = "", second = ""] = run.requests;
  cases.check("the run ends well", run.exitCode === 0 && run.requests.length === script.length, told(run));
  cases.check("the forbidden call does not run", !has(scratch, "FORBIDDEN"), told(run));
  cases.check(
    "its reason and rule reach the model",
    second.includes("may not be made") && second.includes("host-test/no-forbidden-file"),
    ending(second),
  );
  cases.check("the guidance reaches the model", second.includes("Leave the marker file alone."), ending(second));
  cases.check("the rest of the file reaches the model", sent(run).includes("last line of the notes"), told(run));
  cases.check(
    "the secret is in no model request",
    run.requests.length > 3 && !sent(run).includes(fakeSecret),
    told(run),
  );
  const session = sessions(scratch);
  cases.check(
    "the secret is not in the session file",
    session.includes("last line of the notes") && !session.includes(fakeSecret),
    session.slice(0, 200),
  );
  cases.check(
    "the text for the start of the agent reaches the model",
    first.includes("Remember the reminder of the host test."),
    ending(first),
  );
  auditCases(host, scratch, cases);
}

function auditCases(host: InstalledHost, scratch: Scratch, cases: Cases): void {
  const files = trail(scratch);
  cases.check("there is one audit segment", files.length === 1, files);
  const verified = hookwarden(scratch, ["audit", "verify", ...files]);
  cases.check("the audit trail verifies", files.length > 0 && verified.status === 0, verified.output);
  const text = state(scratch);
  const names = ["host-test/no-forbidden-file", "host-test/hide-secrets", "host-test/remind"];
  cases.check(
    "the audit trail names the rules",
    names.every((rule) => text.includes(rule)),
    text.slice(0, 500),
  );
  const named = text.includes(`"host_version":"${host.host.version}"`);
  cases.check("the audit trail names the version of pi", named, text.slice(0, 500));
  cases.check("the secret is not in the audit trail", text !== "" && !text.includes(fakeSecret));
}

async function contextRules(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const turns = [bash("echo forget-me"), read("long.txt"), finished];
  const run = await runPi(host, scratch, turns, [compileGuard(scratch)]);
  const last = run.requests.at(-1) ?? "";
  cases.check(
    "a dropped result is in no model request",
    run.requests.length === 3 && !results(last).includes("forget-me"),
    results(last),
  );
  cases.check("a truncated result keeps its head", last.includes("a plain line of text"), told(run));
  cases.check("and loses its tail", run.requests.length === 3 && !sent(run).includes(tailMarker), told(run));
  cases.check("a note for the call reaches the model", last.includes("A note that is never kept."), ending(last));
  const session = sessions(scratch);
  cases.check(
    "the session file keeps what the context dropped",
    session.includes(tailMarker) && session.includes("forget-me"),
  );
  cases.check("and does not keep the note", !session.includes("A note that is never kept."));
}

/** Contents of the tool results in a model request. */
function results(request: string): string {
  const { messages } = JSON.parse(request) as { messages: { role: string; content: unknown }[] };
  return JSON.stringify(messages.filter((message) => message.role === "tool").map((message) => message.content));
}

async function rewrittenCall(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, [bash("echo rewrite-me"), finished], [compileGuard(scratch)]);
  cases.check("a rewritten call runs as rewritten", has(scratch, "HARMLESS"), told(run));
}

async function refusedPrompt(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const prompt = "Please forget-this-prompt now.";
  const run = await runPi(host, scratch, [finished], [compileGuard(scratch)], { prompt });
  cases.check("a refused prompt reaches no model", run.requests.length === 0, told(run));
  cases.check("and the human is told why", run.stderr.includes("this prompt may not be sent"), told(run));
}

/** pi 0.73 asks nobody before it settles. */
async function keepsGoing(host: InstalledHost, cases: Cases): Promise<void> {
  const early = async (guarded: boolean): Promise<Parameters<typeof keepGoingCases>[1]> => {
    const scratch = makeScratch();
    try {
      const run = await runPi(host, scratch, stopsEarly, guarded ? [compilePolicy(scratch, stopPolicy)] : []);
      return { requests: run.requests, worked: has(scratch, "HARMLESS"), told: told(run) };
    } finally {
      scratch.remove();
    }
  };
  keepGoingCases(cases, await early(false), await early(true));
}

async function askWithoutUi(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const run = await runPi(host, scratch, [bash("touch ASKED"), finished], [compileGuard(scratch)]);
  cases.check("ask without a human blocks", run.requests.length === 2 && !has(scratch, "ASKED"), told(run));
  const last = run.requests.at(-1) ?? "";
  cases.check("and says so", last.includes("HW510") && last.includes("host-test/ask-before-asked-file"), ending(last));
}

/** A human at the other end of pi's RPC mode. */
async function askOverRpc(host: InstalledHost, scratch: Scratch, cases: Cases, confirmed: boolean): Promise<void> {
  const questions: RpcRecord[] = [];
  const step: RpcStep = (record) => {
    if (record.type === "agent_end") return "end";
    if (record.type !== "extension_ui_request" || record["method"] !== "confirm") return undefined;
    questions.push(record);
    return [{ type: "extension_ui_response", id: record.id, confirmed }];
  };
  const turns = [bash("touch ASKED"), finished];
  const prompt = { id: "p1", type: "prompt", message: "Please do the scripted work." };
  const run = await runPiRpc(host, scratch, turns, [compileGuard(scratch)], prompt, step);
  const question = JSON.stringify(questions);
  cases.check(
    `a human is asked once about the whole command (${confirmed})`,
    questions.length === 1 && question.includes("touch ASKED"),
    question || told(run),
  );
  if (confirmed) cases.check("an approved call runs", has(scratch, "ASKED"), told(run));
  else cases.check("a refused call does not run", !has(scratch, "ASKED") && sent(run).includes("HW510"), told(run));
  const text = state(scratch);
  cases.check(`the answer is on record (${confirmed})`, text.includes('"event":"approval"'), text.slice(-400));
}

/** An extension that rewrites every command into the forbidden marker, as any extension beside a guard could. */
async function changedAfterwards(host: InstalledHost, cases: Cases): Promise<void> {
  const rewriter =
    'export default (pi) => pi.on("tool_call", (event) => { if (event.toolName === "bash") event.input.command = "touch FORBIDDEN"; });\n';
  const turns = [bash("echo hello"), finished];
  await inScratch(async (scratch) => {
    const run = await runPi(host, scratch, turns, [scratch.write("rewriter.mjs", rewriter)]);
    cases.check("control: another extension can rewrite a call", has(scratch, "FORBIDDEN"), told(run));
  });
  for (const first of ["guard", "rewriter"]) {
    await inScratch(async (scratch) => {
      const both = [compileGuard(scratch), scratch.write("rewriter.mjs", rewriter)];
      const run = await runPi(host, scratch, turns, first === "guard" ? both : both.reverse());
      const safe = run.requests.length === 2 && !has(scratch, "FORBIDDEN");
      cases.check(`a rewritten call does not run, ${first} loaded first`, safe, told(run));
    });
  }
}

/** pi 0.73 asks extensions about `!` commands in its terminal only, so its RPC mode cannot show the guard at work. */
async function userCommand(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  let answer: RpcRecord | undefined;
  const step: RpcStep = (record) => {
    if (record.type !== "response" || record.id !== "b1") return undefined;
    answer = record;
    return "end";
  };
  const command = { id: "b1", type: "bash", command: "touch FORBIDDEN" };
  const run = await runPiRpc(host, scratch, [], [compileGuard(scratch)], command, step);
  const text = JSON.stringify(answer ?? "");
  if (host.host.version.startsWith("0.73.")) {
    cases.check(
      "host limit: RPC commands of the human reach no extension",
      has(scratch, "FORBIDDEN"),
      text || told(run),
    );
    return;
  }
  cases.check(
    "a human's forbidden command does not run",
    answer !== undefined && !has(scratch, "FORBIDDEN"),
    text || told(run),
  );
  cases.check("and its result says why", text.includes("may not be made") && text.includes('"exitCode":1'), text);
}

/** `hookwarden/pi`: the extension that finds and compiles policies by itself. */
async function packageCases(host: InstalledHost, scratch: Scratch, cases: Cases): Promise<void> {
  const none = await runPi(
    host,
    scratch,
    [bash("touch HARMLESS"), finished],
    [behindPrompt(scratch, packageExtension)],
  );
  cases.check(
    "package extension: without any policy every call is blocked",
    none.requests.length === 2 && !has(scratch, "HARMLESS"),
    told(none),
  );
  cases.check(
    "package extension: and the fix is said",
    sent(none).includes("HW012") && sent(none).includes("~/.config/hookwarden/"),
    ending(none.requests.at(-1) ?? ""),
  );
  const own = `import { createExtension } from ${JSON.stringify(pathToFileURL(packageExtension).href)};\nexport default createExtension({ policies: [${JSON.stringify(policyFile)}] });\n`;
  const run = await runPi(host, scratch, script, [scratch.write("extension.mjs", own)]);
  cases.check(
    "package extension: a named policy blocks",
    run.requests.length === script.length && !has(scratch, "FORBIDDEN"),
    told(run),
  );
  cases.check(
    "package extension: and redacts",
    sent(run).includes("last line of the notes") && !sent(run).includes(fakeSecret),
    told(run),
  );
}
