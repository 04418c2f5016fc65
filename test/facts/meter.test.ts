import { describe, expect, it } from "vitest";
import { metered, spend, spendText, unitsLeft, unitsOf, unmetered } from "../../facts/meter.ts";

const over = (): string => "over";

describe("metered work", () => {
  it("gives its result where the allowance suffices, to the unit", () => {
    expect(metered(10, () => (spend(10), "done"), over)).toBe("done");
    expect(metered(10, () => (spend(11), "done"), over)).toBe("over");
  });

  it("ends where the allowance is spent", () => {
    let rounds = 0;
    const endless = (): string => {
      for (;;) {
        spend(1);
        rounds += 1;
      }
    };
    expect(metered(1_000, endless, over)).toBe("over");
    expect(rounds).toBe(1_000);
  });

  it("has an allowance of its own inside other work, and leaves that what it had", () => {
    const inside = (allowance: number, units: number): string => metered(allowance, () => (spend(units), "in"), over);
    expect(metered<unknown>(10, () => [inside(1_000, 500), unitsLeft()], over)).toEqual(["in", 10]);
    expect(metered<unknown>(10, () => [inside(5, 6), unitsLeft()], over)).toEqual(["over", 10]);
    expect(metered(10, () => (inside(5, 6), spend(10), inside(1, 1)), over)).toBe("in");
  });

  it("is over also where a piece of it catches every fault and goes on", () => {
    const swallowing = (): string => {
      try {
        spend(11);
      } catch {}
      return "went on";
    };
    expect(metered(10, swallowing, over)).toBe("over");
  });

  it("stays over: what catches a fault cannot spend again", () => {
    let went = 0;
    const stubborn = (): string => {
      for (let i = 0; i < 5; i++)
        try {
          spend(11);
          went += 1;
        } catch {}
      spend(0);
      return "went on";
    };
    expect(metered(10, stubborn, over)).toBe("over");
    expect(went).toBe(0);
  });

  it("passes on every other fault, and the allowance around it is whole again", () => {
    const failing = (): never => {
      spend(1);
      throw new RangeError("another fault");
    };
    const outer = (): number => {
      expect(() => metered(10, failing, over)).toThrow(RangeError);
      return unitsLeft();
    };
    expect(metered(7, outer, () => -1)).toBe(7);
    expect(() => failing()).toThrow(RangeError);
  });

  it("has no bound outside of it", () => {
    expect(() => spend(1e12)).not.toThrow();
  });
});

describe("units", () => {
  it("of a text are one for each 64, and one", () => {
    expect(unitsOf(() => spendText(0))).toBe(1);
    expect(unitsOf(() => spendText(640))).toBe(11);
  });

  it("are counted with those of metered work inside, without those of work that belongs to no call", () => {
    const work = (): void => {
      spend(1);
      metered(100, () => spend(20), over);
      unmetered(() => spend(300));
    };
    expect(unitsOf(work)).toBe(21);
  });

  it("of work that belongs to no call are not taken from the allowance", () => {
    expect(
      metered(
        5,
        () => (unmetered(() => spend(1_000)), unitsLeft()),
        () => -1,
      ),
    ).toBe(5);
  });
});
