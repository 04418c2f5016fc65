import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";

/**
 * Calls whose deciding words nobody knows, with neighbours, as somebody wrote them who had not seen the code. A call is a command, or a whole
 * event with its tool, arguments and disk.
 */
interface Cell {
  readonly name: string;
  readonly policy: string;
  readonly env?: object;
  readonly block?: readonly Given[];
  readonly ask?: readonly Given[];
  readonly allow?: readonly Given[];
}
type Given = string | { readonly environment?: object };

const folder = join(import.meta.dirname, "unknown-words");
const cells = readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Cell[]);
const outcomes = ["block", "ask", "allow"] as const;
const usual = {
  cwd: "/home/dev/app",
  workspace: "/home/dev/app",
  home: "/home/dev",
  user: "dev",
  os: "linux",
  branch: "feature/x",
};

/** Each call is the first of a session of its own. */
function eventOf(given: Given, env: object, session: string): object {
  const call = typeof given === "string" ? { tool: "bash", args: { command: given } } : given;
  const { environment = {}, ...rest } = call as { environment?: object };
  const event = { event: "tool_call", id: "e", time: "2026-01-01T00:00:00Z", host: "pi", session: { id: session } };
  return { ...event, ...rest, environment: { ...usual, ...env, ...environment } };
}

describe("calls whose deciding words nobody knows", () => {
  it.each(cells.map((cell) => [cell.name, cell] as const))("%s", (_, cell) => {
    const bytes = Buffer.from(cell.policy);
    const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes }] });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const engine = createEngine(plan);
    const wrong = outcomes.flatMap((outcome) =>
      (cell[outcome] ?? []).flatMap((given, i) => {
        const { decision } = engine.decide(eventOf(given, cell.env ?? {}, `${outcome}-${i}`));
        return decision.outcome === outcome ? [] : [`${JSON.stringify(given)}: ${decision.outcome}, not ${outcome}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
