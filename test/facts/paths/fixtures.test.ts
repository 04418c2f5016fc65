import { describe, expect, it } from "vitest";
import { isUnread } from "../../../facts/paths/fixtures.ts";

const at = (workspace: string, cwd = workspace, variables: Record<string, string> = {}, home = "/home/dev") =>
  ({ home, workspace, cwd, variables }) as unknown as Parameters<typeof isUnread>[1];
const app = at("/home/dev/app");

describe("folders whose settings no agent of the session reads", () => {
  it.each([
    ["data of tests", "/home/dev/app/test/fixtures/home", app, true],
    ["a folder below those of tests", "/home/dev/app/test/tmp", app, true],
    ["a folder of the temporary one", "/tmp/t", app, true],
    ["the project", "/home/dev/app", app, false],
    ["a package of the project", "/home/dev/app/packages/a", app, false],
    ["the tests as a project", "/home/dev/app/test", app, false],
    ["the home folder", "/home/dev", app, false],
    ["what lies above it", "/home", app, false],
    ["another project of that name", "/home/dev/fixtures/x", app, false],
    ["the temporary folder itself", "/tmp", app, false],
    ["a project in the temporary folder", "/tmp/t", at("/tmp/t"), false],
    ["a project beneath a home there", "/tmp/h/other", at("/home/dev/app", "/home/dev/app", {}, "/tmp/h"), false],
    ["a folder above the one that is worked in", "/tmp/t", at("/home/dev/app", "/tmp/t/x"), false],
    ["fixtures that are worked in", "/home/dev/app/fixtures/a", at("/home/dev/app", "/home/dev/app/fixtures/a"), false],
    ["a project below a folder of tests", "/home/dev/test/x/a", at("/home/dev/test/x"), false],
    ["what a variable names", "/tmp/t", at("/home/dev/app", "/home/dev/app", { CODEX_HOME: "/tmp/t/.codex" }), false],
  ] as const)("%s: %s", (_, folder, environment, expected) => expect(isUnread(folder, environment)).toBe(expected));
});
