import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPrograms } from "../../../adapters/programs.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../../store/discover.ts";
import { inFolder } from "./fake-session.ts";

const { files } = discoverPolicies(["pack:gastown-defaults"], import.meta.dirname);
const { plan, diagnostics } = compile({ files, resolveImport });

/** A home with stand-ins for Gastown's programs, which write down what they were asked, and an engine of the pack. */
function home(folder: string, programs: Readonly<Record<string, readonly string[]>>) {
  mkdirSync(join(folder, "bin"));
  // A login shell finds programs where the user's profile says.
  writeFileSync(join(folder, ".profile"), 'PATH="$HOME/bin:$PATH"; export PATH\n');
  for (const [name, lines] of Object.entries(programs)) {
    const file = join(folder, "bin", name);
    writeFileSync(file, ["#!/bin/sh", `echo "${name} $*" >> "$HOME/asked"`, ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
  }
  const variables = { PATH: "/usr/bin:/bin", HOME: folder };
  const engine = createEngine(plan, { programs: createPrograms({ variables }) });
  const judge = async (event: object) => {
    const frame = { id: "e1", time: "2026-01-01T00:00:00.000Z", host: "pi", session: { id: "s1" } };
    return (await engine.judge({ ...frame, environment: { cwd: folder }, ...event })).decision;
  };
  const text = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  return { judge, text };
}

const call = { event: "tool_call", tool: "bash", call_id: "c1", args: { command: "ls" } };

describe("the pack gastown-defaults", () => {
  it("is found by its name and compiles", () => {
    expect(diagnostics).toEqual([]);
    expect(plan?.rules.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["gastown-defaults/prime", "gastown-defaults/sync", "gastown-defaults/tap-guard"]),
    );
  });

  it("asks the guard about each call, in the form of Claude Code's hooks", () =>
    inFolder(async (folder) => {
      const { judge, text } = home(folder, { gt: ['cat > "$HOME/told"'] });
      expect(await judge(call)).toMatchObject({ outcome: "allow", errors: [] });
      expect(text("asked")).toBe("gt tap guard\n");
      expect(JSON.parse(text("told"))).toEqual({
        hook_event_name: "PreToolUse",
        cwd: folder,
        session_id: "s1",
        tool_name: "bash",
        tool_input: { command: "ls" },
        tool_use_id: "c1",
      });
    }));

  it.each([
    [2, "block", "not on the main branch"],
    [1, "allow", undefined],
    [0, "allow", undefined],
  ] as const)("exit code %d of the guard means %s", (code, outcome, reason) =>
    inFolder(async (folder) => {
      const { judge } = home(folder, { gt: ["echo not on the main branch >&2", `exit ${code}`] });
      const decision = await judge(call);
      expect(decision).toMatchObject({ outcome, ...(reason !== undefined && { reason }) });
    }),
  );

  it("gives the model what `gt prime` prints, as it is", () =>
    inFolder(async (folder) => {
      const { judge } = home(folder, { gt: [`printf 'You are "the witness".\\n{'`] });
      const decision = await judge({ event: "session_start" });
      expect(decision.changes.message?.content).toContain('You are "the witness".\n{');
    }));

  it.each([0, 2])("runs `bd sync` before compaction, which goes on whatever its exit code: %d", (code) =>
    inFolder(async (folder) => {
      const { judge, text } = home(folder, { bd: [`exit ${code}`] });
      expect((await judge({ event: "session_before_compact" })).outcome).toBe("allow");
      expect(text("asked")).toBe("bd sync\n");
    }),
  );

  it("skips programs that are not installed", () =>
    inFolder(async (folder) => {
      const { judge } = home(folder, {});
      for (const event of [call, { event: "session_start" }, { event: "session_before_compact" }])
        expect(await judge(event)).toMatchObject({ outcome: "allow", errors: [] });
    }));
});
