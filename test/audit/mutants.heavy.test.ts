import { describe, expect, it } from "vitest";
import { seed } from "../properties/seed.ts";
import { judgeMutants, shownMutant } from "./mutants.ts";

/** As many as a run of all tests has time for; `npm run test:audit -- --figures` judges 5,000. */
const count = Number(process.env["HOOKWARDEN_TRAIL_MUTANTS"] ?? 400);

describe(`${count} changed trails (seed ${seed})`, () => {
  it("are judged alike by both verifiers, and none with other content is intact", { timeout: 3_000_000 }, async () => {
    const { disagreements, missed, byStatus } = await judgeMutants(count, seed);
    expect(disagreements.map(shownMutant).join("\n")).toBe("");
    expect(missed.map(shownMutant).join("\n")).toBe("");
    // The generator makes trails that are called each of these.
    expect(Object.keys(byStatus).sort()).toEqual(["altered", "incomplete", "intact", "unchecked"]);
  });
});
