import { describe, expect, it } from "vitest";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import type { JudgedEvent } from "../../../schema/judged-event.ts";
import { judged } from "../event.ts";
import { dotted } from "./judge.ts";

const files = hermeticFiles(undefined);

function factsOf(parts: Partial<JudgedEvent>): { understanding: string; reads: string[]; runs: string[] } {
  const found = facts.of(judged(parts), files);
  return {
    understanding: found.understanding,
    reads: (found.effects?.reads ?? []).map((read) => read.path.lexical),
    runs: (found.shell?.commands ?? []).map((command) => dotted(command.text)),
  };
}

function evaluation(host_name: string, args: Record<string, unknown>): Partial<JudgedEvent> {
  return { event: "tool_call", tool: { name: "eval", host_name, server: undefined }, args };
}

describe("code that is given to an interpreter by itself", () => {
  it("of the human's own python is read", () => {
    const found = factsOf({
      event: "user_python",
      tool: undefined,
      args: undefined,
      code: "print(open('/srv/a').read())",
    });
    expect(found).toMatchObject({ understanding: "understood", reads: ["/srv/a"] });
  });

  it.each([
    ["eval", { language: "python", code: "import os\nos.system('touch a')" }, "touch a"],
    ["python", { code: "import os; os.system('touch \"it''s\"')" }, undefined],
    ["js_repl", { code: "require('child_process').execSync('touch b')" }, "touch b"],
    ["eval", { language: "bash", code: "touch c" }, "touch c"],
  ] as const)("of the tool %s with %j runs what it starts", (host, args, command) => {
    const { runs, understanding } = factsOf(evaluation(host, args));
    if (command === undefined) expect(understanding).not.toBe("unknown");
    else expect(runs).toContain(command);
  });

  it("in a language that is not analysed is opaque", () => {
    expect(factsOf(evaluation("eval", { language: "cobol", code: "x" })).understanding).toBe("opaque");
    expect(factsOf(evaluation("eval", { code: "x" })).understanding).toBe("opaque");
  });

  it("that is no text is unknown", () => {
    expect(factsOf(evaluation("eval", { language: "python", code: ["x"] })).understanding).toBe("unknown");
    expect(factsOf({ event: "user_python", tool: undefined, args: undefined }).understanding).toBe("unknown");
  });
});
