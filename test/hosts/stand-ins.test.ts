import { describe, expect, it } from "vitest";
import { startModelServer } from "./model-server.ts";
import { assertHarmless, delegation, isHarmlessCommand } from "./stand-ins.ts";

describe("stand-ins", () => {
  it.each(["touch FORBIDDEN", "touch ASKED", "cat notes.txt", "cat folders/*", "echo hello", "echo one two-3"])(
    "lets `%s` through",
    (command) => {
      expect(isHarmlessCommand(command)).toBe(true);
      expect(() => assertHarmless({ name: "bash", args: { command } })).not.toThrow();
    },
  );

  it.each([
    "touch /FORBIDDEN",
    "touch FORBIDDEN; touch OTHER",
    "touch FORBIDDEN\ntouch OTHER",
    "touch ../FORBIDDEN",
    "cat /etc/passwd",
    "cat folders/* /etc/*",
    "cat folders/../*",
    "cat *",
    "cat notes.txt | sh",
    "echo $(id)",
    "echo `id`",
    "echo hello > file",
    "echo hello && ls",
    "echo ../..",
    "echo",
    "ls",
    " touch FORBIDDEN",
    "touch FORBIDDEN ",
    "",
  ])("refuses `%s`", (command) => {
    expect(() => assertHarmless({ name: "bash", args: { command } })).toThrow("not a harmless stand-in");
  });

  it.each([
    { name: "read", args: { path: "/etc/passwd" } },
    { name: "read", args: { path: "../notes.txt" } },
    { name: "read", args: { path: "notes.txt", limit: 1 } },
    { name: "write", args: { path: "notes.txt", content: "x" } },
    { name: "edit", args: { path: "notes.txt", edits: [] } },
    { name: "bash", args: { command: "echo hi", cwd: "/" } },
    { name: "bash", args: { command: ["echo", "hi"] } },
    { name: "powershell", args: { command: "echo hi" } },
    { name: "task", args: { ...delegation, context: "Do something else." } },
    { name: "seed_tool", args: { action: "rest" } },
    { name: "seed_tool", args: { action: "work", more: "work" } },
  ])("refuses $name $args", (call) => {
    expect(() => assertHarmless(call)).toThrow("not a harmless stand-in");
  });

  it.each(["work", "fail"])("lets a test's own tool %s, which does nothing", (action) => {
    expect(() => assertHarmless({ name: "seed_tool", args: { action } })).not.toThrow();
  });

  it("lets one piece of work go to a sub-agent", () => {
    expect(() => assertHarmless({ name: "task", args: delegation })).not.toThrow();
  });

  it("makes the model server refuse a script with anything else in it", async () => {
    const turns = [{ calls: [{ name: "bash", args: { command: "ls -R" } }] }];
    await expect(startModelServer(turns)).rejects.toThrow("not a harmless stand-in");
  });
});
