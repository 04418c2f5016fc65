/** A fault that stands between a real host and its hook. */
export interface EnvelopeAttack {
  readonly id: string;
  readonly title: string;
}

/** What a relay makes of a payload, as code over `text`, `given`, `args` (the name of the arguments' field) and `quiet` (harmless ones). */
export const payloadChanges: Readonly<Record<string, { readonly title: string; readonly code: string }>> = {
  "double-key": {
    title: "the arguments twice in one payload, harmless the second time",
    code: 'text.trimEnd().slice(0, -1) + "," + JSON.stringify(args) + ":" + JSON.stringify(quiet) + "}"',
  },
  "two-spellings": {
    title: "the arguments in two spellings, harmless in the usual one",
    code: "JSON.stringify({ ...given, [args]: quiet, [other(args)]: given[args] })",
  },
  "unknown-event": {
    title: "an event name that nobody knows",
    code: 'JSON.stringify({ ...given, [event]: "SomethingNew" })',
  },
  "result-beside": {
    title: "a result beside the call",
    code: 'JSON.stringify({ ...given, [args === "toolArgs" ? "toolResult" : "tool_response"]: { textResultForLlm: "x", stdout: "x" } })',
  },
  "split-command": {
    title: "a command whose words stand beside its program",
    code: 'JSON.stringify({ ...given, [args]: { ...given[args], command: "touch", args: ["FORBIDDEN"] } })',
  },
};

export const envelopeAttacks: readonly EnvelopeAttack[] = Object.entries(payloadChanges).map(([id, { title }]) => ({
  id,
  title,
}));
