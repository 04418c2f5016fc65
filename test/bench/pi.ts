import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageExtension } from "../hosts/guard-files.ts";
import { type HostVersion, type InstalledHost, installHost } from "../hosts/install.ts";
import type { ScriptedTurn } from "../hosts/model-server.ts";
import { piVersions } from "../hosts/pi.ts";
import { runPi } from "../hosts/pi-process.ts";
import { bash, finished, read, told, trail } from "../hosts/pi-script.ts";
import { makeScratch, type Scratch } from "../hosts/scratch.ts";
import { atMost, type Bar, digits } from "./bars.ts";
import { quantile, type Report, shownTime } from "./measure.ts";
import { isQuick, profileFolder } from "./options.ts";

/** Tool calls of one run, and the milliseconds after which a run is given up. */
const calls = 200;
const runLimit = 600_000;

const runtimeFile = join(import.meta.dirname, "../../dist/runtime.js");

/** What one guarded run spent in the guard, in milliseconds. */
interface Spent {
  /** The regex engine that the host's Node could load. */
  readonly regex: string;
  /** Loading its modules, compiling the policies, linking the plan. */
  readonly load: number;
  readonly handlers: Readonly<Record<string, { readonly times: number; readonly total: number }>>;
}

interface Run {
  readonly wall: number;
  readonly spent?: Spent;
  /** Milliseconds of loading at the very first start, when the policies are compiled. */
  readonly compiled?: number;
}

/** Milliseconds that a model takes until its first token, in the run that shows what people feel. */
const firstToken = 500;

/**
 * A scripted run of 200 harmless tool calls on the real pi, with and without the guard of `recommended` as `install` puts it
 * there, in turns. The model answers at once, and the plan was compiled by an earlier start, as it is from the second start
 * on. What the guard takes is timed inside the run, by an extension around it: the difference of two runs of so
 * many seconds each says less than what it is about. That difference is shown too.
 */
export async function benchPi(): Promise<Report> {
  const reports: Report[] = [];
  for (const version of isQuick() ? [newest] : [newest, oldest]) reports.push(await benchVersion(version));
  return {
    text: reports.map(({ text }) => text).join("\n"),
    numbers: reports.map(({ numbers }) => numbers),
    bars: reports.flatMap(({ bars = [] }) => bars),
    notRun: reports.flatMap(({ notRun = [] }) => notRun),
  };
}

const [oldest, newest] = [piVersions.at(0), piVersions.at(-1)] as [HostVersion, HostVersion];

async function benchVersion(version: HostVersion): Promise<Report> {
  let host: InstalledHost;
  try {
    host = installHost(version);
  } catch (error) {
    const why = `pi ${version.version}: ${reasonOf(error)}`;
    return { text: `${why}: not run`, numbers: null, notRun: [why] };
  }
  const runs: { readonly without: Run[]; readonly with: Run[] } = { without: [], with: [] };
  for (let round = 0; round < (isQuick() ? 1 : 5); round++) {
    runs.without.push(await run(host, false));
    runs.with.push(await run(host, true));
  }
  const slow = version === newest && !isQuick() ? await run(host, true, firstToken) : undefined;
  const spent = runs.with.flatMap((one) => one.spent ?? []);
  const share = quantile(spent.map(total), 0.5) / quantile(walls(runs.with), 0.5);
  const name = version === newest ? "newest" : "oldest";
  const what = `guard's share of the median wall time of a ${calls}-call run of pi ${version.version}`;
  return {
    text: reportText(host, runs.without, runs.with, spent),
    numbers: { version: version.version, calls, runs, ...(slow && { slow }) },
    bars: [
      atMost(`pi/${name}`, what, share * 100, 2, { unit: " %", ratio: share }),
      {
        id: `pi/${name}-wall`,
        what: "the same runs, wall time with the guard over without",
        bar: "stated",
        measured: `${digits(quantile(walls(runs.with), 0.5) / quantile(walls(runs.without), 0.5))}x`,
        met: undefined,
      },
      ...(slow?.spent ? [ofSlowModel(version, slow.wall, slow.spent)] : []),
    ],
  };
}

/** What the guard's share is where the model is one that people wait for. It stands beside the bar, not in its place. */
function ofSlowModel({ version }: HostVersion, wall: number, spent: Spent): Bar {
  return {
    id: "pi/newest-slow-model",
    what: `the same share in one run of pi ${version} with a model that takes ${firstToken} ms until its first token`,
    bar: "stated",
    measured: `${digits((total(spent) / wall) * 100)} %`,
    met: undefined,
  };
}

/** The first line of what went wrong, without folders of this machine. */
function reasonOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line.replace(/(?:\/[\w.@-]+){2,}/g, "…").slice(0, 200);
}

/** A turn for each call: mostly short commands, and files of several lengths. */
function script(): readonly ScriptedTurn[] {
  const turns = Array.from({ length: calls }, (_, n): ScriptedTurn => {
    if (n % 10 === 9) return read("long.txt");
    return n % 5 === 2 ? bash("cat notes.txt") : bash(`echo step ${n} of the work`);
  });
  return [...turns, finished];
}

