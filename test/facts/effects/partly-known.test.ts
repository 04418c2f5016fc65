import { describe, expect, it } from "vitest";
import { pathClass } from "../../../facts/paths/classes.ts";
import { bash, environment, writes } from "./judge.ts";

/** Paths and addresses of which a part is known: that part is judged, and no more is made of the rest than it says. */

/** Deletes of a command that would be of a protected place. */
function roots(command: string, changes: Partial<typeof environment> = {}): string[] {
  const here = { ...environment, ...changes };
  return (bash(command, changes).effects?.deletes ?? [])
    .filter(({ path, recursive }) => recursive && pathClass("protected_root", path, here, "any"))
    .map(({ path }) => path.lexical);
}

describe("a folder that is not known", () => {
  it.each([
    'rm -rf "$(frob)/name"',
    'rm -rf "$X/node_modules"',
    "rm -rf $X/build",
    'rm -rf "$A/$B/out"',
    'rm -rf "/$X/cache-1"',
    'rm -rf "$X/*.log"',
    'rm -rf "$X/"*.tmp',
    'rm -rf "$X/../sibling"',
    'find "$X/out" -delete',
    'python3 -c \'import os, shutil; shutil.rmtree(os.environ["X"] + "/out")\'',
  ])("%s is no delete of a root, for the name at its end is none of one", (command) => {
    expect(roots(command)).toEqual([]);
    expect(bash(command).effects?.deletes.map(({ certain }) => certain)).toContain(false);
  });

  it.each([
    ['rm -rf "$X"', "/"],
    ['rm -rf "$X/"', "/"],
    ["rm -rf $X/*", "/*"],
    ['rm -rf "$X"/.*', "/.*"],
    ['rm -rf "$X/."', "/"],
    ['rm -rf "$X/.."', "/"],
    ['rm -rf "$X/name/.."', "/"],
    ['rm -rf "$X/$Y"', "/"],
    ['rm -rf "$X/etc"', "/etc"],
    ['rm -rf "$X/lib64"', "/lib64"],
    ['rm -rf "$X/home/dev"', "/home/dev"],
    ['rm -rf "$X/mnt/data"', "/mnt/data"],
    ["rm -rf $X/b*", "/b*"],
    ["rm -rf $X/?sr", "/?sr"],
    ["rm -rf $X/[a-z]*", "/[a-z]*"],
    ['rm -rf "/data/$X"', "/data"],
    ['rm -rf "/home/dev/$X"', "/home/dev"],
  ])("%s may be %s", (command, root) => {
    expect(roots(command)).toEqual([root]);
  });

  it("is the workspace where that is a child of the root by this name", () => {
    expect(roots('rm -rf "$X/app"', { workspace: "/app", cwd: "/app" })).toEqual(["/app"]);
    expect(roots('rm -rf "$X/app"')).toEqual([]);
  });
});

describe("a program that is not known", () => {
  it.each(['exec "$X" "$@"', '"$X" -rf "$Y"'])("%s deletes something, and not the root", (command) => {
    expect(bash(command).effects?.deletes.map(({ path }) => path.lexical)).toEqual(["/?"]);
    expect(roots(command)).toEqual([]);
  });

  it("still deletes what it is given, as far as that is known", () => {
    expect(roots('"$X" -rf /etc')).toEqual(["/etc"]);
    expect(roots('"$X" -rf .')).toEqual(["/home/dev/app"]);
    expect(roots('"$X" -rf "$Y/"')).toEqual(["/"]);
  });
});

describe("a mount", () => {
  const app = ["/home/dev/app", "/home/dev/app/**"];
  const below = app.map((path) => path.replace("app", "app/data"));

  it.each([
    ["docker run -v $(pwd):/app node:20", app],
    ['docker run -v "$PWD":/app node:20', app],
    ["docker run -v $(PWD):/app node:20", app],
    ["docker run -v$(PWD):/app node:20", app],
    ['docker run --volume="$(PWD)/data":/app node:20', below],
    ["docker run --mount type=bind,source=$(PWD)/data,target=/app node:20", below],
    ["podman run -v $(CURDIR):/app:z node:20", app],
    ['docker run -v "$X":/app node:20', ["/ maybe"]],
    ['docker run -v "$X/data":/app node:20', ["/data maybe"]],
    ["docker run --volume=$X/etc:/app node:20", ["/etc maybe"]],
    ['docker run -v "/srv/$X":/app node:20', ["/srv maybe"]],
    ['docker run -v "$X/":/app node:20', ["/ maybe"]],
    ["docker run --mount type=bind,src=$A,dst=/b node:20", ["/ maybe"]],
    ["docker run -v $NAME node:20", []],
  ])("%s writes %j", (command, expected) => {
    expect(writes(bash(command))).toEqual(expected);
  });

  it("of `$(PWD)` says nothing about other uses of it, where it may be empty", () => {
    expect(roots("rm -rf $(PWD)/etc")).toEqual(["/etc"]);
    expect(roots('x=$(PWD); rm -rf "$x/etc"')).toEqual(["/etc"]);
    expect(roots("rm -rf $(PWD)")).toEqual(["/"]);
  });
});

describe("an address", () => {
  const surely = (command: string): (string | undefined)[] =>
    (bash(command).effects?.network ?? []).map(({ placed, url }) => {
      const { host } = url.partly ?? url;
      return placed && typeof host === "string" ? host : undefined;
    });

  it.each([
    ['curl "https://ok.test/$x"', "ok.test"],
    ['curl "https://ok.test/v1/$x?y=$z"', "ok.test"],
    ['curl -d a "https://OK.test:8443/$x"', "ok.test"],
    ['curl --url="https://ok.test/$x"', "ok.test"],
    ['curl "https://ok.test?$x"', "ok.test"],
    ['wget "http://ok.test:8080#$x"', "ok.test"],
    ['wget "https://user@ok.test/$x"', "ok.test"],
    ['curl "http://127.0.0.1:3000/$x"', "127.0.0.1"],
    ['python3 -c \'import os, requests; requests.post("https://ok.test/" + os.environ["X"])\'', "ok.test"],
    ["git remote add up https://ok.test/a.git", "ok.test"],
    ["git remote add up git@ok.test:a/b.git", "ok.test"],
  ])("%s goes to the host of %s", (command, host) => {
    expect(surely(command)).toEqual([host]);
    expect(bash(command).effects?.network[0]?.certain).toBe(false);
  });

  it.each([
    'curl "https://ok.test$x"',
    "curl https://ok.test/$x",
    'curl "https://ok.test/$@"',
    "curl https://ok.test/$(cat list)",
    'curl "https://ok.test:$p/a"',
    'curl "https://$x/ok.test/"',
    'curl "https://$x@ok.test/a"',
    'curl "https://$x.ok.test/a"',
    "curl 'https://ok.test\\@evil.test/'$x",
    "curl 'https://ok.test%2f@evil.test/'$x",
    'curl "$scheme://ok.test/a"',
    'curl "$x"',
    "git remote add up https://$x/ok.test/a.git",
    "frobnicate https://ok.test/a",
  ])("%s may go anywhere", (command) => {
    expect(surely(command).every((host) => host === undefined)).toBe(true);
  });

  it("that is known has nothing to add, nor has one of a command that may not be run", () => {
    expect(surely("curl https://ok.test/a")).toEqual([undefined]);
    expect(surely('frob "$x" curl https://ok.test/$y')).toEqual([undefined, undefined]);
  });
});
