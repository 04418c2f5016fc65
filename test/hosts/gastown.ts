import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endedByHumans } from "./gastown/endings.ts";
import { failingHooks, failingPolicies } from "./gastown/failures.ts";
import { keptLog, limitedAnswers } from "./gastown/limits.ts";
import { bash, finished, last, Try, told, withFile } from "./gastown-try.ts";
import { policyFile } from "./guard-files.ts";
import type { InstalledHost } from "./install.ts";
import type { RpcStep } from "./pi-process.ts";
import type { Cases } from "./report.ts";
import { makeScratch } from "./scratch.ts";

/** The hook-context blocks of a model request, in order. */
function blocks(request: string): string[] {
  const { messages } = JSON.parse(request === "" ? "{}" : request) as { messages?: unknown[] };
  const text = JSON.stringify(messages ?? []);
  return [...text.matchAll(/<hook-context>.*?<\/hook-context>/g)].map(([block]) => block);
}

/** Every acceptance box of the seed gastown-hooks-v1.1, and what v1 says of the built-in hooks, on one version of pi. */
export async function gastownCases(host: InstalledHost, cases: Cases): Promise<void> {
  const groups: readonly [string, (attempt: Try, cases: Cases) => Promise<void>][] = [
    ["control", control],
    ["configuration by option", byOption],
    ["precedence", precedence],
    ["decision blocks", decisionBlocks],
    ["ask", askCounts],
    ["updatedInput", updatedInput],
    ["additionalContext", additionalContext],
    ["order of several hooks", order],
    ["no built-in hooks beside a configuration", noDefaults],
    ["built-in hooks", builtIn],
    ["built-in hooks without their programs", missing],
    ["built-in hooks before compaction", compaction],
    ["invalid configuration", invalid],
    ["settings of Claude Code", claudeSettings],
    ["policies behind hooks", policies],
    ["decisions beside other text", heardDecisions],
    ["a judge before a rewriting hook", judgedAgain],
    ["what a hook leaves in the background", leftBehind],
    ["warnings for a human", shownWarnings],
    ["limits of answers", limitedAnswers],
    ["what the log keeps", keptLog],
    ["hooks that fail", failingHooks],
    ["programs of policies that fail", failingPolicies],
    ["the end that a human wants", endedByHumans],
  ];
  for (const [name, run] of groups) {
    await cases.group(name, async () => {
      const scratch = makeScratch();
      try {
        await run(new Try(host, scratch), cases);
      } finally {
        scratch.remove();
      }
    });
  }
}

async function control(attempt: Try, cases: Cases): Promise<void> {
  attempt.program("gt", 'echo "$@" >> "$HOME/gt.asked"', "exit 2");
  const run = await attempt.run([bash("touch FORBIDDEN"), finished]);
  cases.check("control: without hooks the marker command runs", attempt.has("FORBIDDEN"), told(run));
  cases.check(
    "control: outside gastown mode nothing is started",
    attempt.home("gt.asked") === "" && attempt.log() === "",
  );
}

async function byOption(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("check", { decision: "allow", reason: "nothing against it" });
  const run = await attempt.run([bash("touch HARMLESS"), finished], withFile(attempt, { PreToolUse: ["check"] }));
  cases.check("runs with hooks given by the option", run.exitCode === 0 && attempt.has("HARMLESS"), told(run));
  const seen = attempt.home("check.told");
  const fields = ['"hook_event_name":"PreToolUse"', '"tool_name":"bash"', "touch HARMLESS", '"tool_use_id"', '"cwd"'];
  cases.check(
    "the hook is told of the call",
    fields.every((field) => seen.includes(field)),
    seen,
  );
  const log = attempt.log();
  const logged = [
    '"event":"PreToolUse"',
    '"command":"check"',
    '"durationMs":',
    '"exitCode":0',
    '"decision":"allow"',
    '"reason":"nothing against it"',
    '"configSource":"cli"',
  ];
  cases.check(
    "the log has every field",
    logged.every((field) => log.includes(field)),
    log,
  );
}

