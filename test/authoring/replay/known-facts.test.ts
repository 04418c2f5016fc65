import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knownFacts } from "../../../authoring/replay/known-facts.ts";
import { normalise } from "../../../engine/normalise.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import type { Declarations } from "../../../schema/declarations.ts";
import type { FactSet } from "../../../schema/facts.ts";
import type { JudgedEvent } from "../../../schema/judged-event.ts";
import { randomEvent } from "../../properties/language/events.ts";
import { Random } from "../../properties/language/random.ts";
import "../../properties/seed.ts";

const noFiles = hermeticFiles(undefined);

/** A reader that counts what it is asked. */
function counted() {
  const asked: string[] = [];
  const of = knownFacts((event, files) => {
    asked.push(event.id);
    return facts.of(event, files);
  }, noFiles);
  return { asked, of };
}

function judged(wire: object): JudgedEvent {
  const made = normalise(wire);
  if ("code" in made) throw new Error(made.message);
  return made.event;
}

const shown = ({ understanding, doubts, shell, effects, secrets, text }: FactSet) => ({
  understanding,
  doubts,
  shell,
  effects,
  secrets,
  text,
});

const call = (id: string, command: string, more: object = {}) =>
  judged({ event: "tool_call", id, call_id: `c${id}`, tool: "bash", args: { command }, ...more });

describe("facts of a replay", () => {
  it("are read for a call that comes the first and the second time, and then known", () => {
    const { asked, of } = counted();
    for (const id of ["a", "b", "c", "d"]) {
      of(call(id, "git status"), noFiles);
      of(call(`${id}x`, `git log ${id}`), noFiles);
    }
    expect(asked).toEqual(["a", "ax", "b", "bx", "cx", "dx"]);
  });

  it("are read once for two policies that judge the same event", () => {
    const { asked, of } = counted();
    expect(of(call("a", "ls"), noFiles)).toBe(of(call("a", "ls"), noFiles));
    expect(asked).toEqual(["a"]);
  });

  const event = { event: "tool_call", tool: "bash", args: { command: "cat notes" }, id: "e" };
  it.each<[string, object]>([
    ["another command", { args: { command: "cat note" } }],
    ["another argument", { args: { command: "cat notes", timeout: 7 } }],
    ["another name for the argument", { args: { cmd: "cat notes" } }],
    ["another folder", { environment: { cwd: "/elsewhere" } }],
    ["another home", { environment: { home: "/srv/other" } }],
    ["another shell", { environment: { shell: "powershell" } }],
    ["variables", { environment: { variables: { notes: "x" } } }],
    ["another tool", { tool: "powershell" }],
    ["a tool of another name for the same", { tool: "Bash" }],
    ["a human's command", { event: "user_bash", tool: undefined, args: undefined, command: "cat notes" }],
    ["files", { environment: { files: { "/workspace/notes": { symlink: "/etc/passwd" } } } }],
  ])("are not those of a call with %s", (_, change) => {
    const { asked, of } = counted();
    const other = JSON.parse(JSON.stringify({ ...event, ...change, id: "other" })) as object;
    const { event: second, files } = normalise(other) as { event: JudgedEvent; files: Record<string, unknown> };
    const own = files === undefined ? noFiles : hermeticFiles(files);
    for (let n = 0; n < 3; n++) {
      expect(shown(of(judged(event), noFiles))).toEqual(shown(facts.of(judged(event), noFiles)));
      expect(shown(of(second, own))).toEqual(shown(facts.of(second, own)));
    }
    expect(new Set(asked)).toEqual(new Set(["e", "other"]));
  });

  it("are not those of a plan that declares other programs", () => {
    const of = knownFacts((event, files, declared) => facts.of(event, files, 1, declared), noFiles);
    const writing = (path: string): Declarations => ({
      programs: [
        {
          ...{ name: "ours", aliases: [], options: [], standing: "known" },
          effects: [{ kind: "writes", path: [path] }],
        },
      ],
      tools: [],
    });
    const [one, other] = [writing("/a"), writing("/b")];
    const paths = (declared?: Declarations) =>
      of(call("a", "ours"), noFiles, 1, declared).effects?.writes.map(({ path }) => path.lexical);
    for (let n = 0; n < 3; n++) {
      expect([paths(one), paths(other), paths()]).toEqual([["/a"], ["/b"], []]);
    }
  });

  it("are those of the event itself for generated events, however often and by whomever they are given", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const { of } = counted();
        const events = Array.from({ length: 6 }, () => randomEvent(random));
        for (let n = 0; n < 40; n++) {
          const wire = {
            ...random.pick(events),
            id: `e${n}`,
            session: { id: `s${n % 3}`, turn: n },
            host: `h${n % 2}`,
          };
          const made = normalise({ ...wire, time: new Date(n * 1_000).toISOString() });
          if ("code" in made) continue;
          const files = made.files === undefined ? noFiles : hermeticFiles(made.files);
          expect(shown(of(made.event, files))).toEqual(shown(facts.of(made.event, files)));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("are kept of the calls that came last, whatever their number, and of no long one", () => {
    const { asked, of } = counted();
    const long = "x".repeat(10_000);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 3_000; i++) of(call(`${round}`, `echo ${i}`), noFiles);
      of(call(`long${round}`, long), noFiles);
      of(call("0", "echo 0"), noFiles);
    }
    expect(asked.filter((id) => id.startsWith("long"))).toHaveLength(3);
    const before = asked.length;
    for (let i = 2_500; i < 3_000; i++) of(call("again", `echo ${i}`), noFiles);
    expect(asked.length).toBe(before);
  });
});
