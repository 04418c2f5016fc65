import type { Plan } from "../../engine/plan.ts";
import { planText } from "../fmt/same-plan.ts";

/**
 * Returns a plan as text, to compare the decisions of two plans: like `planText`, but a value that occurs twice in a list
 * counts once, since every list of a policy is a set of ways to match.
 */
export function decidingText(plan: Plan): string {
  return JSON.stringify(JSON.parse(planText(plan)), (_key, value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === "string") ? [...new Set(value)] : value,
  );
}
