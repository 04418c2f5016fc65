import { describe, expect, test } from "vitest";
import { bash } from "../effects/judge.ts";

const changed = (command: string): readonly string[] => {
  const { effects } = bash(command);
  return [
    ...(effects?.writes ?? []).map(({ path }) => `write ${path.lexical}`),
    ...(effects?.deletes ?? []).map(({ path }) => `delete ${path.lexical}`),
  ];
};
const other = "/home/dev/other";

describe("effects of git in another repository fall there", () => {
  test.each([
    ["git -C ../other commit -m x", `write ${other}/.git`],
    ["git -C ../other commit -am x", `write ${other}/.git`],
    ["git -C /home/dev/other merge x", `write ${other}/.git`],
    ["git -C ~/other tag v1", `write ${other}/.git`],
    ["git -C .. -C other commit -m x", `write ${other}/.git`],
    ["git --git-dir=../other/.git commit -m x", `write ${other}/.git`],
    ["git --git-dir ../other/.git --work-tree ../other add .", `write ${other}/.git`],
    ["GIT_DIR=../other/.git git commit -m x", `write ${other}/.git`],
    ["export GIT_DIR=../other/.git; git commit -m x", `write ${other}/.git`],
    ["GIT_DIR=/home/dev/other/.git GIT_WORK_TREE=/home/dev/other git add -A", `write ${other}/.git`],
    ["git -C ../other branch -D x", `delete ${other}/.git/refs/heads/x`],
    ["git --git-dir=../other/.git branch -D x", `delete ${other}/.git/refs/heads/x`],
    ["git -C ../other tag -d v1", `delete ${other}/.git/refs/tags/v1`],
    ["git -C ../other stash drop", `delete ${other}/.git/refs/stash`],
    ["git -C ../other update-ref refs/heads/main x", `write ${other}/.git/refs/heads/main`],
    ["git -C ../other remote add x https://h.test", `write ${other}/.git/config`],
    ["GIT_DIR=../other/.git git config a.b c", `write ${other}/.git/config`],
    ["git -C ../other rebase main", `write ${other}`],
    ["git -C ../other rm a.txt", `delete ${other}/a.txt`],
    ["git -C .. -C other rm a.txt", `delete ${other}/a.txt`],
    ["git --git-dir=../other/.git --work-tree=../other rm a.txt", `delete ${other}/a.txt`],
    ["GIT_WORK_TREE=../other git checkout -- a.txt", `write ${other}/a.txt`],
    ["sudo git -C ../other commit -m x", `write ${other}/.git`],
  ])("%s", (command, expected) => expect(changed(command)).toContain(expected));
});

describe("what only shows another repository, or is in one's own, writes nothing of it", () => {
  test.each([
    "git -C ../other status",
    "git -C ../other log",
    "git -C ../other branch",
    "git -C ../other branch -a",
    "git -C ../other branch --show-current",
    "git -C ../other branch --contains x",
    "git -C ../other tag -l 'v*'",
    "git -C ../other stash list",
    "git -C ../other remote -v",
    "git -C ../other worktree list",
    "git -C ../other reflog",
    "git -C ../other commit --dry-run",
    "git -C . commit -m x",
    "git -C packages/a commit -m x",
    "git -C /home/dev/app commit -m x",
    "git --git-dir=.git commit -m x",
    "git --git-dir=/home/dev/app/.git commit -m x",
    "git commit -m x",
  ])("%s", (command) => expect(changed(command)).toEqual([]));
});

describe("a folder that is not known is no other certain one", () => {
  test.each(['git -C "$D" rm a.txt', 'git -C "$D" clean -fd'])("%s", (command) => {
    const deletes = bash(command).effects?.deletes ?? [];
    expect(deletes.map(({ certain, path }) => [certain, path.partly !== undefined])).toEqual([[false, true]]);
  });
});
