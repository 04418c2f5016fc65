import { testOf } from "./requirement.ts";

/** A case of `test/hosts/seed-pi/prompts.ts`, on the real pi. */
export const onPiPrompts = testOf("test/hosts/seed-pi/prompts.ts");
/** A case of `test/hosts/seed-pi/turns.ts`, on the real pi. */
export const onPiTurns = testOf("test/hosts/seed-pi/turns.ts");
/** A case of `test/hosts/seed-pi/tools.ts`, on the real pi. */
export const onPiTools = testOf("test/hosts/seed-pi/tools.ts");
/** A case of `test/hosts/seed-pi/sessions.ts`, on the real pi. */
export const onPiSessions = testOf("test/hosts/seed-pi/sessions.ts");
/** A case of `test/hosts/seed-pi/starts.ts`, on the real pi. */
export const onPiStarts = testOf("test/hosts/seed-pi/starts.ts");
/** A case of `test/hosts/seed-pi/terminals.ts`, on the real pi. */
export const onPiTerminals = testOf("test/hosts/seed-pi/terminals.ts");
