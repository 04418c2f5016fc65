import { spend, unitsLeft } from "../facts/meter.ts";
import { EvaluationError } from "../schema/ports.ts";
import { exhausted } from "./evaluate-values.ts";
import { type Frame, type Linked, memoOf } from "./frame.ts";

/**
 * Evaluates a named condition once for each key and session revision. Every later user still pays the same steps and work, so
 * that an answer never depends on who came first. A waiver evaluates it anew, because it sees names differently (`waiving`).
 */
export function remembered(body: Linked, keyOf: (frame: Frame) => string): Linked {
  return (frame) => {
    if (frame.waiving) return body(frame);
    const memo = memoOf(frame);
    const key = keyOf(frame);
    const known = memo.get(key);
    if (known) {
      if (known.cost > frame.steps) {
        frame.steps = 0;
        return exhausted;
      }
      frame.steps -= known.cost;
      spend(known.work ?? 0);
      return known.value;
    }
    const before = frame.steps;
    const left = unitsLeft();
    const value = body(frame);
    const ranOut = value instanceof EvaluationError && value.code === "HW503";
    if (!ranOut) memo.set(key, { value, cost: before - frame.steps, work: left - unitsLeft() });
    return value;
  };
}
