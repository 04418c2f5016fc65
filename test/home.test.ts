import { homedir, tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { defaultRoots } from "../store/discover.ts";
import { stateFolder } from "../store/state-folder.ts";

describe("tests", () => {
  it("never see the home of who runs them", () => {
    expect(homedir().startsWith(tmpdir())).toBe(true);
    expect(stateFolder(process.env).startsWith(homedir())).toBe(true);
    expect(defaultRoots("/srv").user?.startsWith(homedir())).toBe(true);
  });
});