async function precedence(attempt: Try, cases: Cases): Promise<void> {
  for (const name of ["file", "variable"]) attempt.answering(name, { decision: "allow" });
  const variable = { PI_HOOKS_JSON: attempt.config({ PreToolUse: ["variable"] }), GT_ROLE: "witness" };
  const option = withFile(attempt, { PreToolUse: ["file"] }, variable);
  await attempt.run([bash("echo one"), finished], option);
  cases.check(
    "the option goes before the variable",
    attempt.home("file.told") !== "" && attempt.home("variable.told") === "",
    attempt.log(),
  );
  const run = await attempt.run([bash("echo two"), finished], { env: variable });
  cases.check("the variable is taken without the option", attempt.home("variable.told") !== "", told(run));
  cases.check("and named as the source", attempt.log().includes('"configSource":"env"'), attempt.log());
}

async function decisionBlocks(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("deny", { decision: "deny", reason: "the freeze lasts until Monday" });
  const run = await attempt.run([bash("touch FORBIDDEN"), finished], withFile(attempt, { PreToolUse: ["deny"] }));
  cases.check("a deny in JSON blocks the call", run.requests.length === 2 && !attempt.has("FORBIDDEN"), told(run));
  cases.check(
    "its reason is the tool's error",
    last(run).includes("the freeze lasts until Monday"),
    last(run).slice(-900),
  );
  cases.check("and stands in the log", attempt.log().includes("the freeze lasts until Monday"), attempt.log());
}

async function askCounts(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("unsure", { decision: "ask", reason: "somebody should look" });
  const run = await attempt.run([bash("touch HARMLESS"), finished], withFile(attempt, { PreToolUse: ["unsure"] }));
  cases.check("a hook's ask counts as allow", attempt.has("HARMLESS"), told(run));
  const warned = run.stderr.includes('"level":"warning"') && run.stderr.includes("`ask` counts as allow");
  cases.check("with a warning", warned, told(run));
}

async function updatedInput(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("rewrite", '{"updatedInput":{"command":"touch HARMLESS","__proto__":{"command":"touch ASKED"}}}');
  const run = await attempt.run([bash("touch FORBIDDEN"), finished], withFile(attempt, { PreToolUse: ["rewrite"] }));
  cases.check("updatedInput changes what runs", attempt.has("HARMLESS") && !attempt.has("FORBIDDEN"), told(run));
  cases.check(
    "and the guarded key is ignored and logged",
    !attempt.has("ASKED") && attempt.log().includes("`__proto__` is ignored"),
  );
}

async function additionalContext(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("note", { additionalContext: "Mail waits in the box." });
  attempt.answering("plain", "You are on rig three.");
  const hooks = { SessionStart: ["plain"], PostToolUse: ["note"] };
  const turns = [bash("echo one"), bash("echo two"), finished];
  const run = await attempt.run(turns, withFile(attempt, hooks));
  const [first = "", second = "", third = ""] = run.requests.map((request) => blocks(request).join("|"));
  cases.check(
    "raw output of the session's start is in the first prompt",
    first.includes("[SessionStart] You are on rig three."),
    told(run),
  );
  cases.check(
    "additionalContext is in the next prompt",
    second.includes("[PostToolUse] Mail waits in the box."),
    second,
  );
  cases.check("in a block of its own, without the raw JSON", !second.includes("additionalContext"), second);
  cases.check("and what was said stays where it was", third.startsWith(second), third);
}

async function order(attempt: Try, cases: Cases): Promise<void> {
  for (const name of ["one", "two", "three", "four"]) attempt.answering(name, { additionalContext: `from ${name}` });
  const hooks = { PreToolUse: ["one", "two"], PostToolUse: ["three", "four"] };
  const seen: string[] = [];
  for (let round = 0; round < 2; round++) {
    const run = await attempt.run([bash("echo a", "echo b"), finished], withFile(attempt, hooks));
    seen.push(blocks(last(run)).join("|"));
  }
  const [first = "", second = ""] = seen;
  const said = [...first.matchAll(/from (\w+)/g)].map(([, name]) => name).join(" ");
  const orders = ["one two one two three four three four", "one two three four one two three four"];
  cases.check("several hooks of one turn give one block", first.split("<hook-context>").length === 2, first);
  cases.check("in the order in which they ran", orders.includes(said), said);
  cases.check("the same each time", first !== "" && first === second, seen);
}

