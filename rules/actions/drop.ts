import type { ActionCode } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";

/**
 * Removes messages for which `where` holds. A condition that cannot be evaluated is an error value that tells its code
 * only, since the message it failed on may hold anything. Source: semantics section 2.
 */
export const drop: ActionCode = {
  name: "drop",
  kind: "transform",
  transform: (payload, _parameters, context) => {
    if (!payload.messages) return payload;
    const kept: unknown[] = [];
    for (const message of payload.messages) {
      const dropped = context.test("where", message);
      if (dropped instanceof EvaluationError)
        return new EvaluationError(dropped.code, "`where` of `drop` could not be evaluated");
      if (!dropped) kept.push(message);
    }
    return kept.length === payload.messages.length ? payload : { ...payload, messages: kept };
  },
};
