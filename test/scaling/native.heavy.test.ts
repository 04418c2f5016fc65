import { describe, expect, it } from "vitest";
import type { WireEvent } from "../../schema/generated.ts";
import { nativeWork } from "../native-work.ts";
import { sample } from "./sample.ts";
import { callOf } from "./shape.ts";
import { shapes } from "./shapes.ts";
import { engineOf, judged, recommended } from "./subject.ts";

/** UTF-16 units of the inputs that are compared. */
const [small, large] = [4_000, 16_000];

/** Elements of native code beside what is counted, in the most usual shapes, and how many times as many there may be. */
const uneven = 10;
/** What judging takes whatever is judged. */
const constant = 20_000;

/**
 * Native code is in neither units nor blocks, and nothing interrupts it. So what it does has to follow what is counted: a
 * list that is copied for each of its items, or a text that is looked for in another, shows here and nowhere else.
 */
describe("native work that is not counted", () => {
  const plan = recommended();
  const before = costOf(calm());

  /** Elements for each unit of work that an event takes, and each unit of its text. */
  function costOf(event: WireEvent): number {
    const { units } = judged(engineOf(plan), event);
    const native = nativeWork(() => engineOf(plan).decide(event));
    return native / (units + JSON.stringify(event).length / 2 + constant);
  }

  /** Tables that are made once are none of the work for an event. */
  function calm(): WireEvent {
    const event = callOf("bash", { command: "ls -la src" });
    for (let n = 0; n < 3; n++) engineOf(plan).decide(event);
    return event;
  }

  it.each(sample(shapes, 8).map((shape) => [shape.name, shape] as const))(
    "there is none in a shape: %s",
    (_, shape) => {
      engineOf(plan).decide(shape.event(400));
      const [first, last] = [costOf(shape.event(small)), costOf(shape.event(large))];
      const isEven = last < uneven * before && (last < 2 * before || last < 2 * first);
      expect([before, first, last, isEven]).toEqual([before, first, last, true]);
    },
  );
});
