import type { InstalledHost } from "../install.ts";
import { bash, finished, has, inScratch } from "../omp-process.ts";
import type { Cases } from "../report.ts";
import type { Scratch } from "../scratch.ts";
import { examplesModule } from "./examples.ts";
import { allSeen, eventsOf, Program, recording } from "./program.ts";

/** Modules that do not load, and what omp says of each. */
const broken: Readonly<Record<string, readonly [text: string, says: string]>> = {
  "none.mjs": ["export const hook = 1;\n", "does not export a valid factory function"],
  "throws.mjs": ['throw new Error("broken at load");\n', "broken at load"],
  "class.mjs": ["export default class Hook { constructor(pi) { pi.on('context', () => {}); } }\n", "class constructor"],
  "commonjs.cjs": ["module.exports = 1;\n", "does not export a valid factory function"],
};

/** omp's program in print mode: where it finds modules, what it says of broken ones, and what modules have without a human. */
export async function headlessCases(host: InstalledHost, cases: Cases): Promise<void> {
  await inScratch(async (scratch) => {
    const inPlaces: readonly [string, string][] = [
      ["extension", "project/.omp/extensions/first.js"],
      ["project-pre", "project/.omp/hooks/pre/same.js"],
      ["project-post", "project/.omp/hooks/post/other.ts"],
      ["user-pre", "home/agent/hooks/pre/same.js"],
      ["user-post", "home/agent/hooks/post/mine.js"],
      ["claude-pre", "project/.claude/hooks/pre/claude.js"],
    ];
    for (const [name, path] of inPlaces) recording(scratch, name, "undefined", path);
    scratch.write("project/.omp/hooks/pre/shell.sh", "#!/bin/sh\necho from a shell\n");
    const named = [
      recording(scratch, "named"),
      ...Object.entries(broken).map(([name, [text]]) => scratch.write(name, text)),
      scratch.write("slow.mjs", "export default async (pi) => { await null; pi.on('context', () => {}); };\n"),
      recording(scratch, "of-home", "undefined", "home/of-home.mjs").replace(scratch.home, "~"),
      recording(scratch, "relative", "undefined", "project/relative.mjs").replace(`${scratch.project}/`, ""),
      recording(scratch, "named"),
      examplesModule(scratch),
    ];
    scratch.write("home/answers.json", JSON.stringify({ named: { before_agent_start: { asks: true } } }));
    const prompt = "Please make the marked call.";
    const turns = [bash("touch ASKED"), finished];
    const more = { modules: named, prompt, turns, discovers: true };
    const program = await Program.start(host, scratch, more);
    const code = await program.end();
    found(scratch, program, cases);
    failed(program, code, cases);
    withoutHuman(scratch, program, cases);
  });
}

function found(scratch: Scratch, program: Program, cases: Cases): void {
  const loaded = allSeen(scratch)
    .filter((one) => one["loaded"] === true)
    .map(({ module }) => module);
  const at = (name: string): number => loaded.indexOf(name);
  const folders = ["project-pre", "project-post", "user-post", "claude-pre"];
  cases.check(
    "modules in hooks/pre and hooks/post of .omp and .claude load",
    folders.every((name) => at(name) >= 0),
    loaded,
  );
  cases.check(
    "modules of the folders come before those of the command line",
    folders.every((name) => at(name) < at("named")),
    loaded,
  );
  cases.check(
    "extensions come before hooks, and omp's folders before Claude's",
    at("extension") === 0 && at("claude-pre") > at("user-post"),
    loaded,
  );
  cases.check(
    "of two files with one key the project's is loaded alone",
    at("project-pre") >= 0 && at("user-pre") < 0,
    loaded,
  );
  cases.check(
    "a path that is given twice is loaded once",
    loaded.filter((name) => name === "named").length === 1,
    loaded,
  );
  cases.check("a path of the command line may begin with ~", at("of-home") > at("named"), [loaded, program.stderr]);
  cases.check("a path of the command line may be relative to the working folder", at("relative") > at("of-home"), [
    loaded,
    program.stderr,
  ]);
  const shell = !program.stderr.includes("shell.sh");
  cases.check("the program leaves shell files in those folders alone, without a word", shell, program.stderr);
  const events = eventsOf({ seen: allSeen(scratch), requests: [] });
  const order = allSeen(scratch).flatMap(({ event, module }) => (event === "agent_start" ? [module] : []));
  cases.check(
    "events come to the modules in the order in which they were loaded",
    order.join() === loaded.join() && events.length > 0,
    [order, loaded],
  );
}

function failed(program: Program, code: number | null, cases: Cases): void {
  const told = ([name, [, says]]: [string, readonly [string, string]]): boolean =>
    new RegExp(`${name}[^\\n]*${says}`).test(program.stderr);
  const silent = Object.entries(broken).filter((one) => !told(one));
  cases.check("a module that does not load is reported with its path and why", silent.length === 0, [
    silent,
    program.stderr,
  ]);
  const loaded = program.seen.some(({ module, loaded: yes }) => module === "relative" && yes === true);
  cases.check("the program goes on with the modules that load", code === 0 && loaded && program.requests.length === 2, [
    code,
    program.stderr,
  ]);
  cases.check("an async factory is no error in the program", !program.stderr.includes("slow.mjs"), program.stderr);
}

function withoutHuman(scratch: Scratch, program: Program, cases: Cases): void {
  const seen = allSeen(scratch);
  const headless = seen.filter(({ event }) => event !== undefined);
  cases.check(
    "hasUI is false in print mode",
    headless.length > 0 && headless.every(({ hasUI }) => hasUI === false),
    headless[0],
  );
  const answers = seen.find((one) => one["answers"] !== undefined)?.["answers"] as Record<string, unknown> | undefined;
  const undefinedOnes = ["select", "input", "editor"].every((name) => answers?.[name] === "undefined");
  cases.check("select, input and editor answer undefined in print mode", undefinedOnes, answers);
  cases.check("confirm answers false in print mode", answers?.["confirm"] === false, answers);
  cases.check(
    "notify, setStatus and setEditorText do nothing in print mode, and the editor is empty",
    answers?.["editorText"] === "" && !program.stderr.includes("hello"),
    answers,
  );
  const blocked = !has(scratch, "ASKED") && program.requests[1]?.includes("blocked, for there is no human") === true;
  cases.check("a guard that would ask blocks where there is no human", blocked, program.requests[1]?.slice(-600));
}
