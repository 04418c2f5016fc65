import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InstalledHost } from "../install.ts";
import { environment, inScratch } from "../omp-process.ts";
import { runToEnd } from "../process.ts";
import type { Cases } from "../report.ts";

/** What omp's own hook subsystem did in each scenario of `subsystem.mjs`. */
type Saw = Readonly<Record<string, unknown>>;

/**
 * The hook subsystem that the seeds describe: loader, runner, wrapper and exports of the real package. omp's own program
 * takes its extension runner instead, as the seed says, so that it is asked by itself here.
 */
export async function subsystemCases(host: InstalledHost, cases: Cases): Promise<void> {
  await inScratch(async (scratch) => {
    const script = join(scratch.root, "subsystem.mjs");
    for (const file of ["subsystem", "subsystem-start", "subsystem-loading", "subsystem-calls", "subsystem-screen"])
      copyFileSync(join(import.meta.dirname, `${file}.mjs`), join(scratch.root, `${file}.mjs`));
    const omp = dirname(dirname(host.script));
    const run = await runToEnd([host.node, script, omp], scratch.project, environment(scratch));
    const [, line = "{}"] = /^SEEN (.*)$/m.exec(run.stdout) ?? [];
    const saw = JSON.parse(line) as Saw;
    const all = Object.keys(saw).length > 20;
    cases.check(
      "control: every scenario of the hook subsystem ran to its end",
      all && !line.includes('"broke":"'),
      run,
    );
    loading(saw, cases);
    calls(saw, cases);
    results(saw, cases);
    otherEvents(saw, cases);
    registrations(saw, cases);
    screen(saw, cases);
    declarations(omp, cases);
  });
}

/** A case that holds where a scenario, or a part of it, came to exactly this. */
function same(cases: Cases): (title: string, seen: unknown, expected: unknown) => void {
  return (title, seen, expected) => cases.check(title, JSON.stringify(seen) === JSON.stringify(expected), seen);
}

// biome-ignore lint/suspicious/noExplicitAny: what another program printed is looked at as it is.
const part = (saw: Saw, name: string): any => saw[name] ?? {};

function loading(saw: Saw, cases: Cases): void {
  const is = same(cases);
  const { loaded = [], errors = [] } = part(saw, "loading");
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(" ");
  const errorOf = (name: string): string => errors.find((one: { name: string }) => one.name === name)?.error ?? "";
  is("modules load in the order of their paths", names(loaded), "first.mjs typed.ts script.js async.mjs last.mjs");
  is("a factory registers handlers", loaded[0]?.events, ["session_start"]);
  const noDefault = "Hook must export a default function";
  is("a module without a default export is an entry of errors", errorOf("none.mjs"), noDefault);
  is("a module whose default export is no function is an entry of errors", errorOf("number.mjs"), noDefault);
  is("a module that throws at load is an entry of errors", errorOf("throws.mjs"), "Failed to load hook: at load");
  is(
    "a module whose factory throws is an entry of errors",
    errorOf("factory.mjs"),
    "Failed to load hook: in the factory",
  );
  cases.check(
    "a module that is not there is an entry of errors",
    errorOf("missing.mjs").includes("Cannot find module"),
    errors,
  );
  cases.check(
    "a module that cannot be parsed is an entry of errors",
    errorOf("broken.mjs").startsWith("Failed to load hook: "),
    errors,
  );
  cases.check(
    "a class is no factory, and is an entry of errors",
    errorOf("class.mjs").includes("class constructor"),
    errors,
  );
  cases.check(
    "the other modules load beside those that do not",
    names(loaded).endsWith("last.mjs") && errors.length === 7,
    errors,
  );
  is("an async factory is waited for", loaded[3], { name: "async.mjs", events: ["later"] });
  is("a handler that is registered after the factory counts too", saw["late"], ["late"]);
  const [absolute, home, relative] = part(saw, "paths").loaded ?? [];
  is("an absolute path is used as it is", absolute, "PROJECT/far.mjs");
  is("a path that begins with ~ is of the home folder", home, "HOME/of-home.mjs");
  is("a relative path is of the given working folder", relative, "PROJECT/below/near.mjs");
  discovery(part(saw, "discovery"), cases);
}

