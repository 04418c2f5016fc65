import type { Decision } from "../../schema/generated.ts";

/** Diagnostic codes that an adapter may meet by itself (`diagnostics/codes.ts`). */
export type FaultCode = "HW012" | "HW501" | "HW506" | "HW508" | "HW509" | "HW510" | "HW511" | "HW517";

/** A fault as the one line that an error of a decision is. */
export function oneLine(fault: Fault): { code: FaultCode; message: string } {
  return { code: fault.code, message: fault.fix === undefined ? fault.message : `${fault.message}; ${fault.fix}` };
}

/** Something that went wrong outside the rules: it closes the event it concerns. `fix` is the next step for a human. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly fix?: string;
}

/**
 * What the model is told where nobody can be asked. Neither key nor command: what lets a call run is for humans, who find it by
 * `hookwarden approve`.
 */
export const unaskedText =
  "a human must approve this call, and none can be asked here: it waits in hookwarden's audit trail, and only a human lets it run, in a terminal of their own";

const final = "This is final for this call: do not try the same in another form.";

/** Why a decision blocks, as the model and the human read it: rule first, then reason, guidance and errors. */
export function denialText(decision: Decision): string {
  const rule = decision.rule === undefined ? "" : ` (rule ${decision.rule})`;
  const lines = [`Blocked by hookwarden${rule}: ${decision.reason ?? reasonWithout(decision)}`];
  if (decision.guidance !== undefined) lines.push(decision.guidance);
  const unsaid = decision.errors.filter((error) => decision.reason?.includes(error.message) !== true);
  for (const error of unsaid.slice(0, 5)) lines.push(`${error.code}: ${error.message}`);
  lines.push(final);
  return lines.join("\n");
}

function reasonWithout(decision: Decision): string {
  switch (decision.answered) {
    case "unknown":
      return `the call could not be understood${decision.doubts?.[0] === undefined ? "" : ` (${decision.doubts[0]})`}`;
    case "error":
      return "the policy could not judge it";
    case "default":
      return "no rule allows it";
    default:
      return "a policy rule forbids it";
  }
}

/** Why a fault blocks, with code and next step. */
export function faultText(fault: Fault): string {
  const fix = fault.fix === undefined ? "" : `\n${fault.fix}`;
  return `Blocked by hookwarden (${fault.code}): ${fault.message}${fix}`;
}

/** What stands in place of text that may not be shown. */
export function withheldText(why: string): string {
  return `[withheld by hookwarden] ${why}`;
}

/** An error that was thrown, as the fault that closes the event. Of the error only its message is said, cut short. */
export function internalFault(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "HW506",
    message: `internal error: ${message.slice(0, 300)}`,
    fix: "report this with the audit record; the call is blocked because it could not be judged",
  };
}
