import type { Ir } from "../../engine/plan.ts";
import type { Claim } from "./claims.ts";
import { irKey } from "./guards.ts";
import type { Finding } from "./lint.ts";

/** A field that is there only with certain values of another field of the same record. */
interface Implied {
  readonly field: string;
  readonly other: string;
  readonly allows: (value: unknown) => boolean;
  readonly why: string;
  readonly help: string;
}

const table: readonly Implied[] = [
  {
    field: "agent.type",
    other: "agent.depth",
    allows: (depth) => depth !== 0,
    why: "the main agent, at depth 0, has no type",
    help: "write `agent.depth: { gt: 0 }`, or take the type out",
  },
  {
    field: "message.custom_type",
    other: "message.role",
    allows: (role) => role === "custom",
    why: "a message with a type of its own has the role `custom`",
    help: "write `message.role: custom`, or take one of them out",
  },
  {
    field: "message.tool_name",
    other: "message.role",
    allows: (role) => role === "tool_result",
    why: "only the result of a tool has the name of one",
    help: "write `message.role: tool_result`, or take one of them out",
  },
];

/** Finds a test that excludes another one beside it, because the one field is there only with certain values of the other. */
export function impliedClash(terms: readonly Ir[], claimOf: (ir: Ir) => Claim | undefined): Finding | undefined {
  const claims = terms.flatMap((term) => claimOf(term) ?? []).filter(isPlain);
  for (const { field, other, allows, why, help } of table) {
    const own = claims.find((claim) => claim.field === field && !claim.values?.includes(""));
    if (own?.subject.k !== "field") continue;
    const record = irKey(own.subject.of);
    const beside = claims.find((claim) => {
      const isSame = claim.field === other && claim.subject.k === "field" && irKey(claim.subject.of) === record;
      return isSame && !claim.values?.some(allows);
    });
    if (beside) return { span: beside.span, message: `\`${beside.path}\` cannot be this: ${why}`, help };
  }
  return undefined;
}

const isPlain = ({ operator, values }: Claim): boolean =>
  (operator === "equals" || operator === "in") && values !== undefined && values.length > 0;
