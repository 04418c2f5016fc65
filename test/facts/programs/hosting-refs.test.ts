import { describe, expect, test } from "vitest";
import { knownParts } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";

/** The pushes of a call: `branch`, with `delete` and `forced`. */
const pushed = (command: string): readonly string[] =>
  (bash(command).effects?.pushes ?? []).map((one) => {
    const { branch } = one.target;
    const name = typeof branch === "string" ? branch : `${branch.form} ${knownParts(branch)}`.trim();
    return `${name}${one.delete ? " delete" : ""}${one.forced ? " forced" : ""}`;
  });

describe("a request that changes a branch at a code host is a push", () => {
  test.each([
    ["gh api -X DELETE repos/o/r/git/refs/heads/main", "main delete"],
    ["gh api -X PATCH repos/o/r/git/refs/heads/main -f sha=1", "main"],
    ["gh api -X PATCH repos/o/r/git/refs/heads/main -f sha=1 -F force=true", "main forced"],
    ["gh api repos/o/r/git/refs -f ref=refs/heads/x -f sha=1", "x"],
    ["gh api --method DELETE /repos/{owner}/{repo}/git/refs/heads/feature/x", "feature/x delete"],
    ["gh api -X PUT repos/o/r/contents/a.txt -f branch=main -f message=x", "main"],
    ["gh api -X DELETE repos/o/r/contents/a.txt -f branch=main -f sha=1", "main"],
    ["gh api -X PUT repos/o/r/contents/a.txt -f message=x", "any"],
    ["gh api -X POST repos/o/r/merges -f base=main -f head=x", "main"],
    ["gh api -X POST repos/o/r/branches/main/rename -f new_name=x", "main"],
    ["gh api -X DELETE repos/o/r/git/refs/tags/v1", "refs/tags/v1 delete"],
    ["gh api -X PATCH repos/o/r/git/refs/heads/main --input body.json", "main forced"],
    ['gh api -X DELETE "repos/o/r/git/refs/heads/$B"', "any delete"],
    ['gh api -X DELETE "repos/o/r/git/refs/heads/rel-$B"', "pattern rel- delete"],
    ["gh api graphql -f query='mutation { updateRef(input:{refId:\"x\"}) { ref { name } } }'", "any"],
    ["gh api graphql -f query='mutation { updateRef(input:{refId:\"x\",force:true}) { ref { name } } }'", "any forced"],
    ["gh api graphql -f query='mutation { deleteRef(input:{refId:\"x\"}) { clientMutationId } }'", "any delete"],
    ["curl -X DELETE https://api.github.com/repos/o/r/git/refs/heads/main", "main delete"],
    [
      'curl -X PATCH -d \'{"sha":"1","force":true}\' https://api.github.com/repos/o/r/git/refs/heads/main',
      "main forced",
    ],
    ['curl -d \'{"ref": "refs/heads/main"}\' https://ghe.test/api/v3/repos/o/r/git/refs', "main"],
    ['curl -X DELETE "https://gitlab.com/api/v4/projects/1/repository/branches/feature%2Fx"', "feature/x delete"],
    ['curl -X POST "https://gitlab.test/api/v4/projects/1/repository/branches?branch=main&ref=x"', "main"],
    ['curl --json \'{"branch":"main"}\' https://gitlab.com/api/v4/projects/1/repository/commits', "main"],
    ["curl -X DELETE https://api.bitbucket.org/2.0/repositories/o/r/refs/branches/main", "main delete"],
    ["curl -X DELETE https://git.test/api/v1/repos/o/r/branches/main", "main delete"],
    ["glab api -X DELETE projects/1/repository/branches/main", "main delete"],
    ["glab api --method POST projects/1/repository/commits -f branch=main", "main"],
    ["http DELETE https://api.github.com/repos/o/r/git/refs/heads/main", "main delete"],
    ["wget --method=DELETE https://api.github.com/repos/o/r/git/refs/heads/main", "main delete"],
    ["sudo sh -c 'gh api -X DELETE repos/o/r/git/refs/heads/main'", "main delete"],
  ])("%s", (command, expected) => expect(pushed(command)).toEqual([expected]));
});

describe("a request that only asks, or changes something else, pushes nothing", () => {
  test.each([
    "gh api repos/o/r/git/refs/heads/main",
    "gh api repos/o/r/branches",
    "gh api -X GET repos/o/r/contents/a.txt -f ref=main",
    "gh api -X PUT repos/o/r/branches/main/protection --input p.json",
    "gh api -X POST repos/o/r/issues -f title=x",
    "gh api graphql -f query='query { viewer { login } }'",
    "gh api graphql -f query='mutation { addStar(input:{}) { id } }'",
    "curl https://api.github.com/repos/o/r/git/refs/heads/main",
    "curl -d x=1 https://example.test/a",
    "curl -X DELETE https://example.test/branches/main",
    "gh pr create -t a -b b",
  ])("%s", (command) => expect(pushed(command)).toEqual([]));
});

test("a GraphQL mutation is sent, a query is asked for", () => {
  const direction = (query: string): unknown =>
    bash(`gh api graphql -f query='${query}'`).effects?.network.map((one) => one.direction);
  expect(direction("mutation { addStar(input:{}) { id } }")).toEqual(["upload"]);
  expect(direction("query { viewer { login } }")).toEqual(["download"]);
});
