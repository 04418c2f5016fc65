import type { WireEvent } from "../../schema/generated.ts";
import type { FactShape } from "./facts/shape.ts";
import { framed, type Shape } from "./shape.ts";
import { engineShapes } from "./shapes-engine.ts";
import { factShapes } from "./shapes-facts.ts";

/** Everything that grows: what is large for the engine, and what is large for facts. */
export const shapes: readonly Shape[] = [...engineShapes, ...factShapes.map(judgedShape)];

/** A call of facts as an event. */
function judgedShape({ name, of }: FactShape): Shape {
  return {
    name: `call: ${name}`,
    event: (units) => {
      const { tool, args, environment, files } = of(units);
      const event = framed({ event: "tool_call", tool, args } as unknown as WireEvent);
      const around = { ...event.environment, ...environment, ...(files && { files }) };
      return { ...event, environment: around } as WireEvent;
    },
  };
}
