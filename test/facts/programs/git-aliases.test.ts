import { describe, expect, test } from "vitest";
import { knownParts } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";

/** Branches that a call pushes, as `remote:branch`. */
const pushed = (command: string): readonly string[] =>
  (bash(command).effects?.pushes ?? []).map(
    ({ remote, target, forced }) => `${knownParts(remote)}:${knownParts(target.branch)}${forced ? " forced" : ""}`,
  );

describe("an alias of git that the call sets is what it means", () => {
  test.each([
    ["git config alias.x 'push origin main' && git x", "origin:main"],
    ["git config --global alias.p push; git p origin main", "origin:main"],
    ["git config set alias.p 'push --force'; git p origin main", "origin:main forced"],
    ["git config --add alias.x 'push origin'; git x main", "origin:main"],
    ["git config alias.X 'push origin main'; git x", "origin:main"],
    ["git -c alias.x='push origin main' x", "origin:main"],
    ["git -c 'alias.x=push -f' x origin main", "origin:main forced"],
    ["git -c alias.x='!git push origin' x main", "origin:main"],
    ["git config alias.x '!git push origin main' && git x", "origin:main"],
    ["git config alias.x '!f() { git push origin \"$1\"; }; f'; git x main", "origin:main"],
    ["git config alias.a b; git config alias.b 'push origin main'; git a", "origin:main"],
    ["git config alias.x push; git -C ../other x origin main", "origin:main"],
    ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push origin main' git x", "origin:main"],
    ["sh -c \"git config alias.x 'push origin main'\"; git x", "origin:main"],
    ["f() { git config alias.x 'push origin main'; }; f; git x", "origin:main"],
    ["A='push origin main'; git config alias.x \"$A\"; git x", "origin:main"],
    ["git config alias.x 'push origin \"main\"'; sudo git x", "origin:main"],
  ])("%s", (command, expected) => expect(pushed(command)).toContain(expected));
});

describe("an alias that is not used, or cannot be, does nothing", () => {
  test.each([
    "git config alias.x 'push origin main'",
    "git config alias.x 'push origin main'; git y",
    "git config alias.status 'push origin main'; git status",
    "git x; git config alias.x 'push origin main'",
    "git config --get alias.x; git x",
    "git config alias.x x; git x",
    "git config user.name 'push origin main'; git name",
  ])("%s", (command) => expect(pushed(command)).toEqual([]));
});

test("an alias takes the words behind it", () => {
  const writes = bash("git config alias.t '!touch'; git t a.txt b.txt").effects?.writes.map(({ path }) => path.lexical);
  expect(writes).toEqual(expect.arrayContaining(["/home/dev/app/a.txt", "/home/dev/app/b.txt"]));
});
