import type { ActionCode } from "../../schema/ports.ts";

/** Answers a call where the default is ask or block, if every part of it is covered; what it covers is worked out by the engine. */
export const allow: ActionCode = { name: "allow", kind: "guard" };