function discovery(saw: Record<string, string[]>, cases: Cases): void {
  const is = same(cases);
  const [found = [], errors = []] = [saw["loaded"], saw["errors"]];
  const native = [
    "PROJECT/.omp/hooks/pre/bash.mjs",
    "PROJECT/.omp/hooks/post/read.mjs",
    "HOME/agent/hooks/pre/mine.mjs",
  ];
  const claude = ["PROJECT/.claude/hooks/pre/bash.mjs", "PROJECT/.claude/hooks/pre/other.mjs"];
  const all = [...native, ...claude].every((path) => found.includes(path));
  cases.check("files in hooks/pre and hooks/post of .omp and .claude are found", all, saw);
  is("discovered modules come before those that are named", found.at(-1), "PROJECT/named.mjs");
  is("a path that was found or named already is loaded once", [found.length, new Set(found).size], [6, 6]);
  is("providers come by priority, omp's own before Claude's", saw["providers"], ["native", "claude"]);
  const shadowed = ["HOME/agent/hooks/pre/bash.mjs", "PROJECT/.claude/hooks/pre/shell.sh"];
  is("of one key the first wins, and the others are marked", [...(saw["shadowed"] ?? [])].sort(), shadowed);
  const gone = shadowed.every((path) => !found.includes(path) && !errors.includes(path));
  cases.check("a module that is marked is not loaded", gone, saw);
  is("a shell file that is found is an entry of errors", errors, ["PROJECT/.omp/hooks/pre/shell.sh"]);
}

function calls(saw: Saw, cases: Cases): void {
  const is = same(cases);
  is("handlers run by the order of modules, then of registration", saw["order"], ["a1", "a2", "b1", "b2"]);
  const block = part(saw, "block");
  is("a block is thrown with its reason", block.came, { thrown: "not this word" });
  is("a blocked tool does not run", block.ran, []);
  is("no handler runs after a block", block.seen, []);
  is("a block without a reason has a text of omp's", part(saw, "blockWithout"), {
    came: { thrown: "Tool execution was blocked by a hook" },
    ran: [],
  });
  is("of answers that do not block the last holds", saw["lastAnswer"], { reason: "b" });
  const throwing = part(saw, "throwing");
  is("an error of a handler reaches the caller of emitToolCall", throwing.propagated, { thrown: "the handler broke" });
  is(
    "the wrapper blocks a call whose handler throws",
    [throwing.came, throwing.ran],
    [{ thrown: "the handler broke" }, []],
  );
  const [call] = part(saw, "payloads").seen ?? [];
  const told = { type: "tool_call", toolName: "say", toolCallId: "call-1", input: { word: "hello" } };
  is("a call is told with its tool, id and arguments", call, told);
  is("a call that is not blocked runs as ever", part(saw, "payloads").good?.value?.content?.[0]?.text, "ran hello");
  is("updates of a running tool go through", part(saw, "payloads").updates?.length, 1);
  is("what a handler writes to the arguments is what runs", part(saw, "input").written, [{ word: "written" }]);
  is("arguments that a handler returns are what runs", part(saw, "input").returned, [{ word: "returned" }]);
}