/** Stand-ins for Gastown's programs that write down what they were asked. */
function gastownPrograms(attempt: Try, guard = "exit 0"): void {
  const asked = 'echo "$(basename "$0") $*" >> "$HOME/asked"';
  attempt.program(
    "gt",
    asked,
    '[ "$1" = prime ] && echo "You are the witness."',
    `[ "$1" = tap ] && { ${guard}; }`,
    "exit 0",
  );
  attempt.program("bd", asked);
}

async function noDefaults(attempt: Try, cases: Cases): Promise<void> {
  gastownPrograms(attempt);
  attempt.answering("own", { decision: "allow" });
  const more = withFile(attempt, { PreToolUse: ["own"] }, { GT_ROLE: "witness" });
  const run = await attempt.run([bash("touch HARMLESS"), finished], more);
  cases.check("the configured hook runs", attempt.home("own.told") !== "" && attempt.has("HARMLESS"), told(run));
  cases.check("no built-in hook runs beside it", attempt.home("asked") === "", attempt.home("asked"));
}

async function builtIn(attempt: Try, cases: Cases): Promise<void> {
  gastownPrograms(attempt, "echo 'not on the main branch' >&2; exit 2");
  const run = await attempt.run([bash("touch FORBIDDEN"), finished], { env: { GT_ROLE: "witness" } });
  const asked = attempt.home("asked");
  cases.check(
    "v1: `gt prime` and `gt tap guard` run in gastown mode",
    asked === "gt prime\ngt tap guard\n",
    asked || told(run),
  );
  cases.check(
    "v1: what `gt prime` prints is in the first prompt",
    (run.requests[0] ?? "").includes("You are the witness."),
    told(run),
  );
  cases.check(
    "v1: exit code 2 blocks",
    !attempt.has("FORBIDDEN") && last(run).includes("not on the main branch"),
    told(run),
  );
  gastownPrograms(attempt, "exit 1");
  const flagged = await attempt.run([bash("touch HARMLESS"), finished], { args: ["--gastown-mode"] });
  cases.check("v1: any other exit code goes on, in the mode by option", attempt.has("HARMLESS"), told(flagged));
  cases.check("the source is the default", attempt.log().includes('"configSource":"default"'), attempt.log());
}

async function missing(attempt: Try, cases: Cases): Promise<void> {
  const run = await attempt.run([bash("touch HARMLESS"), finished], { env: { GT_ROLE: "witness" } });
  cases.check("v1: missing programs are skipped", run.exitCode === 0 && attempt.has("HARMLESS"), told(run));
  cases.check("and the log says so", attempt.log().includes("is missing; it is skipped"), attempt.log());
}

async function compaction(attempt: Try, cases: Cases): Promise<void> {
  gastownPrograms(attempt);
  attempt.scratch.write(
    "home/agent/settings.json",
    JSON.stringify({ compaction: { enabled: true, keepRecentTokens: 1 } }),
  );
  const step: RpcStep = (record) => {
    if (record.type === "response" && record.id === "c1") return "end";
    return record.type === "agent_end" ? [{ id: "c1", type: "compact" }] : undefined;
  };
  const prompt = { id: "p1", type: "prompt", message: "Please do the scripted work." };
  const run = await attempt.rpc([bash("echo one"), finished], prompt, step, { env: { GT_ROLE: "witness" } });
  cases.check(
    "v1: `bd sync` runs before compaction",
    attempt.home("asked").includes("bd sync"),
    attempt.home("asked") + told(run),
  );
}

