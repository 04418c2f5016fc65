import type { ActionCode } from "../../schema/ports.ts";

/** A program with the event on its input. The engine asks for it and reads its answer; an adapter runs it. */
export const run: ActionCode = { name: "run", kind: "program" };
