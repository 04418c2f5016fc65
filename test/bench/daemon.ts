import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { launcherFile } from "../hosts/guard-files.ts";
import { atMost } from "./bars.ts";
import { manySessions, overrun, reading } from "./daemon-sessions.ts";
import { allowed, type HookPlace, HookPlaces, hookOf, recordsIn } from "./hook-subjects.ts";
import { measure, type Report, type Subject, table } from "./measure.ts";
import { type Netcat, netcat } from "./netcat.ts";
import { isQuick } from "./options.ts";
import { runProgram, type Started } from "./processes.ts";

const built = join(import.meta.dirname, "../../dist/bin");
const command = join(built, "hookwarden.js");
const shellLauncher = join(built, "hookwarden-hook.sh");
const pack = "recommended";
const perl = "/usr/bin/perl";

/**
 * The daemon that hooks ask in place of a process of their own: one round trip of the shell launcher, from its start to its
 * end, the record in the trail (`group`), beside Node starting to do nothing and the one-shot file; then many sessions, a
 * judge that does not answer, and requests that are dear to read.
 */
export async function benchDaemon(): Promise<Report> {
  if (!existsSync(shellLauncher)) return missing("`hookwarden serve` is not there");
  if (!existsSync(perl)) return missing("no perl");
  const places = new HookPlaces();
  const place = places.make();
  const socket = join(place.home, "run/hook.sock");
  mkdirSync(join(place.home, "run"), { mode: 0o700 });
  const daemon = await started(place, socket);
  try {
    await warmedUp(place);
    const trip = measured(places, place, socket);
    const parts = [await manySessions(daemon.pid ?? 0, socket, place, pack), await overrun(place), reading()];
    return {
      text: [trip.text, "", ...parts.flatMap(({ lines }) => lines.map((line) => `  ${line}`))].join("\n"),
      numbers: trip.numbers,
      bars: [...(trip.bars ?? []), ...parts.flatMap(({ bars }) => bars)],
      ...(trip.notRun && { notRun: trip.notRun }),
    };
  } finally {
    await ended(daemon);
    places.remove();
  }
}

function missing(why: string): Report {
  return { text: `daemon: not there (${why})`, numbers: null, notRun: [`daemon: ${why}`] };
}

function measured(places: HookPlaces, place: HookPlace, socket: string): Report {
  const idle = places.make();
  const own = places.make();
  const one = hookOf(pack, own);
  allowed(one);
  let calls = 0;
  const asking = (script: string) => () => {
    allowed(throughShell(place, socket, script));
    calls += 1;
  };
  const nc = netcat(places.root);
  const subjects: readonly Subject[] = [
    {
      name: "node -e 0",
      run: () => runProgram({ command: [process.execPath, "-e", "0"], cwd: idle.project, home: idle.home }),
    },
    {
      name: "sh that does nothing",
      run: () => runProgram({ command: ["/bin/sh", "-c", ":"], cwd: idle.project, home: idle.home }),
    },
    { name: "launcher in sh, daemon", run: asking(shellLauncher) },
    { name: "one-shot file", run: () => allowed(one) },
    {
      name: "launcher in sh, no daemon",
      run: () => allowed(throughShell(own, join(own.home, "none.sock"), shellLauncher)),
    },
    ...(nc ? [{ name: `the same by ${nc.what}`, run: asking(byNetcat(places, nc)) }] : []),
  ];
  const timings = measure(subjects, isQuick() ? 9 : 31, 2);
  if (recordsIn(place) !== calls) throw new Error(`the daemon has ${recordsIn(place)} records of ${calls} calls`);
  const [base, , trip] = timings.map(({ median }) => median) as [number, number, number];
  return {
    text: table(`one hook, \`${pack}\``, timings),
    numbers: { timings },
    bars: [
      atMost("daemon/round-trip", `daemon round trip, \`sh\` launcher with perl, \`${pack}\``, trip / base, 0.25, {
        unit: "x `node -e 0`",
        ratio: trip / base,
      }),
    ],
    ...(!nc && { notRun: ["daemon round trip by `nc`: there is none, and no compiler for a stand-in"] }),
  };
}

/** The shell launcher as it goes on where the machine has no perl. */
function byNetcat(places: HookPlaces, { folder }: Netcat): string {
  const script = readFileSync(shellLauncher, "utf8");
  return places.write(
    "by-netcat.sh",
    script.replace(`-x ${perl}`, "-x /nowhere/perl").replace("/usr/bin/nc /bin/nc", `'${join(folder, "nc")}'`),
  );
}

/** The hook as `install --daemon` wires it. */
function throughShell(place: HookPlace, socket: string, script: string): Started {
  const { command: words, ...more } = hookOf(pack, place);
  const [host = "", ...options] = words.slice(words.indexOf(launcherFile) + 1);
  const given = [host, "--home", place.home, "--state", join(place.home, ".local/state/hookwarden"), ...options];
  return { ...more, command: ["/bin/sh", "-p", script, process.execPath, launcherFile, socket, ...given] };
}

/** A daemon of our own, once it answers. */
async function started({ home, project }: HookPlace, socket: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [command, "serve", "--socket", socket], {
    cwd: project,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, TMPDIR: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await new Promise<void>((answers, fails) => {
    let said = "";
    const heard = (chunk: Buffer): void => {
      said += chunk.toString("utf8");
      if (said.includes("answering hooks")) answers();
    };
    child.stdout?.on("data", heard);
    child.stderr?.on("data", heard);
    child.once("exit", () => fails(new Error(`the daemon has ended: ${said}`)));
  });
  return child;
}

/** Until the daemon has made its code fast (`warmUp`): what is measured is a hook of one that runs already. */
async function warmedUp({ home }: HookPlace): Promise<void> {
  const until = performance.now() + 10_000;
  await pause(500);
  while (readdirSync(home).some((name) => name.startsWith("hookwarden-warm-up-")) && performance.now() < until)
    await pause(50);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const over = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await over;
}
