import { describe, expect, it } from "vitest";
import { environmentOf, type Machine, thisMachine } from "../../../adapters/pi/environment.ts";
import type { FileSystem } from "../../../schema/ports.ts";

const machine: Machine = { home: "/home/dev", user: "dev", os: "linux", variables: {} };

/** A file system with these texts; their folders exist. */
function files(texts: Readonly<Record<string, string>>): FileSystem {
  const paths = Object.keys(texts);
  return {
    lookup: (path) => {
      if (Object.hasOwn(texts, path)) return { kind: "file" };
      return { kind: paths.some((other) => other.startsWith(`${path}/`)) ? "directory" : "absent" };
    },
    readText: (path) => (Object.hasOwn(texts, path) ? texts[path] : undefined),
  };
}

describe("the surroundings of an event", () => {
  it("take workspace and branches from the nearest repository", () => {
    const world = files({
      "/home/dev/app/.git/HEAD": "ref: refs/heads/feature/login\n",
      "/home/dev/app/.git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/main\n",
    });
    expect(environmentOf(machine, world, "/home/dev/app/src/deep", false)).toMatchObject({
      cwd: "/home/dev/app/src/deep",
      workspace: "/home/dev/app",
      branch: "feature/login",
      default_branch: "main",
    });
  });

  it("look for no repository around a folder that no system has", () => {
    let looks = 0;
    const counting: FileSystem = { lookup: () => (looks++, { kind: "absent" }), readText: () => undefined };
    const cwd = "/a".repeat(30_000);
    expect(environmentOf(machine, counting, cwd, false)).toMatchObject({ cwd, workspace: cwd });
    expect(looks).toBe(0);
  });

  it("follow a worktree's file to its repository", () => {
    const world = files({
      "/w/.git": "gitdir: ../repo/.git/worktrees/w\n",
      "/repo/.git/worktrees/w/HEAD": "ref: refs/heads/side\n",
    });
    expect(environmentOf(machine, world, "/w", false)).toMatchObject({ workspace: "/w", branch: "side" });
  });

  it("have no branch on a detached head, and no repository elsewhere", () => {
    const detached = environmentOf(machine, files({ "/a/.git/HEAD": "0123456789abcdef\n" }), "/a", false);
    expect(detached).not.toHaveProperty("branch");
    expect(environmentOf(machine, files({}), "/a/b", true)).toMatchObject({ workspace: "/a/b", interactive: true });
  });

  it("carry variables that are one path, and nothing that could be a credential", () => {
    const variables = {
      HOME: "/home/dev",
      PROJECTS: "/srv/projects",
      PATH: "/usr/bin:/bin",
      API_KEY: "/looks/like/a/path",
      GITHUB_TOKEN: "/x",
      RELATIVE: "a/b",
      WORDS: "/a b",
      "odd name": "/a",
      GONE: undefined,
    };
    expect(environmentOf({ ...machine, variables }, files({}), "/", false).variables).toEqual({
      HOME: "/home/dev",
      PROJECTS: "/srv/projects",
    });
  });

  it("fold letter case where the system does", () => {
    expect(environmentOf({ ...machine, os: "darwin" }, files({}), "/", false).case_insensitive).toBe(true);
    expect(environmentOf(machine, files({}), "/", false).case_insensitive).toBe(false);
  });

  it("of this machine name a known system", () => {
    expect(["linux", "darwin", "windows"]).toContain(thisMachine().os);
  });
});