async function invalid(attempt: Try, cases: Cases): Promise<void> {
  gastownPrograms(attempt);
  attempt.answering("own", { decision: "deny" });
  attempt.scratch.write("project/hooks.json", '{"hooks":{"PreToolUze":[]}}');
  const env = { GT_ROLE: "witness", PI_HOOKS_JSON: attempt.config({ PreToolUse: ["own"] }) };
  const run = await attempt.run([bash("touch HARMLESS"), finished], { args: ["--hooks-config", "hooks.json"], env });
  cases.check("an invalid configuration ends no session", run.exitCode === 0 && run.requests.length === 2, told(run));
  cases.check("and disables the hooks", attempt.has("HARMLESS") && attempt.home("own.told") === "", told(run));
  cases.check("and does not fall back to the built-in ones", attempt.home("asked") === "", attempt.home("asked"));
  const parts = ['"level":"error"', '"configSource":"cli"', "PreToolUze", "hooks are disabled for this session"];
  cases.check(
    "with one structured error",
    parts.every((part) => run.stderr.includes(part)),
    told(run),
  );
  const unparsed = await attempt.run([bash("echo hi"), finished], { env: { GT_ROLE: "witness", PI_HOOKS_JSON: "{" } });
  cases.check(
    "the same for text that is no JSON",
    unparsed.exitCode === 0 && attempt.home("asked") === "" && unparsed.stderr.includes("not valid JSON"),
    told(unparsed),
  );
}

async function claudeSettings(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("deny", { decision: "deny", reason: "by the settings" });
  attempt.scratch.write("project/.claude/settings.json", attempt.config({ PreToolUse: ["deny"] }));
  const off = await attempt.run([bash("touch HARMLESS"), finished]);
  cases.check("settings of Claude Code are not read by default", attempt.has("HARMLESS"), told(off));
  const on = await attempt.run([bash("touch FORBIDDEN"), finished], { args: ["--claude-settings"] });
  cases.check("and are with the switch", !attempt.has("FORBIDDEN") && last(on).includes("by the settings"), told(on));
}

async function policies(attempt: Try, cases: Cases): Promise<void> {
  mkdirSync(join(attempt.scratch.home, ".config/hookwarden"), { recursive: true });
  copyFileSync(policyFile, join(attempt.scratch.home, ".config/hookwarden/policy.yaml"));
  attempt.answering("yes", { decision: "allow" });
  const allowed = await attempt.run([bash("touch FORBIDDEN"), finished], withFile(attempt, { PreToolUse: ["yes"] }));
  cases.check(
    "a hook's allow lifts no policy",
    !attempt.has("FORBIDDEN") && last(allowed).includes("no-forbidden-file"),
    told(allowed),
  );
  attempt.answering("unsure", { decision: "ask" });
  const asked = await attempt.run([bash("touch ASKED"), finished], withFile(attempt, { PreToolUse: ["unsure"] }));
  cases.check(
    "a policy's ask never becomes allow",
    !attempt.has("ASKED") && last(asked).includes("HW510"),
    told(asked),
  );
  attempt.answering("rewrite", { updatedInput: { command: "touch FORBIDDEN" } });
  const changed = await attempt.run([bash("echo hello"), finished], withFile(attempt, { PreToolUse: ["rewrite"] }));
  cases.check(
    "policies judge what hooks made of a call",
    !attempt.has("FORBIDDEN") && last(changed).includes("no-forbidden-file"),
    told(changed),
  );
  const broken = await attempt.run([bash("touch FORBIDDEN"), finished], { env: { PI_HOOKS_JSON: "{" } });
  cases.check(
    "policies stay on when the hook configuration is invalid",
    !attempt.has("FORBIDDEN") && last(broken).includes("no-forbidden-file"),
    told(broken),
  );
}

const denial = '{"decision":"deny","reason":"the freeze lasts until Monday"}';

