import { createHash } from "node:crypto";
import { compile } from "../../compiler/compile.ts";
import { facts } from "../../facts/facts.ts";
import { createEngine } from "../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { emptyFiles, toolCall } from "../facts/effects/judge.ts";
import { atMost } from "./bars.ts";
import { quantile, type Report, shownTime, stopwatch } from "./measure.ts";
import { isQuick } from "./options.ts";
import { typicalCommands } from "./typical.ts";

/** Calls of one session, as many as an agent may make between two prompts. */
const callsOfSession = 100;

/** Rounds before the code of a process is as fast as it gets: some hundreds; the first of them are told apart. */
const warmUpRounds = isQuick() ? 60 : 300;
const firstRounds = 10;

/** One thing that is done with every typical call. */
interface Subject {
  readonly name: string;
  of(command: string, session: string): unknown;
}

const packs = ["recommended", "shell-safety", "strict"] as const;

/** What a native digest of a call costs: no guard that keeps a trail can do with less, and our code is not in it. */
const digestOnly: Subject = {
  name: "JSON and SHA-256 of the call, native",
  of: (command, session) => {
    const text = JSON.stringify(callEvent(command, session));
    return createHash("sha256")
      .update(JSON.stringify(JSON.parse(text)))
      .digest("hex");
  },
};

const factsOnly: Subject = {
  name: "facts alone: shell text, effects",
  of: (command) => facts.of(toolCall("bash", { command }), emptyFiles).effects,
};

/**
 * Typical calls of bash under shipped packs: each decision timed by itself, with everything that an event costs but writing
 * its record: copied and checked, shell text read, judged, digests, masked record.
 */
export function benchRecommended(): Report {
  const subjects = [digestOnly, factsOnly, ...packs.map(packSubject)];
  const rounds = isQuick() ? 20 : 100;
  const { first, times } = measureCalls(subjects, rounds);
  const [base, base99] = [quantile(times[0] ?? [], 0.5), quantile(times[0] ?? [], 0.99)];
  const summaries = subjects.map(({ name }, i) => {
    const own = times[i] ?? [];
    return {
      name,
      median: quantile(own, 0.5),
      p90: quantile(own, 0.9),
      p99: quantile(own, 0.99),
      max: quantile(own, 1),
    };
  });
  const recommended = summaries.find(({ name }) => name.includes("`recommended`"));
  const [median = Number.NaN, p99 = Number.NaN] = [recommended?.median, recommended?.p99];
  const width = Math.max(...subjects.map(({ name }) => name.length));
  const lines = summaries.map((s) => {
    const shown = [s.median, s.p90, s.p99, s.max].map((value) => shownTime(value).padStart(9)).join("  ");
    return `  ${s.name.padEnd(width)}  ${shown}  x ${(s.median / base).toFixed(2)}`;
  });
  const early = subjects.map(
    ({ name }, i) => `  ${name.padEnd(width)}  ${shownTime(quantile(first[i] ?? [], 0.5)).padStart(9)}`,
  );
  const unseen = measureUnseen(subjects.find(({ name }) => name.includes("`recommended`")) as Subject, rounds);
  const slow = slowest(times[subjects.findIndex(({ name }) => name.includes("`recommended`"))] ?? []);
  return {
    text: [
      `${typicalCommands.length} typical calls of bash, ${rounds} times each after ${warmUpRounds} times: median, 90 %, 99 %, maximum of single decisions`,
      ...lines,
      `the first ${firstRounds * typicalCommands.length} calls of a process, whose code is still being compiled: median`,
      ...early,
      `calls under \`recommended\` whose files and folders no call before named: median ${shownTime(quantile(unseen, 0.5))}`,
      "slowest under `recommended`, by median",
      ...slow.map(([command, time]) => `  ${shownTime(time).padStart(9)}  ${JSON.stringify(command)}`),
    ].join("\n"),
    numbers: { calls: typicalCommands.length, rounds, summaries },
    bars: [
      atMost(
        "recommended/median",
        "`recommended` on a bash call, shell parse, digests and record in it, median",
        median * 1_000,
        100,
        {
          unit: " µs",
          ratio: median / base,
        },
      ),
      atMost("recommended/p99", "the same, 99th percentile", p99, 1, { unit: " ms", ratio: p99 / base99 }),
    ],
  };
}

function packSubject(pack: string): Subject {
  const { files } = discoverPolicies([`pack:${pack}`], "/");
  const { plan } = compile({ files, resolveImport });
  if (!plan) throw new Error(`the pack ${pack} does not compile`);
  const engine = createEngine(plan);
  return {
    name: `decision under \`${pack}\`, ${plan.rules.length} rules`,
    of: (command, session) => engine.decide(callEvent(command, session)),
  };
}

/** Milliseconds of single calls by subject, in the order of the calls; each round does all calls with each subject. */
interface Measured {
  /** Those of the first rounds of the process. */
  readonly first: readonly (readonly number[])[];
  readonly times: readonly (readonly number[])[];
}

function measureCalls(subjects: readonly Subject[], rounds: number): Measured {
  const first = subjects.map(() => [] as number[]);
  const times = subjects.map(() => [] as number[]);
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const kept = round < firstRounds ? first : round < warmUpRounds ? undefined : times;
    const session = `s${Math.floor((round * typicalCommands.length) / callsOfSession)}`;
    for (const [i, subject] of subjects.entries()) {
      for (const command of typicalCommands) {
        const elapsed = stopwatch();
        subject.of(command, session);
        const time = elapsed();
        kept?.[i]?.push(time);
      }
    }
  }
  return { first, times };
}

/** Names in the typical calls that a project may have under any number. */
const ownNames = /\b(?:src|out|test|tests|data|docs|packages|package|scripts|README|notes|build|report|site|files)\b/g;

/** The same calls with names that were not there before: what is remembered of paths and texts does not serve them. */
function measureUnseen({ of }: Subject, rounds: number): readonly number[] {
  const times: number[] = [];
  for (let round = 0; round < 2 * rounds; round++)
    for (const command of typicalCommands) {
      const own = command.replace(ownNames, (name) => `${name}${round}`);
      const elapsed = stopwatch();
      of(own, `u${round}`);
      const time = elapsed();
      if (round >= rounds) times.push(time);
    }
  return times;
}

function slowest(times: readonly number[]): readonly (readonly [string, number])[] {
  const medians = typicalCommands.map((command, place) => {
    const own = times.filter((_, i) => i % typicalCommands.length === place);
    return [command, quantile(own, 0.5)] as const;
  });
  return medians.sort(([, a], [, b]) => b - a).slice(0, 5);
}

function callEvent(command: string, session: string): object {
  return {
    event: "tool_call",
    id: "e1",
    time: "2026-01-01T00:00:00.000Z",
    host: "pi",
    call_id: "c1",
    tool: "bash",
    args: { command },
    environment: {
      cwd: "/home/dev/app",
      workspace: "/home/dev/app",
      home: "/home/dev",
      user: "dev",
      branch: "feature/x",
    },
    session: { id: session },
  };
}
