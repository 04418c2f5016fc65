import type { Decision } from "../../schema/generated.ts";

/** Diagnostic codes that an adapter may meet by itself (`diagnostics/codes.ts`). */
export type FaultCode = "HW012" | "HW501" | "HW506" | "HW508" | "HW509" | "HW510" | "HW511" | "HW517";

/** Turns a fault into the one-line error of a decision. */
export function oneLine(fault: Fault): { code: FaultCode; message: string } {
  return { code: fault.code, message: fault.fix === undefined ? fault.message : `${fault.message}; ${fault.fix}` };
}

/** A failure outside the rules, which closes the event it concerns. `fix` is the next step for a human. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly fix?: string;
}

const final = "This is final for this call: do not try the same in another form.";

/**
 * Last line for the model if nobody can be asked. It names no approval key or command: only humans may let a call run, and
 * they find the way by the code or by `hookwarden approve`.
 */
const unasked =
  "Nobody can be asked here: only a human lets it run, in a terminal of their own. Ask them, then repeat this exact call.";

/** Says why a decision blocks, for the model and the human: rule first, then reason, guidance and errors. */
export function denialText(decision: Decision): string {
  const rule = decision.rule === undefined ? "" : ` (rule ${decision.rule})`;
  return [...why(decision, `Blocked by hookwarden${rule}`), final].join("\n");
}

/** Like `denialText`, for a call that a human may still let run although the host can ask nobody: the block is not final. */
export function unaskedText(decision: Decision): string {
  const by = decision.rule === undefined ? "HW510" : `rule ${decision.rule}, HW510`;
  return [...why(decision, `Blocked by hookwarden until a human approves (${by})`), unasked].join("\n");
}

/** Lists the reason, the guidance and up to five errors that the reason does not mention. */
function why(decision: Decision, head: string): string[] {
  const unsaid = decision.errors.filter((error) => decision.reason?.includes(error.message) !== true);
  return [
    `${head}: ${decision.reason ?? reasonWithout(decision)}`,
    ...(decision.guidance === undefined ? [] : [decision.guidance]),
    ...unsaid.slice(0, 5).map((error) => `${error.code}: ${error.message}`),
  ];
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
      return decision.outcome === "ask" ? "a policy rule asks a human" : "a policy rule forbids it";
  }
}

/** Says why a fault blocks, with code and next step. */
export function faultText(fault: Fault): string {
  const fix = fault.fix === undefined ? "" : `\n${fault.fix}`;
  return `Blocked by hookwarden (${fault.code}): ${fault.message}${fix}`;
}

/** Fault of a hook or guard that is installed but has no policy. A model reads it, so the fix is a task for the human. */
export const noPolicy: Fault = {
  code: "HW012",
  message: "no policy was found",
  fix: "ask the human to run `hookwarden init` in this project, or to put a policy into ~/.config/hookwarden/",
};

/** Makes the text that replaces text that may not be shown. */
export function withheldText(why: string): string {
  return `[withheld by hookwarden] ${why}`;
}

/** Turns a thrown error into the fault that closes the event; it contains only the error's message, cut short. */
export function internalFault(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "HW506",
    message: `internal error: ${message.slice(0, 300)}`,
    fix: "the call is blocked because it could not be judged; ask the human to report this with the audit record",
  };
}
