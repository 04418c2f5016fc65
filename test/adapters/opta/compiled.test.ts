import { expect, it, vi } from "vitest";
import type { HookEvent } from "../../../adapters/opta/index.ts";
import type { RegexEngine } from "../../../schema/ports.ts";

/** Patterns in the order in which the engine of matchers compiled them. */
const patterns = vi.hoisted((): string[] => []);
vi.mock("../../../runtime.ts", async (original) => {
  const runtime = await original<typeof import("../../../runtime.ts")>();
  const createRegexEngine = (): RegexEngine => {
    const engine = runtime.createRegexEngine();
    return {
      ...engine,
      compile: (pattern, ...rest) => {
        patterns.push(pattern);
        return engine.compile(pattern, ...rest);
      },
    };
  };
  return { ...runtime, createRegexEngine };
});

const call = { session_id: "s", cwd: import.meta.dirname };

it.each<HookEvent>(["session.start", "session.end", "tool.post", "compact", "error", "prompt.pre", "stop"])(
  "run at their own event alone: %s",
  async (event) => {
    // Other files of a run have the module already, with the engine as it is.
    vi.resetModules();
    const { HookManager } = await import("../../../adapters/opta/index.ts");
    const manager = HookManager.create([{ event, command: "exit 1" }]);
    expect(await manager.fire("tool.pre", { ...call, event: "tool.pre", tool_name: "edit_file" })).toEqual({
      cancelled: false,
    });
  },
);

it("are compiled when the manager is made, and not again at an event", async () => {
  // Other files of a run have the module already, with the engine as it is.
  vi.resetModules();
  const { HookManager } = await import("../../../adapters/opta/index.ts");
  const manager = HookManager.create([{ event: "tool.pre", matcher: "edit_file", command: "exit 1" }]);
  expect(patterns).toEqual(["edit_file"]);
  for (const tool_name of ["edit_file", "read_file", "edit_file"])
    expect((await manager.fire("tool.pre", { ...call, event: "tool.pre", tool_name })).cancelled).toBe(
      tool_name === "edit_file",
    );
  expect(patterns).toEqual(["edit_file"]);
});
