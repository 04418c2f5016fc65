import { describe, expect, it } from "vitest";
import { changeTarget, deletingSystems, systemsMeant, verbsMeant } from "../../../compiler/lint/change-target.ts";
import { bash } from "../../facts/effects/judge.ts";
import { exampleRows } from "../../facts/programs/rows.ts";

/** Removals by clients for which the tables have no such example. */
const removals = [
  ...[
    "glab repo delete a/b",
    "gh repo delete a/b",
    "heroku apps:destroy -a x",
    "vercel remove x",
    "netlify sites:delete x",
  ],
  ...[
    "flyctl apps destroy x",
    "doctl compute droplet delete 1",
    "wrangler delete x",
    "mongosh --eval 'db.dropDatabase()'",
  ],
  ...[
    "redis-cli flushall",
    "tofu destroy",
    "helm uninstall x",
    "az group delete -n x",
    "docker rm x",
    "oc delete pod x",
  ],
  ...["gcloud compute instances delete x", "aws s3 rm s3://b/x", "mysql -e 'drop table a'", "kubectl delete pod x"],
];

/** Every target that the examples of the program tables change. */
const targets = [
  ...new Set(
    [...exampleRows(), ...removals.map((words) => ({ names: [""], words }))].flatMap(({ names, words }) =>
      names.flatMap((name) =>
        (bash(`${name} ${words}`.trim()).effects?.config ?? []).flatMap(({ target }) =>
          typeof target === "string" ? [target] : [],
        ),
      ),
    ),
  ),
];

describe("names of changes", () => {
  it("are refused in no form that facts have", () => {
    expect(targets.length).toBeGreaterThan(200);
    expect(targets.filter((target) => changeTarget(target, "equals") !== undefined)).toEqual([]);
  });

  it("lead to systems that facts have", () => {
    const systems = new Set(targets.map((target) => target.split(" ")[0]));
    for (const system of [...new Set(systemsMeant.values()), ...deletingSystems])
      expect([...systems]).toContain(system);
    for (const other of systemsMeant.keys()) expect([...systems]).not.toContain(other);
    for (const verb of new Set(verbsMeant.values()))
      for (const system of deletingSystems)
        expect(
          targets.some((target) => target.startsWith(`${system} ${verb} `)),
          `${system} ${verb}`,
        ).toBe(true);
  });

  it("lead to a form that is right itself", () => {
    for (const first of [...systemsMeant.keys(), ...deletingSystems, "SQL", "Docker"])
      for (const rest of ["", " delete", " Remove x/y", " rm *", " destroy", " delete table a"])
        for (const operator of ["equals", "starts_with", "glob"]) {
          const found = changeTarget(`${first}${rest}`, operator);
          if (found) expect(changeTarget(found.instead ?? "", operator), `${first}${rest}`).toBeUndefined();
        }
  });
});
