import type { ActionCode } from "../../schema/ports.ts";

/** A human decides. The decision is made by combining guards; the adapter asks. */
export const ask: ActionCode = { name: "ask", kind: "guard" };