async function run(host: InstalledHost, guarded: boolean, wait?: number): Promise<Run> {
  const scratch = makeScratch();
  try {
    const extensions = guarded ? [timedGuard(scratch)] : [];
    if (guarded) await runPi(host, scratch, [finished], extensions, { limit: runLimit });
    const compiled = guarded ? spentIn(scratch).load : undefined;
    const known = trail(scratch).length;
    const profiles = profileFolder();
    const profile = `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-name=pi-${guarded ? "guarded" : "bare"}.cpuprofile`;
    const more = {
      limit: runLimit,
      ...(profiles !== undefined && { env: { NODE_OPTIONS: profile } }),
      ...(wait !== undefined && { model: { firstToken: wait } }),
    };
    const started = performance.now();
    const ran = await runPi(host, scratch, script(), extensions, more);
    const wall = performance.now() - started;
    if (ran.exitCode !== 0 || ran.requests.length !== calls + 1)
      throw new Error(`pi did not do its work: ${told(ran)}`);
    if (compiled === undefined) return { wall };
    if (trail(scratch).length <= known || recordedCalls(scratch) < calls)
      throw new Error(`${recordedCalls(scratch)} of ${calls} calls are on record`);
    return { wall, spent: spentIn(scratch), compiled };
  } finally {
    scratch.remove();
  }
}

function recordedCalls(scratch: Scratch): number {
  return trail(scratch).flatMap((file) => readFileSync(file, "utf8").match(/"event":"tool_call"/g) ?? []).length;
}

function spentIn(scratch: Scratch): Spent {
  return JSON.parse(readFileSync(join(scratch.root, "spent.json"), "utf8")) as Spent;
}

/** The guard inside an extension that times its loading and its handlers, and writes that down at the end. */
function timedGuard(scratch: Scratch): string {
  const file = JSON.stringify(join(scratch.root, "spent.json"));
  const lines = [
    'import { writeFileSync } from "node:fs";',
    "const handlers = {};",
    "const timed = (name, handler) => async (...given) => {",
    "  const started = performance.now();",
    "  try {",
    "    return await handler(...given);",
    "  } finally {",
    "    const own = (handlers[name] ??= { times: 0, total: 0 });",
    "    own.times += 1;",
    "    own.total += performance.now() - started;",
    "  }",
    "};",
    "export default async (pi) => {",
    "  const started = performance.now();",
    "  const api = new Proxy(pi, {",
    "    get: (target, name) =>",
    '      name === "on" ? (event, handler) => target.on(event, timed(event, handler)) : Reflect.get(target, name),',
    "  });",
    `  const { createExtension } = await import(${JSON.stringify(packageExtension)});`,
    '  await createExtension({ policies: ["pack:recommended"] })(api);',
    "  const load = performance.now() - started;",
    `  const { createRegexEngine } = await import(${JSON.stringify(runtimeFile)});`,
    "  const regex = createRegexEngine().name;",
    `  process.on("exit", () => writeFileSync(${file}, JSON.stringify({ regex, load, handlers })));`,
    "};",
    "",
  ];
  return scratch.write("timed-guard.mjs", lines.join("\n"));
}

const walls = (runs: readonly Run[]): number[] => runs.map(({ wall }) => wall);

function total({ load, handlers }: Spent): number {
  return Object.values(handlers).reduce((sum, one) => sum + one.total, load);
}

function reportText(
  { host }: InstalledHost,
  without: readonly Run[],
  guarded: readonly Run[],
  spent: readonly Spent[],
): string {
  const names = [...new Set(spent.flatMap(({ handlers }) => Object.keys(handlers)))].sort();
  const [bare, wall] = [quantile(walls(without), 0.5), quantile(walls(guarded), 0.5)];
  const range = (runs: readonly Run[]): string =>
    `${shownTime(quantile(walls(runs), 0))} to ${shownTime(quantile(walls(runs), 1))}`;
  return [
    `pi ${host.version}, ${calls} tool calls, ${without.length} runs each in turns, wall time of the whole run; regex engine ${spent[0]?.regex}`,
    `  without a guard              ${shownTime(bare)}  (${range(without)})`,
    `  with the guard of \`recommended\`  ${shownTime(wall)}  (${range(guarded)})  x ${digits(wall / bare)}`,
    `  loading it when the policies are compiled, at the first start  ${shownTime(
      quantile(
        guarded.flatMap(({ compiled }) => compiled ?? []),
        0.5,
      ),
    )}`,
    `  in the guard, by its own clock  ${shownTime(quantile(spent.map(total), 0.5))}`,
    `    loading it                 ${shownTime(
      quantile(
        spent.map(({ load }) => load),
        0.5,
      ),
    )}`,
    ...names.map((name) => {
      const own = spent.flatMap(({ handlers }) => (handlers[name] ? [handlers[name]] : []));
      const each = quantile(
        own.map((one) => one.total / one.times),
        0.5,
      );
      return `    ${name.padEnd(26)} ${shownTime(
        quantile(
          own.map((one) => one.total),
          0.5,
        ),
      )} for ${own[0]?.times ?? 0}, ${shownTime(each)} each`;
    }),
  ].join("\n");
}
