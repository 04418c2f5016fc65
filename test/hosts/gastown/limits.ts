import { bash, finished, last, type Try, told, withFile } from "../gastown-try.ts";
import type { Cases } from "../report.ts";
import { fakeSecret } from "../scratch.ts";

/** What the seed keeps an answer from changing, and which hooks a matcher names. */
export async function limitedAnswers(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("timed", { updatedInput: { timeout: 9 } });
  const merged = await attempt.run([bash("touch HARMLESS"), finished], withFile(attempt, { PreToolUse: ["timed"] }));
  cases.check("updatedInput is merged: arguments that it does not name stay", attempt.has("HARMLESS"), told(merged));
  const renaming = { tool_name: "read", toolName: "read", tool_use_id: "other", toolCallId: "other" };
  attempt.answering("renaming", { ...renaming, updatedInput: { command: "echo changed-by-a-hook" } });
  const run = await attempt.run([bash("echo first"), finished], withFile(attempt, { PreToolUse: ["renaming"] }));
  const { messages } = JSON.parse(last(run) || '{"messages":[]}') as { messages: Record<string, unknown>[] };
  const result = messages.findLast(({ role }) => role === "tool");
  const changed = JSON.stringify(result?.["content"] ?? "").includes("changed-by-a-hook");
  cases.check("an answer changes the arguments alone", changed && attempt.log() !== "", result);
  cases.check("tool and id of the call stay", result?.["tool_call_id"] === "call_1_0", result);
  const hook = (matcher: string) => [{ matcher, hooks: [{ type: "command", command: matcher }] }];
  for (const name of ["bash", "read"]) attempt.answering(name, { decision: "allow" });
  const hooks = { PreToolUse: [...hook("bash"), ...hook("read")] };
  attempt.scratch.write("project/matchers.json", JSON.stringify({ hooks }));
  const named = await attempt.run([bash("echo second"), finished], { args: ["--hooks-config", "matchers.json"] });
  const one = attempt.home("bash.told") !== "" && attempt.home("read.told") === "";
  cases.check("a matcher names the tools that its hooks are for", one, told(named));
}

/** What the log keeps of what hooks print. */
export async function keptLog(attempt: Try, cases: Cases): Promise<void> {
  const long = "many words ".repeat(1_000);
  attempt.answering("leaks", `The key is ${fakeSecret} and then ${long}`);
  const hooks = withFile(attempt, { PostToolUse: ["leaks"] });
  const quiet = await attempt.run([bash("echo one"), finished], hooks);
  const log = attempt.log();
  cases.check(
    "the log masks a secret that a hook prints",
    log.includes("The key is") && !log.includes(fakeSecret),
    log,
  );
  const outputs = log.split("\n").flatMap((line) => (line === "" ? [] : [outputOf(line)]));
  const cut = outputs.some((text) => text.startsWith("The key is")) && outputs.every((text) => text.length <= 2_000);
  cases.check(
    "the log cuts what a hook prints to 2,000 characters",
    cut,
    outputs.map((text) => text.length),
  );
  const silent = !/mask|redact|truncat|cut/i.test(quiet.stderr) && !quiet.stderr.includes(fakeSecret);
  cases.check("masking warns nobody", silent, told(quiet));
  await attempt.run([bash("echo two"), finished], { ...hooks, args: [...(hooks.args ?? []), "--verbose"] });
  const loud = attempt.log().slice(log.length);
  cases.check("that something was masked or cut is told when verbose alone", flagged(loud) && !flagged(log), loud);
}

function outputOf(line: string): string {
  const { stdout } = JSON.parse(line) as { stdout?: string };
  return stdout ?? "";
}

const flagged = (log: string): boolean => /"(?:masked|redacted|truncated|cut)"/.test(log);
