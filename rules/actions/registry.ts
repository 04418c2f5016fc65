import type { ActionCode } from "../../schema/ports.ts";
import { allow } from "./allow.ts";
import { ask } from "./ask.ts";
import { block } from "./block.ts";
import { drop } from "./drop.ts";
import { inject } from "./inject.ts";
import { label } from "./label.ts";
import { modify } from "./modify.ts";
import { notify } from "./notify.ts";
import { record } from "./record.ts";
import { redact } from "./redact.ts";
import { run } from "./run.ts";
import { truncate } from "./truncate.ts";

/** Code of every action, by name. Its shapes for the compiler are in `about.ts`. */
export const actions: ReadonlyMap<string, ActionCode> = new Map(
  [block, ask, allow, modify, redact, truncate, drop, inject, run, label, notify, record].map((action) => [
    action.name,
    action,
  ]),
);
