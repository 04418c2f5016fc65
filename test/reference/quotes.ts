import type { PlanAction } from "../../engine/plan.ts";

/** True for a text that names more than the policy, the host and the session itself. */
export function quotes({ templates }: PlanAction): boolean {
  const parts = JSON.stringify(templates?.["content"] ?? []);
  const roots = [...parts.matchAll(/"k":"root","name":"(\w+)/g)].map(([, name]) => name as string);
  const foreign = roots.filter((name) => !["parameters", "lists", "event", "host", "session"].includes(name));
  return foreign.length > 0 || /"k":"slot"|"fn":"session\./.test(parts);
}
