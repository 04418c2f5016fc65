import { describe, expect, it } from "vitest";
import { Judge } from "./oracle/judge.ts";
import { type Fault, faultsOf, mayStop } from "./oracle/oracle.ts";
import { start, type Touch, type TouchKind, type Trace } from "./oracle/strace.ts";

const judge = new Judge();

/** A touch as a row says it: `write MARK`, with `!` behind what failed. */
function touchOf(row: string): Touch {
  const [kind = "", name = ""] = row.replace("!", "").split(" ");
  const path = name.includes(":") ? name : `${start}/${name}`;
  return { kind: kind as TouchKind, path, real: path, done: !row.endsWith("!") };
}

function faults(
  text: string,
  rows: readonly string[],
  more: Partial<{ ended: Trace["ended"]; unfinished: boolean; errors: string }> = {},
): readonly string[] {
  const trace = { touches: rows.map(touchOf), ended: more.ended ?? [] };
  const found = faultsOf(judge.judge(text, "bash").facts, {
    trace,
    unfinished: more.unfinished ?? false,
    errors: more.errors ?? "",
    shell: "bash",
    stops: mayStop(text),
  });
  return found.map(({ rule, kind, place }: Fault) => `${rule}: ${kind} ${place}`);
}

/** A script, what it touched, and what breaks a rule. */
const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["touch MARK", ["write MARK"], []],
  ["touch MARK", ["write MARK", "write o"], ["uncovered: write o"]],
  ["touch MARK", [], ["false certain: write MARK"]],
  ["touch MARK", ["write MARK!"], []],
  ["touch sub/MARK", ["write sub/MARK"], []],
  ["touch MARK", ["read MARK"], ["uncovered: read MARK", "false certain: write MARK"]],
  ["cat src.txt", ["read src.txt"], []],
  ["cat src.txt", ["write src.txt"], ["uncovered: write src.txt"]],
  ["cat src.txt", [], ["false certain: read src.txt"]],
  ["grep -q t src.txt", ["read src.txt"], []],
  ["test -e src.txt", ["read src.txt"], ["uncovered: read src.txt"]],
  ["test -e src.txt", [], []],
  ["mv c.txt MARK", ["delete c.txt", "write MARK"], []],
  ["mv c.txt MARK", ["write MARK"], ["false certain: delete c.txt", "false certain: read c.txt"]],
  ["touch $x", ["write MARK"], []],
  ['touch "sub/$x"', ["write sub/MARK"], []],
  ['touch "sub/$x"', ["write w2/MARK"], ["uncovered: write w2/MARK"]],
  ["if test -e nope; then x=o; else x=MARK; fi; touch $x", ["write MARK"], []],
  ['eval "$(cat vars.sh)"', ["read vars.sh", "write o"], []],
  ["echo t > /dev/tcp/harness.example/8080", ["connect 127.0.0.1:8080"], []],
  ["touch o", ["write o", "connect 127.0.0.1:8080"], ["uncovered: connect 127.0.0.1:8080"]],
  ["touch o", ["write o", "list sub"], []],
  ["sed -i s/t/u/ src.txt", ["write sedAb3dEf", "read src.txt", "delete sedAb3dEf", "write src.txt"], []],
  ["cp -r sub new", ["read sub/in.txt", "write new", "write new/in.txt", "list sub"], []],
];

describe("the oracle", () => {
  it.each(rows)("holds %j against what was touched: %j", (text, touches, expected) => {
    expect(faults(text, touches)).toEqual(expected);
  });

  it("excuses what a program did not do because it failed", () => {
    expect(faults("cp nope MARK", [], { ended: [{ program: "cp", status: 1 }] })).toEqual([]);
    expect(faults("cp nope MARK", [], { ended: [{ program: "cat", status: 1 }] })).toContain(
      "false certain: write MARK",
    );
  });

  it("excuses a command of which a redirection failed", () => {
    expect(faults("cat src.txt > nope/o", ["write nope/o!"])).toEqual([]);
    expect(faults("cat src.txt > $x", [], { errors: "$x: ambiguous redirect" })).toEqual([]);
    expect(faults("cat src.txt > o", ["write o"])).toEqual(["false certain: read src.txt"]);
  });

  it("counts apart what did not happen because another command failed and the shell ended", () => {
    const ended = [
      { program: "cd", status: 1 },
      { program: "bash", status: 1 },
    ];
    expect(faults("cd nope || exit 1; touch MARK", [], { ended })).toEqual(["early: write nope/MARK"]);
    expect(faults("touch MARK", [], { ended: [{ program: "bash", status: 0 }] })).toEqual([
      "false certain: write MARK",
    ]);
    expect(faults("cd nope; touch MARK", [], { ended: [{ program: "cd", status: 1 }] })).toEqual([]);
    expect(faults("exit; touch MARK", [], { ended: [{ program: "bash", status: 0 }] })).toEqual([]);
  });

  it("holds a script that the shell refused or that was ended to rule 1 alone", () => {
    expect(faults("touch MARK", ["write o"], { unfinished: true })).toEqual(["uncovered: write o"]);
  });

  it("asks nothing of a call that is not understood", () => {
    expect(faults("touch MARK; fi", ["write o"])).toEqual([]);
  });
});

describe("the policy of the harness", () => {
  it.each([
    ["touch MARK", "block"],
    ["touch sub/MARK", "block"],
    ["touch $x", "ask"],
    ["touch MARKS", "allow"],
    ["cat MARK", "allow"],
  ])("answers %j by %s", (text, outcome) => {
    expect(judge.judge(text, "bash").outcome()).toBe(outcome);
  });
});