function results(saw: Saw, cases: Cases): void {
  const is = same(cases);
  const [, good, , failed] = part(saw, "payloads").seen ?? [];
  const from = { type: "tool_result", toolName: "say", toolCallId: "call-1", input: { word: "hello" } };
  const content = (text: string) => [{ type: "text", text }];
  is("a success is told with content, details and isError false", good, {
    ...from,
    content: content("ran hello"),
    details: { from: "tool" },
    isError: false,
  });
  is("a failure is told with the error's text and isError true", failed, {
    ...from,
    content: content("the tool failed"),
    isError: true,
  });
  is("after a failure the original error is thrown on", part(saw, "payloads").failed, { thrown: "the tool failed" });
  const { seen = [], came } = part(saw, "results");
  const names = seen.map(({ name }: { name: string }) => name);
  is("every handler of a result runs, in order", names, ["a", "b", "c"]);
  const original = seen.every((one: { content: string }) => one.content === "ran hello");
  cases.check("each handler of a result gets the original event", original, seen);
  is("the last override holds alone", came?.value, { content: content("ran hello"), details: { from: "b" } });
  const [other, details, flagged] = saw["resultParts"] as { value: object }[];
  is("returned content replaces all content", other?.value, { content: content("other"), details: { from: "tool" } });
  is("returned details replace the details", details?.value, {
    content: content("ran hello"),
    details: { from: "hook" },
  });
  is("a returned isError does not reach a successful result", flagged?.value, {
    content: content("ran hello"),
    details: { from: "tool" },
  });
  const after = part(saw, "failedResult");
  is("no answer makes a failed tool go on", [after.came, after.ran.length], [{ thrown: "the tool failed" }, 1]);
}

function otherEvents(saw: Saw, cases: Cases): void {
  const is = same(cases);
  const context = part(saw, "context");
  is("each context handler gets the output of the one before", context.seen, [["first"], ["first", "a"]]);
  is("the output of the last context handler is the context", context.came, ["first", "a", "b"]);
  is("undefined passes the messages through", context.same, true);
  const start = part(saw, "start");
  const message = { customType: "a", content: "from a", display: true, details: { by: "a" } };
  is("of several messages for the start the first is kept", start.came, { message });
  is("handlers after the first message for the start run all the same", start.seen?.length, 2);
  const before = Object.values(part(saw, "before")) as { last: unknown; cancelled: unknown; seen: unknown }[];
  const every = (key: "last" | "cancelled" | "seen", expected: unknown): boolean =>
    before.length === 4 && before.every((one) => JSON.stringify(one[key]) === JSON.stringify(expected));
  cases.check("of the answers to session_before_* the latest is kept", every("last", { note: "b" }), before);
  const stopped = every("cancelled", { cancel: true }) && every("seen", ["a", "b", "c", "d"]);
  cases.check("a cancel of session_before_* stops at once", stopped, before);
  is("of the answers to session.compacting the latest holds whole", saw["compacting"], { prompt: "b" });
  const errors = part(saw, "errors");
  is("a throw reaches listeners with event and error", errors.error, { event: "session_start", error: "broke" });
  is("a throw is reported in every event but tool_call", errors.heard, errors.all);
  is("the handlers after a throw run", errors.seen, errors.all);
}

function registrations(saw: Saw, cases: Cases): void {
  const is = same(cases);
  const registered = part(saw, "registered");
  is("a command is that of the first module that has it", registered.told, ["a"]);
  const both = [
    { name: "go", description: "of a" },
    { name: "go", description: "of b" },
  ];
  is("the list of commands has all of them", registered.commands, both);
  is("a renderer is that of the first module that has it", registered.renderer, "a");
  const actions = part(saw, "actions");
  is("messages and entries reach the host", actions.told, [
    ["send", { customType: "note", content: "hello", display: true }, { triggerTurn: false }],
    ["append", "state", { n: 1 }],
  ]);
  is("exec runs a program", actions.ran, { stdout: "hello\n", stderr: "", code: 0, killed: false });
  const command = ["waited", "new from the session", "appended first"];
  is("a command can wait, start a session from this one and fill it", saw["command"], command);
  const { names = [], inRoot, exec } = part(saw, "exported");
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.includes(name));
  cases.check("the loading functions are exported", has("discoverAndLoadHooks", "loadHooks"), names);
  cases.check("runner and wrapper are exported", has("HookRunner", "HookToolWrapper"), names);
  cases.check("execCommand is exported", has("execCommand"), names);
  const ran = { there: true, code: 1, keys: ["code", "killed", "stderr", "stdout"], killed: true };
  is("execCommand runs in the given folder, gives the exit code and ends what takes too long", exec, ran);
  is("the root has no value of the hook subsystem", inRoot, []);
}

