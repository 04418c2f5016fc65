import { describe, expect, it } from "vitest";
import { right, wrong } from "./authors.ts";
import { foundIn } from "./found.ts";

const policy = (rule: string): string => `version: 1
policy: p
tools: [own_deploy]
rules:
  - id: r
    title: A rule
    event: [tool_call]
    ${rule}
    action: ask
    reason: why
`;

/** What every such rule lacks, and what natural names of other hosts get. */
const quiet: ReadonlySet<string> = new Set(["HW602", "HW632", "HW633", "HW654"]);

describe("rules of ordinary authors", () => {
  it.each(wrong)("%s is told of %s", (rule, at) => {
    const found = foundIn(policy(rule)).filter(({ code, severity }) => severity !== "info" && !quiet.has(code));
    expect(
      found.some((d) => d.at.includes(at) || at.includes(d.at)),
      JSON.stringify(found),
    ).toBe(true);
    for (const { help } of found) expect(help.length).toBeGreaterThan(8);
  });

  it.each(right)("%s is right", (rule) => {
    const found = foundIn(policy(rule)).filter(({ code, severity }) => severity !== "info" && !quiet.has(code));
    expect(found).toEqual([]);
  });
});
