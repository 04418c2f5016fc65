import type { ActionCode } from "../../schema/ports.ts";
import { ask } from "./ask.ts";
import { block } from "./block.ts";
import { drop } from "./drop.ts";
import { inject } from "./inject.ts";
import { redact } from "./redact.ts";
import { truncate } from "./truncate.ts";

/** Code of every action, by name. Its shapes for the compiler stand in `about.ts`. */
export const actions: ReadonlyMap<string, ActionCode> = new Map(
  [block, ask, redact, truncate, drop, inject].map((action) => [action.name, action]),
);
