import { limits } from "../../schema/limits.ts";
import type { ActionCode } from "../../schema/ports.ts";

/** Adds texts to the audit record only, masked like every interpolated value. Source: semantics section 2. */
export const record: ActionCode = {
  name: "record",
  kind: "mark",
  mark: (_parameters, context) => {
    const names = context.names("fields");
    const fields = names.map((name) => {
      const value = context.text(name).slice(0, limits.captured).toWellFormed();
      return [name.slice("fields.".length), value] as const;
    });
    return { kind: "record", fields: Object.fromEntries(fields) };
  },
};