function screen(saw: Saw, cases: Cases): void {
  const is = same(cases);
  const none = part(saw, "headless");
  is("without a screen hasUI is false", none.hasUI, false);
  is(
    "without a screen select, input and editor answer undefined",
    [none.select, none.input, none.editor],
    Array(3).fill("undefined"),
  );
  is("without a screen confirm answers false", none.confirm, false);
  is("without a screen notify, setStatus and setEditorText do nothing, and the editor is empty", none.editorText, "");
  const { hasUI, answers, themes, told } = part(saw, "withScreen");
  is("with a screen hasUI is true", hasUI, true);
  is("dialogs answer what the human answers", answers, ["b", true, "word", "text", 7, "typed"]);
  is("every method reaches the host with its arguments", told, [
    ["select", "which", ["a", "b"]],
    ["confirm", "really", "yes?"],
    ["input", "what", "word"],
    ["editor", "long", "text", {}, { promptStyle: true }],
    ["custom", "a function"],
    ["notify", "hello", "info"],
    ["setStatus", "key", "text"],
    ["setEditorText", "text"],
  ]);
  is("theme is the theme as it is now", themes, ["dark", "light"]);
  const { both = [], replaced, cut = [] } = part(saw, "status");
  is("a status is kept by its key, and undefined takes it away", replaced, ["first again", "second part here too"]);
  cases.check("statuses are sorted by their keys", both[0] === "first" && both[2] === "third", both);
  is("line ends and tabs of a status become blanks, and runs of blanks one", both[1], "second part here too");
  const narrow = cut.length === 2 && cut.every((row: string) => row.length <= 8 && row.endsWith("…"));
  cases.check("a status is cut to the width of the screen", narrow, cut);
  is("each status has a row of its own", both, ["first", "second part here too", "third"]);
}

function declarations(omp: string, cases: Cases): void {
  const read = (path: string): string => readFileSync(join(omp, "dist/types", path), "utf8");
  const names = [
    "HookAPI",
    "HookFactory",
    "HookContext",
    "HookCommandContext",
    "HookUIContext",
    "HookError",
    "HookEvent",
  ];
  const types = read("extensibility/hooks/types.d.ts");
  const declared = names.every((name) => new RegExp(`export (?:interface|type) ${name}\\b`).test(types));
  const all = read("extensibility/hooks/index.d.ts").includes('export * from "./types.js"');
  cases.check("the types of hooks are exported", declared && all, read("extensibility/hooks/index.d.ts"));
  const extensions = declaredEvents(read("extensibility/extensions/types.d.ts"));
  const hooks = declaredEvents(types);
  const superset = hooks.length > 20 && hooks.every((name) => extensions.includes(name));
  const more = superset && extensions.length > hooks.length;
  cases.check("the ExtensionAPI declares every event of the HookAPI, and more", more, [hooks, extensions]);
  const own = [
    "tool_execution_start",
    "tool_execution_update",
    "tool_execution_end",
    "input",
    "user_bash",
    "user_python",
  ];
  cases.check(
    "execution events, input, user_bash and user_python are declared for extensions alone",
    own.every((name) => extensions.includes(name) && !hooks.includes(name)),
    [hooks, extensions],
  );
  cases.check("the root declares none of them", !/extensibility\/hooks|HookAPI/.test(read("index.d.ts")));
}

/** Names of the events that an API declares handlers for. */
function declaredEvents(types: string): string[] {
  return [...types.matchAll(/\bon\(event: "([a-z_.]+)"/g)].map(([, name = ""]) => name);
}
