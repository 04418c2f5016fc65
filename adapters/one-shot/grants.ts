import type { Engine } from "../../runtime.ts";
import type { Decision } from "../../schema/generated.ts";

/** True if every rule that allowed the call says that the host need not ask, and none of them is the project's. */
export function skipsPrompt(plan: NonNullable<Engine["plan"]>, { outcome, answered, matched }: Decision): boolean {
  if (outcome !== "allow" || answered !== "rule") return false;
  const ids = matched.filter((match) => match.outcome === "allow").map(({ rule }) => rule);
  const rules = plan.rules.filter(({ id }) => ids.includes(id));
  return (
    rules.length > 0 &&
    rules.every(
      ({ policy, actions }) =>
        plan.policies[policy]?.scope !== "project" &&
        actions.some(({ action, parameters }) => action === "allow" && says(parameters, "skip_host_prompt")),
    )
  );
}

function says(parameters: unknown, name: string): boolean {
  return (
    typeof parameters === "object" &&
    parameters !== null &&
    Object.hasOwn(parameters, name) &&
    (parameters as Readonly<Record<string, unknown>>)[name] === true
  );
}
