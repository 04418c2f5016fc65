import { describe, expect, it } from "vitest";
import { readEvent } from "../../../facts/effects/event.ts";
import { pathClass } from "../../../facts/paths/classes.ts";
import type { JudgedEvent } from "../../../schema/judged-event.ts";
import { emptyFiles, environment, toolCall } from "./judge.ts";

/** A project that has the agent begin with another home than the user's. */
const moved = { variables: { HOME: "/proj/cfg" } };
const home = { ...environment, ...moved };

/** Paths that a call reads. */
const read = (event: JudgedEvent) => (readEvent(event, emptyFiles).effects?.reads ?? []).map(({ path }) => path);
const command = (text: string, changes = moved) => read(toolCall("bash", { command: text }, changes));
const lexical = (paths: ReturnType<typeof read>): readonly string[] => paths.map((path) => path.lexical);

describe("a home folder that a project sets for the agent", () => {
  it.each([
    ["cat ~/notes.txt", "/proj/cfg/notes.txt"],
    ['cat "$HOME/notes.txt"', "/proj/cfg/notes.txt"],
    ["cat /home/dev/.ssh/id_rsa", "/home/dev/.ssh/id_rsa"],
  ])("`%s` reads %s", (text, path) => {
    expect(lexical(command(text))).toContain(path);
  });

  it("is what `~` means in the arguments of tools too", () => {
    expect(lexical(read(toolCall("read", { path: "~/notes.txt" }, moved)))).toContain("/proj/cfg/notes.txt");
  });

  it("moves no class of paths: what is secret in the user's home stays so", () => {
    const [path] = command("cat /home/dev/.ssh/id_rsa");
    if (!path) throw new Error("nothing is read");
    expect([pathClass("secret", path, home, "any"), pathClass("home", path, home, "any")]).toEqual([true, true]);
  });

  it("is the user's own where it is not absolute", () => {
    expect(lexical(command("cat ~/notes.txt", { variables: { HOME: "cfg" } }))).toContain("/home/dev/notes.txt");
  });
});
