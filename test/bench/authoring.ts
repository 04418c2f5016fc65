import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { atMost, type Bar } from "./bars.ts";
import { manyRules } from "./many-rules.ts";
import { measure, type Report, type Subject, table } from "./measure.ts";
import { isQuick } from "./options.ts";

/** What is done with generated policies, by the number of their rules, and the seconds that it may take, start included. */
const commands: readonly (readonly [id: string, words: readonly string[], rules: number, seconds: number])[] = [
  ["check-100", ["check"], 100, 1],
  ["check-1000", ["check"], 1_000, 5],
  ["fmt-1000", ["fmt", "--check"], 1_000, 1],
];

/** Whose machine it is: `cli/launcher.ts` keeps code for a user who has a state folder. */
const users = [
  ["", "a user's machine"],
  ["-nothing-kept", "a machine without a state folder"],
] as const;

/**
 * The tools of authors as built, each a process from its start to its end, beside an empty one: for a user for whom code is
 * kept between processes, and where nothing is.
 */
export function benchAuthoring(): Report {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-authoring-"));
  try {
    for (const [, , rules] of commands) {
      mkdirSync(join(folder, `p${rules}`), { recursive: true });
      writeFileSync(join(folder, `p${rules}/many.yaml`), manyRules(rules));
    }
    mkdirSync(join(folder, "state/hookwarden"), { recursive: true, mode: 0o700 });
    const program = join(process.cwd(), "dist/bin/hookwarden.js");
    const run = (args: readonly string[], state = "state"): void => {
      const env = { HOME: folder, XDG_STATE_HOME: join(folder, state) };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`.slice(0, 1_000));
    };
    const timed = users.flatMap(([suffix, where]) =>
      commands.map(([id, words, rules, seconds]) => ({
        id: `${id}${suffix}`,
        name: `${words.join(" ")} of ${rules} rules, ${where}`,
        seconds,
        run: () => run([program, ...words, `p${rules}`], `state${suffix}`),
      })),
    );
    const subjects: Subject[] = [{ name: "an empty process", run: () => run(["-e", "0"]) }, ...timed];
    const timings = measure(subjects, isQuick() ? 3 : 9, isQuick() ? 1 : 4);
    const bars = timed.map(({ id, name, seconds }, i): Bar => {
      const { median } = timings[i + 1] ?? { median: Number.NaN };
      return atMost(`authoring/${id}`, `\`${name}\` with examples, start included`, median / 1_000, seconds, {
        unit: " s",
      });
    });
    return { text: table("tools of authors, whole processes", timings), numbers: { timings }, bars };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
