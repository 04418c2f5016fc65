import type { ActionCode } from "../../schema/ports.ts";

/** The call does not run. The decision is made by combining guards; there is nothing to run. */
export const block: ActionCode = { name: "block", kind: "guard" };
