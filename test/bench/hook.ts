import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { launcherFile } from "../hosts/guard-files.ts";
import { atMost, digits } from "./bars.ts";
import { type Reads, readsOf } from "./hook-reads.ts";
import { allowed, type HookPlace, HookPlaces, hookOf, recordsIn } from "./hook-subjects.ts";
import { measure, type Report, type Subject, table } from "./measure.ts";
import { isQuick } from "./options.ts";
import { profileProgram, runProgram, type Started } from "./processes.ts";

/** Rounds of all subjects, one after the other: the bars of hooks are set for so many. */
const rounds = 31;
const quickRounds = 9;

/**
 * One hook as a host runs it, from the start of the process to its end: JSON on standard input, decision on standard output,
 * its record in the trail (`group`). Beside Node starting to do nothing.
 */
export function benchHook(): Report {
  const places = new HookPlaces();
  try {
    const idle = places.make();
    const empty = places.write("empty.cjs", "");
    const node = (args: readonly string[]): Started => ({
      command: [process.execPath, ...args],
      cwd: idle.project,
      home: idle.home,
    });
    const shellSafety = warmed("shell-safety", places);
    const recommended = warmed("recommended", places);
    const subjects: readonly Subject[] = [
      { name: "node -e 0", run: () => runProgram(node(["-e", "0"])) },
      { name: "node with an empty script", run: () => runProgram(node([empty])) },
      shellSafety.subject,
      recommended.subject,
    ];
    for (let n = 0; n < generations; n++) recommended.run();
    const code = codeOf(recommended.place, places);
    const loading: Subject = {
      name: "node that loads the hook's code, and runs none of it",
      run: () => {
        const { status, stderr } = runProgram(node(code));
        if (status !== 0) throw new Error(`the code of hooks could not be loaded: ${stderr}`);
      },
    };
    const timings = measure([...subjects, loading], isQuick() ? quickRounds : rounds, 2);
    const first = measure([subjects[0], cold("recommended", places)] as Subject[], isQuick() ? 1 : 7, 0);
    for (const { name, place, calls } of [shellSafety, recommended]) {
      if (recordsIn(place) !== calls()) throw new Error(`${name}: ${recordsIn(place)} records of ${calls()} calls`);
      profileProgram(`hook-${name}`, hookOf(name, place));
    }
    const reads = readsOf(recommended.name, recommended.place, places);
    const [base, , small, large, loads] = timings.map(({ median }) => median) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return {
      text: `${table("one hook, whole process", timings)}\n${table("the first hook of an installation", first)}\n${readsText(reads)}`,
      numbers: { timings, first, reads },
      bars: [
        atMost("hook/shell-safety", "one-shot hook, warm cache, `group` audit, `shell-safety`", small / base, 1.25, {
          unit: "x `node -e 0`",
          ratio: small / base,
        }),
        atMost("hook/recommended", "the same, `recommended`", large / base, 1.5, {
          unit: "x `node -e 0`",
          ratio: large / base,
        }),
        {
          id: "hook/loading",
          what: "of that, Node and the hook's compiled code, loaded and not run",
          bar: "stated",
          measured: `${digits(loads / base)}x \`node -e 0\``,
          met: undefined,
        },
        atMost("hook/reads", "the same, read of the plan and the session per call", reads.kept / 1_024, 64, {
          unit: " KB",
        }),
      ],
    };
  } finally {
    places.remove();
  }
}

/** Hooks after which the kept code does not change any more. */
const generations = 7;

/** What of a hook is there before anything of it runs: the text of its program and what V8 made of it, read and taken. */
const loader = `const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");
const [program, code] = process.argv.slice(2);
const script = new Script(readFileSync(program, "latin1"), { filename: program, cachedData: readFileSync(code) });
if (script.cachedDataRejected) throw new Error("the code is not of this Node");
`;

/** The arguments of a Node that loads the code of a hook as it is kept in a home. */
function codeOf(place: HookPlace, places: HookPlaces): readonly string[] {
  const kept = join(place.home, ".local/state/hookwarden/code");
  const built = dirname(launcherFile);
  const only = (folder: string, fits: RegExp): string => {
    const [name, ...more] = readdirSync(folder).filter((one) => fits.test(one));
    if (name === undefined || more.length > 0) throw new Error(`${folder} holds no one file of ${fits}`);
    return join(folder, name);
  };
  return [places.write("loader.cjs", loader), only(built, /^hookwarden-hook\.\w+\.program$/), only(kept, /\.code$/)];
}

function readsText({ kept, trail, other, files }: Reads): string {
  const kb = (bytes: number): string => `${digits(bytes / 1_024)} KB`;
  return [
    `read by one hook, \`recommended\`, warm: ${kb(kept)} of plan and session, ${kb(trail)} of the trail, ${kb(other)} of policies and itself`,
    ...files.slice(0, 8).map(([file, bytes]) => `  ${kb(bytes).padStart(9)}  ${file}`),
  ].join("\n");
}

interface Warmed {
  readonly name: string;
  readonly place: HookPlace;
  readonly subject: Subject;
  run(): void;
  calls(): number;
}

/** A hook of a session that goes on: plan and whatever else is kept are there. */
function warmed(pack: string, places: HookPlaces): Warmed {
  const place = places.make();
  const started = hookOf(pack, place);
  let calls = 0;
  const run = (): void => {
    allowed(started);
    calls += 1;
  };
  run();
  return { name: pack, place, subject: { name: `hook, \`${pack}\`, warm`, run }, run, calls: () => calls };
}

/** The very first hook of an installation: nothing is kept yet, and policies are compiled. */
function cold(pack: string, places: HookPlaces): Subject<HookPlace> {
  return {
    name: `hook, \`${pack}\`, first of all`,
    prepare: () => places.make(),
    run: (place) => allowed(hookOf(pack, place)),
  };
}
