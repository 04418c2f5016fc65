import { afterAll, describe, expect, it } from "vitest";
import { spawnSync } from "../bounded-process.ts";
import { filesOfGuide, GuideFolder } from "./files.ts";

const files = filesOfGuide("docs/guide/hook-modules.md");
const folder = new GuideFolder(files);
afterAll(() => folder.remove());

/** Runs a file of the guide with an empty home; what it said. */
function said(name: string): readonly [number | null, string, string] {
  const env = { HOME: folder.path, PATH: "/usr/local/bin:/usr/bin:/bin" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], { cwd: folder.path, env, encoding: "utf8" });
  return [status, stdout, stderr];
}

describe("docs/guide/hook-modules.md", () => {
  it("has the files that are run here, and no others that could be", () => {
    const names = [...files.keys()];
    const agent = ["agent.mjs", "counter.ts", "session.mjs"];
    expect(names).toEqual(["guard.ts", "guard.test.mjs", ...agent, "policy.yaml", "guarded.mjs"]);
  });

  it.each([
    ["guard.test.mjs", "the guard holds\n"],
    ["agent.mjs", "The tool said: TOKEN=[hidden]\n"],
  ])("%s says what the guide says", (name, out) => {
    expect(said(name)).toEqual([0, out, ""]);
  });

  it("session.mjs says what the guide says, the first time and the second", () => {
    expect(said("session.mjs")).toEqual([0, "2 messages, the last: This is prompt 1 of the session.\n", ""]);
    expect(said("session.mjs")).toEqual([0, "5 messages, the last: This is prompt 2 of the session.\n", ""]);
  });

  it("guarded.mjs: the policy blocks what the modules let through", () => {
    const [status, out, err] = said("guarded.mjs");
    expect([status, err]).toEqual([0, ""]);
    expect(out).toContain("this agent works offline");
  });
});
