import type { Plan } from "../../engine/plan.ts";
import type { SessionStoreOptions } from "../../store/session-store.ts";
import { sequenceOf } from "../engine/session/bodies.ts";

/** A plan as the tests of sessions need one: a sequence and a budget, of which a state has something to say. */
export const plan = {
  digest: "sha256:plan",
  policies: [],
  rules: [
    { id: "p/seq", sequence: sequenceOf(1) },
    { id: "p/budget", budget: { per: "session", limit: 3 } },
  ],
} as unknown as Plan;

/** How those tests open a session. */
export const usual: SessionStoreOptions = { plan, key: "key of a test", durability: "relaxed", patience: 200 };
