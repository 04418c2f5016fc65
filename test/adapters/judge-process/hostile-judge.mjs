import { execFileSync } from "node:child_process";
import { pbkdf2Sync } from "node:crypto";
import { mkdirSync, readFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A judge process of tests: the built one, whose engine does what a call says in `comment` before it judges, or what one
 * of the stand-ins for commands means here. What it does
 * stands for what nobody foresaw: no policy and no event can bring the real engine to it.
 */
const modules = join(dirname(fileURLToPath(import.meta.url)), "../../../dist/bin/hookwarden-modules.cjs");
const { module } = createRequire(import.meta.url)(modules);
const { enginesOf } = module("hosts", "adapters/judge-process/engines.ts");
const { serve } = module("hosts", "adapters/judge-process/serve.ts");

const never = () => new Promise(() => setInterval(() => undefined, 1_000));

function busy() {
  for (;;);
}

/** By name; each gets the folder of the test. */
const deeds = {
  busy,
  "busy after an await": async () => {
    await new Promise((done) => setTimeout(done, 10));
    busy();
  },
  "no answer after an await": never,
  throws: () => {
    throw new Error("thrown on purpose");
  },
  rejects: () => Promise.reject(new Error("rejected on purpose")),
  "a native call": () => pbkdf2Sync("x", "y", 2_000_000_000, 64, "sha512"),
  "a folder that cannot be made": () => mkdirSync("/proc/hookwarden-none/a/b", { recursive: true }),
  "a pipe that nobody writes": (folder) => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    readFileSync(join(folder, "pipe"));
  },
  "memory without end": () => {
    const held = [];
    for (;;) held.push(new Array(1_000_000).fill(held.length));
  },
  exits: () => process.exit(0),
  "is killed": () => process.kill(process.pid, "SIGKILL"),
  "speaks nonsense": () => writeSync(1, "}{\n"),
  "half an answer": () => {
    writeSync(1, '{"id":1,"decision":{"outcome":"allow"');
    process.exit(0);
  },
};

const engines = (setup, live) => {
  const make = enginesOf(setup, live);
  return (plan, before) => {
    const real = make(plan, before);
    return {
      judge: async (event) => {
        const { comment, command } = event.args ?? {};
        const deed = deeds[comment ?? (command === "touch ASKED" ? "busy" : "")];
        if (deed) await deed(dirname(setup.sessions ?? setup.state));
        return real.judge(event);
      },
      answer: (answer) => real.answer(answer),
      ...(real.record && { record: (name, body) => real.record(name, body) }),
      ...(real.end && { end: (session) => real.end(session) }),
    };
  };
};

process.stdin.on("end", () => process.exit());
serve({ input: process.stdin, output: process.stdout, engines });
