import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../engine/canonical.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createRecordMask } from "../../../rules/actions/record-mask.ts";
import { noSecrets } from "../../../rules/actions/redact-values.ts";
import { secretSamples } from "../../facts/secrets/made.ts";
import "../../properties/seed.ts";

const regex = createRegexEngine();
const pseudonym = (value: string) => sha256(value).slice("sha256:".length);

/** A mask that knows nothing of what others have found out. */
function mask() {
  return createRecordMask({
    regex: { ...regex },
    secrets: noSecrets,
    redactions: [],
    shared: undefined,
    digestOf: sha256,
  });
}

describe("the mask of records", () => {
  const names = fc.constantFrom("password", "api_key", "note", "", "a", "ab", "1:a", "home", "a\nb");
  const values = fc.oneof(
    fc.constantFrom("/tmp/some/folder/of/the/user", "01a2041e-9799-705d-8d88-dc8aed2a4695", "b", "", "hunter2hunter2x"),
    fc.constantFrom("a1B2c3D4e5F6g7H8", ":a1B2c3D4e5F6g7H8", "a:a1B2c3D4e5F6g7H8", "plain"),
    fc.constantFrom(...secretSamples.filter((text) => text.length < 200)),
  );
  const event = fc.dictionary(names, fc.oneof(values, fc.dictionary(names, values, { maxKeys: 3 })), { maxKeys: 4 });

  it("says of an event what it says where it has seen none before", () => {
    const seasoned = mask();
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 3 }), (events) => {
        for (const given of events) {
          const json = JSON.stringify(given);
          expect(seasoned.mask(given, json, pseudonym)).toEqual(mask().mask(given, json, pseudonym));
        }
      }),
      { numRuns: 40 },
    );
  });

  /** Surroundings as the engine makes them: nobody can change them. */
  const frozen = (around: object) =>
    Object.freeze(
      Object.fromEntries(
        Object.entries(around).map(([key, value]) => [key, typeof value === "object" ? Object.freeze(value) : value]),
      ),
    );
  const around = fc.dictionary(names, fc.oneof(values, fc.dictionary(names, values, { maxKeys: 3 })), { maxKeys: 4 });

  it("masks surroundings that nobody changes as those that somebody may", () => {
    const seasoned = mask();
    fc.assert(
      fc.property(around, fc.array(event, { minLength: 1, maxLength: 3 }), fc.boolean(), (given, events, talks) => {
        const kept = frozen(given);
        for (const one of events) {
          const messages = talks ? { messages: [{ role: "user", content: "password=hunter2hunter2x" }] } : {};
          const now = { ...one, environment: kept, ...messages };
          const open = { ...one, environment: structuredClone(given), ...messages };
          const [known, anew] = [
            seasoned.mask(now, talks ? "" : JSON.stringify(now), pseudonym),
            mask().mask(open, talks ? "" : JSON.stringify(open), pseudonym),
          ];
          expect(known?.value).toEqual(anew?.value);
          expect(known?.value === now).toBe(anew?.value === open);
          const counted = (found: typeof anew) =>
            found?.found.map(({ detector, value }) => `${detector} ${value}`).sort();
          expect(counted(known)).toEqual(counted(anew));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("tells tokens of one session from those of another in surroundings, too", () => {
    const seasoned = mask();
    const environment = frozen({ variables: { HOME: "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8" } });
    const shown = (session: string) =>
      JSON.stringify(
        seasoned.mask({ environment }, JSON.stringify({ environment }), (value) => pseudonym(`${session} ${value}`))
          ?.value,
      );
    expect(shown("one")).not.toContain("ghp_");
    expect(shown("one")).not.toBe(shown("two"));
    expect(shown("one")).toBe(shown("one"));
  });

  it("knows a value by the name of its field too: what one name makes of it, another does not", () => {
    const seasoned = mask();
    const shown = (given: object) => JSON.stringify(seasoned.mask(given, JSON.stringify(given), pseudonym)?.value);
    expect(shown({ note: "a1B2c3D4e5F6g7H8" })).toContain("a1B2c3D4e5F6g7H8");
    expect(shown({ password: "a1B2c3D4e5F6g7H8" })).not.toContain("a1B2c3D4e5F6g7H8");
    expect(shown({ note: "a1B2c3D4e5F6g7H8" })).toContain("a1B2c3D4e5F6g7H8");
  });
});
