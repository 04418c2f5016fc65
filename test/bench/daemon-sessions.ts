import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { RequestReader } from "../../adapters/daemon/request-reader.ts";
import { serveHooks } from "../../adapters/daemon/server.ts";
import { hostileJudge } from "../adapters/daemon/hostile-judge.ts";
import { atMost, type Bar } from "./bars.ts";
import type { HookPlace } from "./hook-subjects.ts";
import { quantile } from "./measure.ts";
import { isQuick } from "./options.ts";

/** What a part of the daemon's bench came to. */
export interface Part {
  readonly lines: readonly string[];
  readonly bars: readonly Bar[];
}

const mark = "hookwarden-11-22";
const sessions = 200;

/** Asks a daemon as the shell launcher does, without starting one; gives the milliseconds until the answer. */
function ask(
  socket: string,
  place: HookPlace,
  given: readonly string[],
  command: string,
  session: string,
): Promise<number> {
  const begun = performance.now();
  const payload = JSON.stringify({
    session_id: session,
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  });
  const lines = [
    mark,
    place.project,
    given.length,
    ...given,
    `export HOME='${place.home}'`,
    "export PATH='/usr/bin:/bin'",
  ];
  return new Promise((done, failed) => {
    const connection = connect(socket);
    let text = "";
    connection.on("data", (chunk) => {
      text += String(chunk);
    });
    connection.on("error", failed);
    connection.on("close", () => {
      if (text.endsWith(` end ${command === "ls -la src" ? 0 : 2}\n`)) done(performance.now() - begun);
      else failed(new Error(`no such answer: ${text}`));
    });
    connection.write(`${lines.join("\n")}\n${mark}\n${payload}\n${mark}\n`);
  });
}

/** Bytes that a process and those that it has started have in memory; undefined where the system does not show that. */
function memoryOf(pid: number): number | undefined {
  try {
    const own = readdirSync("/proc").filter((name) => name === String(pid) || parentOf(name) === pid);
    const kilobytes = own.map((name) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1] ?? 0),
    );
    return kilobytes.reduce((sum, one) => sum + one, 0) * 1_024;
  } catch {
    return undefined;
  }
}

function parentOf(name: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    return Number(readFileSync(`/proc/${name}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return undefined;
  }
}

/**
 * A daemon that runs already, with one session and with two hundred: both are asked in turn, so that whatever else the
 * machine does meets both alike.
 */
export async function manySessions(pid: number, socket: string, place: HookPlace, pack: string): Promise<Part> {
  const given = ["claude-code", "--home", place.home, "--policy", `pack:${pack}`];
  const one = (): Promise<number> => ask(socket, place, given, "ls -la src", "one");
  for (let n = 0; n < 50; n++) await one();
  const alone = memoryOf(pid);
  const times = { one: [] as number[], many: [] as number[] };
  const rounds = isQuick() ? 3 : 6;
  for (let round = 0; round < rounds; round++)
    for (let n = 0; n < sessions; n++) {
      const many = await ask(socket, place, given, "ls -la src", `session-${n}`);
      const single = await one();
      // The first rounds begin the sessions.
      if (round >= rounds / 2) times.many.push(many) && times.one.push(single);
    }
  const together = memoryOf(pid);
  const [single, many] = [quantile(times.one, 0.5), quantile(times.many, 0.5)];
  const megabytes = (bytes: number | undefined) => (bytes === undefined ? "unknown" : `${Math.round(bytes / 1e6)} MB`);
  return {
    lines: [
      `requests at the socket: ${single.toFixed(2)} ms in one session, ${many.toFixed(2)} ms in ${sessions}, x ${(many / single).toFixed(2)}`,
      `memory of front and judge: ${megabytes(alone)} with one session, ${megabytes(together)} with ${sessions}`,
    ],
    bars: [
      atMost(
        "daemon/sessions-time",
        `a request among ${sessions} sessions over one of a single session`,
        many / single,
        1.2,
        {
          unit: "x",
          ratio: many / single,
        },
      ),
      ...(together === undefined
        ? []
        : [
            atMost("daemon/sessions-memory", `front and judge with ${sessions} sessions`, together / 1e6, 220, {
              unit: " MB",
              ...(alone !== undefined && { ratio: together / alone }),
            }),
          ]),
    ],
  };
}

/** How long beyond its time a hook is refused whose judge does not listen any more. */
export async function overrun(place: HookPlace): Promise<Part> {
  const socket = join(place.home, "run/hostile.sock");
  const file = join(place.home, "hostile.cjs");
  writeFileSync(file, hostileJudge);
  const daemon = await serveHooks({ socket, judge: { file, home: place.home, warm: false } });
  const budget = 1_500;
  const over: number[] = [];
  try {
    for (let n = 0; n < 5; n++)
      over.push((await ask(socket, place, ["claude-code", "--budget", String(budget)], "busy-loop", `s${n}`)) - budget);
  } finally {
    daemon.end();
    await daemon.ended;
  }
  const median = quantile(over, 0.5);
  return {
    lines: [
      `a judge in an endless loop: refused ${median.toFixed(0)} ms after its time (${over.map((ms) => ms.toFixed(0)).join(", ")})`,
    ],
    bars: [
      atMost("daemon/overrun", "refusal after the deadline, with a judge in an endless loop", median, 100, {
        unit: " ms",
      }),
    ],
  };
}

/** Reading requests that are nothing but line breaks, in the pieces of a socket. That it is linear a test shows by counting. */
export function reading(): Part {
  const sizes = [1, 2, 4, 8];
  const times = sizes.map((size) => {
    const bytes = Buffer.from(`${mark}\n/\n0\n${mark}\n${"\n".repeat(size * 1_000_000)}x\n${mark}\n`);
    const runs = Array.from({ length: 9 }, () => {
      const begun = performance.now();
      const reader = new RequestReader();
      for (let at = 0; at < bytes.length; at += 65_536) reader.take(bytes.subarray(at, at + 65_536));
      reader.bytes();
      return performance.now() - begun;
    });
    return quantile(runs, 0.5);
  });
  return {
    lines: [`reading 1, 2, 4, 8 MB of line breaks: ${times.map((ms) => ms.toFixed(2)).join(", ")} ms`],
    bars: [],
  };
}
