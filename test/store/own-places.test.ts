import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pathClass } from "../../facts/paths/classes.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { resolvePath } from "../../facts/paths/resolve.ts";
import { ownPlaces, type RunningProcess, wiredFiles } from "../../store/own-places.ts";
import { isPlaceName, placeOfPath, placesFolder } from "../../store/place-folder.ts";
import { environment as surroundings } from "../facts/effects/judge.ts";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-own-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

describe("what a process tells of itself", () => {
  const realpath = (text: string) =>
    text.replace("/home/dev/bin/hookwarden-hook.cjs", "/srv/hw/dist/bin/hookwarden-hook.cjs");
  const started: RunningProcess = {
    execPath: "/opt/node/bin/node",
    argv0: "node",
    script: "/home/dev/bin/hookwarden-hook.cjs",
    realpath,
  };
  const of = (running: RunningProcess, further: readonly string[] = []) =>
    ownPlaces({ home: "/home/dev", further, running });

  it("is Node, the launcher's folder as written, and the modules where they really are", () => {
    expect(of(started)).toEqual(["/home/dev/bin", "/opt/node/bin/node", "/srv/hw/dist"]);
  });

  it.each(["hookwarden.js", "hookwarden-judge.cjs", "hookwarden-daemon-judge.cjs"])(
    "is the modules of %s too",
    (name) => {
      expect(of({ ...started, script: `/srv/x/dist/bin/${name}` })).toContain("/srv/x/dist");
    },
  );

  it("holds what the command line names, and no folder that holds the home folder", () => {
    const places = of(started, [
      "/srv/p/a.yaml",
      "pack:recommended",
      "/home/dev",
      "/home",
      "/",
      "/srv/state/hookwarden",
    ]);
    expect(places).toEqual([
      "/home/dev/bin",
      "/opt/node/bin/node",
      "/srv/hw/dist",
      "/srv/p/a.yaml",
      "/srv/state/hookwarden",
    ]);
  });

  it("leaves out only what is of the class engine by its name", () => {
    const place = "/home/dev/.local/share/hookwarden/0.1.0-0123456789abcdef";
    const named = [
      "/home/dev/.local/state/hookwarden",
      "/home/dev/.config/hookwarden/a.yaml",
      "/etc/hookwarden/b.yaml",
      "/usr/lib/node_modules/hookwarden/dist/bin",
      "/home/dev/app/.hookwarden/c.yaml",
    ];
    const files = hermeticFiles({});
    const path = (text: string) => resolvePath(text, { cwd: "/", home: "/home/dev", fold: false }, files);
    const installed = { execPath: `${place}/node`, argv0: "", script: `${place}/hookwarden-hook.cjs`, realpath };
    expect(of(installed, named)).toEqual([]);
    for (const one of [...named, installed.execPath, installed.script])
      expect(pathClass("engine", path(one), surroundings, "any"), one).toBe(true);
  });

  it.each(["/data/hookwarden", "/a b/ü'\"*/hookwarden", "/home/dev/odd/hookwarden"])(
    "is the folder of all places where it runs from one below %s",
    (places) => {
      const place = `${places}/0.1.0-0123456789abcdef`;
      const script = `${place}/dist/bin/hookwarden-hook.cjs`;
      const installed = { execPath: `${place}/node`, argv0: `${place}/node`, script, realpath };
      expect(of(installed, [`${place}/dist/policies/recommended/policy.yaml`])).toEqual([places]);
    },
  );

  it("is of the package's neighbours too where npm has put the addon beside it", () => {
    const script = "/srv/app/node_modules/hookwarden/dist/bin/hookwarden-hook.cjs";
    expect(of({ ...started, script })).toEqual(["/opt/node/bin/node", "/srv/app/node_modules/re2"]);
  });

  it("is told of no script of a host, and of the package that an application has loaded", () => {
    const host = { ...started, script: "/srv/host/cli.js" };
    expect(of(host)).toEqual(["/opt/node/bin/node"]);
    const loaded = pathToFileURL("/srv/hw/dist/bin/hookwarden-modules.cjs").href;
    expect(of({ ...host, module: loaded })).toEqual(["/opt/node/bin/node", "/srv/hw/dist"]);
    // In a bundle of somebody else's it is a part of their file.
    for (const module of [
      "file:///srv/app/dist/bin/server.js",
      "file:///srv/app/dist/server.js",
      "data:text/javascript,",
    ])
      expect(of({ ...host, module }), module).toEqual(["/opt/node/bin/node"]);
  });
});

describe("what stands in the state folder", () => {
  const running = (): RunningProcess => ({
    execPath: "/opt/node/bin/node",
    argv0: "node",
    script: undefined,
    realpath: (path) => (path.startsWith(home) ? realpathSync(path) : path),
  });

  it("is a place itself, and tells of wired files and what they use, as written and as they really are", () => {
    const wired = put("moved/settings.json", "{}");
    symlinkSync(join(home, "moved"), join(home, "claude"));
    const uses = ["/run/hw/hook.sock", "/run/hw/hook.sock.lock", "/src/hw/dist", 7];
    const path = join(home, "claude/settings.json");
    put("s/hookwarden/installs/a.json", JSON.stringify({ host: "claude-code", path, uses }));
    const given = { home: "/home/dev", state: join(home, "s/hookwarden"), running: running() };
    expect(ownPlaces(given)).toEqual(
      ["/opt/node/bin/node", ...uses.filter((one) => typeof one === "string"), path, wired, given.state].sort(),
    );
  });

  it("is looked at again when something was installed", () => {
    const given = { home: "/home/dev", state: join(home, "s/hookwarden"), running: running() };
    put("s/hookwarden/installs/a.json", JSON.stringify({ path: "/w/a.json" }));
    const first = ownPlaces(given);
    expect(ownPlaces(given)).toBe(first);
    put("s/hookwarden/installs/b.json", JSON.stringify({ path: "/w/b.json" }));
    expect(ownPlaces(given)).toEqual([...first, "/w/b.json"].sort());
  });

  it.each([
    ["no note", undefined],
    ["a broken note", "{"],
    ["null", "null"],
    ["a note without a path", "{}"],
    ["a note of another kind", '"a"'],
  ])("takes %s for no wired file", (_, text) => {
    if (text !== undefined) put("s/installs/x.json", text);
    expect(wiredFiles(join(home, "s"))).toEqual([]);
  });
});

describe("names of places", () => {
  it.each([
    ["/h/.local/share/hookwarden/0.1.0-0123456789abcdef/dist/bin", "/h/.local/share/hookwarden/0.1.0-0123456789abcdef"],
    ["/a b/ü'\"/hookwarden/1.0.0-rc.1-0123456789abcdef", "/a b/ü'\"/hookwarden/1.0.0-rc.1-0123456789abcdef"],
    ["/h/node_modules/hookwarden/dist/bin", undefined],
    ["/h/hookwarden/0.1.0-0123456789abcde/x", undefined],
    ["/h/hookwarden/0.1.0-0123456789abcdef0/x", undefined],
  ])("%s", (path, place) => expect(placeOfPath(path)).toBe(place));

  it("are version and digest, and their folder follows XDG_DATA_HOME only where it is absolute", () => {
    expect(["0.1.0-0123456789abcdef", ".lock", "0.1.0"].map(isPlaceName)).toEqual([true, false, false]);
    expect(placesFolder({ XDG_DATA_HOME: "/d" }, "/h")).toBe("/d/hookwarden");
    expect(placesFolder({ XDG_DATA_HOME: "d" }, "/h")).toBe("/h/.local/share/hookwarden");
  });
});
