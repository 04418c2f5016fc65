import { describe, expect, it } from "vitest";
import { sharedFacts } from "../../authoring/shared-facts.ts";
import { normalise } from "../../engine/normalise.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";

const noFiles = hermeticFiles(undefined);

function judged(wire: unknown): JudgedEvent {
  const normalised = normalise(wire);
  if ("code" in normalised) throw new Error(normalised.message);
  return normalised.event;
}

describe("what a command would do", () => {
  const environment = { cwd: "/w", workspace: "/w", home: "/h", user: "u", os: "linux", shell: "bash" };
  const call = { id: "1", event: "tool_call", tool: "bash", args: { command: "ls" }, environment };
  const typed = { id: "2", event: "user_bash", command: "ls", environment };
  const pairs: [name: string, first: object, second: object, isShared: boolean][] = [
    ["the same command", call, typed, true],
    ["another command", call, { ...typed, command: "ls -l" }, false],
    ["another folder", call, { ...typed, environment: { ...environment, cwd: "/w/x" } }, false],
    ["another shell", call, { ...typed, environment: { ...environment, shell: "zsh" } }, false],
    ["variables", { ...call, args: { command: "ls", env: { A: "b" } } }, typed, false],
    ["a folder of its own", { ...call, args: { command: "ls", cwd: "/x" } }, typed, false],
    ["a folder of the human's", call, { ...typed, cwd: "/x" }, false],
    ["another tool", { ...call, tool: "powershell" }, typed, false],
    ["a result", { ...call, event: "tool_result", result: { content: [], is_error: false } }, typed, false],
  ];
  it.each(pairs)("is read once or for each: %s", (_, first, second, isShared) => {
    const shared = sharedFacts(facts.of, noFiles);
    const [before, after] = [first, second].map((wire) => shared(judged(wire), noFiles).doubts);
    expect(after === before).toBe(isShared);
  });

  it("is read anew where there are files", () => {
    const shared = sharedFacts(facts.of, noFiles);
    const files = hermeticFiles({ "/w/a": { symlink: "/h/b" } });
    shared(judged(call), noFiles);
    expect(shared(judged(typed), files).constructor.name).toBe("EventFacts");
  });
});