/** A refusal is heard beside other text and however its hook ended; a half of one blocks as well. */
async function heardDecisions(attempt: Try, cases: Cases): Promise<void> {
  attempt.program("noisy", "echo checking...", `echo '${denial}'`, "echo done");
  attempt.program("ended", `echo '${denial}'`, "kill -9 $$");
  attempt.program("half", `echo '{"decision":"deny"'`);
  const blocked = async (name: string) => {
    const run = await attempt.run([bash("touch FORBIDDEN"), finished], withFile(attempt, { PreToolUse: [name] }));
    return { run, held: run.requests.length === 2 && !attempt.has("FORBIDDEN") };
  };
  const noisy = await blocked("noisy");
  cases.check("a deny between other text blocks", noisy.held && last(noisy.run).includes("Monday"), told(noisy.run));
  cases.check("and the text is warned of", noisy.run.stderr.includes("text beside its answer"), told(noisy.run));
  const ended = await blocked("ended");
  cases.check("a deny before a signal blocks", ended.held && last(ended.run).includes("Monday"), told(ended.run));
  const half = await blocked("half");
  cases.check("half a deny blocks", half.held && last(half.run).includes("cannot be read"), told(half.run));
  attempt.scratch.write("home/.profile", 'PATH="$HOME/bin:$PATH"; export PATH\necho "Welcome back"\n');
  attempt.program("quiet", `echo '${denial}'`);
  const greeted = await blocked("quiet");
  cases.check("a deny behind the greeting of a login shell blocks", greeted.held, told(greeted.run));
}

/** What an earlier hook judged is judged again, as a later one left it. */
async function judgedAgain(attempt: Try, cases: Cases): Promise<void> {
  attempt.program("judge", `grep -q FORBIDDEN && echo '${denial}'`, "exit 0");
  attempt.answering("rewrite", { updatedInput: { command: "touch FORBIDDEN" } });
  const hooks = withFile(attempt, { PreToolUse: ["judge", "rewrite"] });
  const run = await attempt.run([bash("echo hello"), finished], hooks);
  cases.check(
    "what a later hook put in is judged by the earlier one",
    !attempt.has("FORBIDDEN") && last(run).includes("Monday"),
    told(run),
  );
}

/** What a hook leaves in the background is neither waited for nor ended. */
async function leftBehind(attempt: Try, cases: Cases): Promise<void> {
  const group = { hooks: [{ type: "command", command: "record &", timeout: 60 }] };
  attempt.program("record", 'while [ ! -e "$HOME/stop" ]; do sleep 0.1; done', 'touch "$HOME/recorded"');
  attempt.scratch.write("project/stop.json", JSON.stringify({ hooks: { Stop: [group] } }));
  const run = await attempt.run([bash("echo hello"), finished], { args: ["--hooks-config", "stop.json"] });
  cases.check(
    "a Stop hook with `&` holds no end up",
    run.exitCode === 0 && !attempt.log().includes("too long"),
    told(run),
  );
  attempt.scratch.write("home/stop", "");
  const done = join(attempt.scratch.home, "recorded");
  for (let n = 0; n < 600 && !existsSync(done); n++) await delay(100);
  cases.check("and lives on when pi has ended", existsSync(done), told(run));
}

/** With a human who looks on, warnings go to pi's interface and nothing is written beside it. */
async function shownWarnings(attempt: Try, cases: Cases): Promise<void> {
  attempt.answering("unsure", { decision: "ask", reason: "somebody should look" });
  const step: RpcStep = (record) => (record.type === "agent_end" ? "end" : undefined);
  const prompt = { id: "p1", type: "prompt", message: "Please do the scripted work." };
  const more = withFile(attempt, { PreToolUse: ["unsure"] });
  const run = await attempt.rpc([bash("echo one"), bash("echo two"), finished], prompt, step, more);
  const shown = run.stdout.split("`ask` counts as allow").length - 1;
  cases.check(
    "a warning goes to pi's interface, once",
    shown === 1 && run.stdout.includes('"notify"'),
    run.stdout.slice(0, 900),
  );
  cases.check("and nothing is written beside it", !run.stderr.includes("counts as allow"), told(run));
  cases.check("while the log has each", attempt.log().split("`ask` counts as allow").length === 3, attempt.log());
}
