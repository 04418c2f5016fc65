import { existsSync, readFileSync } from "node:fs";
import { type Bar, digits } from "./bars.ts";
import { callPayload, type HookPlace, HookPlaces, hookOf } from "./hook-subjects.ts";
import { quantile, type Report, shownTime } from "./measure.ts";
import { isQuick } from "./options.ts";
import { runProgram, type Said } from "./processes.ts";
import { knownWorst, type Worst } from "./worst-subjects.ts";

/** Times of the processor that a hook may take for the worst input, over those of a usual call. */
const most = 40;

/** Hooks until what is kept of a home's code does not change any more. */
const generations = 8;

/** Processor time of one input, in milliseconds, and what became of it. */
interface Cost {
  readonly name: string;
  readonly size: number;
  readonly times: number[];
  answer: string;
}

/**
 * What the worst inputs take of a processor, each as one hook process as hosts run it, from its start to its end, beside
 * the bench's usual call of bash in the same round. What others do on the machine meanwhile is not counted.
 */
export function benchWorst(): Report {
  if (!existsSync("/proc/self/stat"))
    return {
      text: "",
      numbers: {},
      notRun: ["processor time of ended processes is read from /proc, which is not here"],
    };
  const places = new HookPlaces();
  try {
    const place = places.make();
    const usual: number[] = [];
    for (let n = 0; n < generations; n++) costOf(place, callPayload(place.project));
    const costs = knownWorst().map(({ name, size }): Cost => ({ name, size, times: [], answer: "" }));
    for (let round = 0; round < (isQuick() ? 1 : 3); round++)
      for (const [n, worst] of knownWorst().entries()) oneRound(place, worst, costs[n] as Cost, usual);
    return reportOf(costs, usual);
  } finally {
    places.remove();
  }
}

function oneRound(place: HookPlace, worst: Worst, cost: Cost, usual: number[]): void {
  usual.push(costOf(place, callPayload(place.project)).time);
  const { time, said } = costOf(place, worst.payload(place.project));
  cost.times.push(time);
  cost.answer = answerOf(said);
}

function costOf(place: HookPlace, input: string): { readonly time: number; readonly said: Said } {
  const before = childrenTime();
  const said = runProgram({ ...hookOf("recommended", place), input });
  return { time: childrenTime() - before, said };
}

/** Milliseconds of processors, user and system, that ended children of this process took: to a tick, which is 10 ms. */
function childrenTime(): number {
  const text = readFileSync("/proc/self/stat", "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** The answer in a word. A hook that gave none has let the call through, which no input may bring about. */
function answerOf({ status, stdout, stderr }: Said): string {
  if (status === null || (status !== 0 && status !== 2)) throw new Error(`the hook ended with ${status}: ${stderr}`);
  if (status === 2) return "refused";
  const refused = /"permissionDecision":"(deny|ask)"|"decision":"(block)"/.exec(stdout.slice(0, 4_096));
  if (refused) return refused[1] ?? refused[2] ?? "";
  return /HW516/.test(stdout) ? "withheld" : stdout === "" ? "allow" : "changed";
}

function reportOf(costs: readonly Cost[], usual: readonly number[]): Report {
  // A tick is much of a usual call: many of them together are counted to a part of it.
  const base = usual.reduce((sum, time) => sum + time, 0) / usual.length;
  const shown = costs
    .map(({ times, ...cost }) => ({ ...cost, time: quantile(times, 0.5), ratio: quantile(times, 0.5) / base }))
    .sort((a, b) => b.ratio - a.ratio);
  const [worst] = shown;
  const lines = shown.map(
    ({ name, size, time, ratio, answer }) =>
      `  ${digits(ratio).padStart(5)}x  ${shownTime(time).padStart(9)}  ${sizeText(size).padStart(8)}  ${answer.padEnd(8)}  ${name}`,
  );
  const bars: Bar[] = [
    {
      id: "worst/hook",
      what: `processor time of a hook for the worst of ${shown.length} inputs made to delay it (${worst?.name}, ${sizeText(worst?.size ?? 0)})`,
      bar: `at most ${most}x the usual call`,
      measured: `${digits(worst?.ratio ?? Number.NaN)}x`,
      met: (worst?.ratio ?? Number.NaN) <= most,
      ...(worst && { ratio: worst.ratio }),
    },
  ];
  const title = `processor time of one hook, \`recommended\`: ${shownTime(base)} for the usual call of bash`;
  return { text: [title, ...lines].join("\n"), numbers: { usual: base, shown }, bars };
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000
    ? `${digits(bytes / 1_048_576)} MB`
    : bytes >= 1_000
      ? `${digits(bytes / 1_000)} KB`
      : `${bytes} B`;
}
