import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultRoots } from "../../store/discover.ts";
import { realOf } from "../../store/own-places.ts";
import { placesFolder } from "../../store/place-folder.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";

afterEach(() => vi.unstubAllEnvs());

describe("the home folder of a user", () => {
  it.each(["", "rel", "./rel", "../x", "~", " /x"])("is the one that the system lists where HOME is `%s`", (home) => {
    vi.stubEnv("HOME", home);
    expect(homedir()).toBe(home);
    expect(userHome()).toBe(userInfo().homedir);
    for (const path of [stateFolder({}), placesFolder({}), defaultRoots("/w").user])
      expect(isAbsolute(path)).toBe(true);
  });

  it("is HOME where that is an absolute path", () => {
    vi.stubEnv("HOME", "/somewhere");
    expect(userHome()).toBe("/somewhere");
  });

  it.each(["", "rel", "./rel"])("holds our folders where XDG_* is `%s`, as its specification says", (value) => {
    expect(stateFolder({ XDG_STATE_HOME: value }, "/h")).toBe("/h/.local/state/hookwarden");
    expect(placesFolder({ XDG_DATA_HOME: value }, "/h")).toBe("/h/.local/share/hookwarden");
  });
});

describe("the real path of what is not there", () => {
  it.each([".none/x", ".none", "none/.x", "./.none/.x", ".none/.x/..y"])("keeps every letter of `%s`", (path) => {
    expect(realOf(path)).toBe(resolve(path));
  });

  it("is below its real parent", () => {
    expect(realOf("/.none/.x/y")).toBe("/.none/.x/y");
    expect(realOf(join(import.meta.dirname, ".none"))).toBe(join(import.meta.dirname, ".none"));
  });
});
