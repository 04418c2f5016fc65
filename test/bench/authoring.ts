import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** The tools of authors as built, each a process from its start to its end, beside an empty one. */
export function benchAuthoring(): Report {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-authoring-"));
  try {
    for (const [, , rules] of commands) {
      mkdirSync(join(folder, `p${rules}`), { recursive: true });
      writeFileSync(join(folder, `p${rules}/many.yaml`), manyRules(rules));
    }
    const program = join(process.cwd(), "dist/bin/hookwarden.js");
    const run = (args: readonly string[]): void => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: {}, encoding: "utf8" });
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`.slice(0, 1_000));
    };
    const subjects: Subject[] = [
      { name: "an empty process", run: () => run(["-e", "0"]) },
      ...commands.map(([, words, rules]) => ({
        name: `${words.join(" ")} of ${rules} rules`,
        run: () => run([program, ...words, `p${rules}`]),
      })),
    ];
    const timings = measure(subjects, isQuick() ? 3 : 9, 1);
    const bars = commands.map(([id, , , seconds], i): Bar => {
      const { name, median } = timings[i + 1] ?? { name: id, median: Number.NaN };
      return atMost(`authoring/${id}`, `\`${name}\` with examples, start included`, median / 1_000, seconds, {
        unit: " s",
      });
    });
    return { text: table("tools of authors, whole processes", timings), numbers: { timings }, bars };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
