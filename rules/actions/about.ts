import type { EventName } from "../../schema/events.ts";
import { eventNames, events } from "../../schema/events.ts";
import type { ActionKind } from "../../schema/ports.ts";

/**
 * How a parameter is written in a policy. `template` may interpolate; `condition` sees `message.*`; `raw` is text as it
 * stands. In a plan, templates and conditions are found by name in `PlanAction.templates` and `.conditions`, and
 * `PlanAction.parameters` has `true` under their names, so that an action can tell that they were given. A `duration`
 * is written `30m` and stands there as milliseconds. Absent parameters stay absent; `default` is what the action takes.
 */
export type ParameterType =
  | "template"
  | "raw"
  | "condition"
  | "bool"
  | "int"
  | "duration"
  | "choice"
  | "list(string)"
  | "patterns";

/** One parameter of an action. */
export interface ActionParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** What holds when it is not given. */
  readonly default?: string | number | boolean;
  /** Values of a `choice`. */
  readonly values?: readonly string[];
  /** Least value of an `int`. */
  readonly minimum?: number;
  readonly doc: string;
}

/** What the compiler and the documentation know of an action. */
export interface ActionShape {
  readonly kind: ActionKind;
  /** Events on which it is possible; elsewhere it is an error (HW402). */
  readonly events: readonly EventName[];
  readonly parameters: readonly ActionParameter[];
  /** At least one of these must be given. */
  readonly oneOf?: readonly string[];
  readonly doc: string;
  /** A rule that uses it, as YAML. */
  readonly example: string;
}

const deciding = eventNames.filter((name) => events[name].kind === "decide");
const redactable: readonly EventName[] = [
  "tool_call",
  "input",
  "user_bash",
  "user_python",
  "tool_result",
  "context",
  "before_agent_start",
  "session_compacting",
];

/** Fields of a pattern of `redact`. */
export const patternFields: readonly ActionParameter[] = [
  {
    name: "name",
    type: "raw",
    required: true,
    doc: "Name of what the pattern finds; it stands in the default replacement.",
  },
  { name: "regex", type: "raw", required: true, doc: "RE2 pattern." },
  {
    name: "replacement",
    type: "raw",
    required: false,
    default: "[REDACTED:<name>]",
    doc: "Text in place of a match; `{match[n]}` is group n, `{match[0]}` the match.",
  },
];

/** Shapes by action name. Source: semantics section 2. */
export const actionShapes: Readonly<Record<string, ActionShape>> = {
  block: {
    kind: "guard",
    events: deciding,
    parameters: [],
    doc: "The call does not run; reason and guidance reach the model as a final denial.",
    example:
      "- id: no-root\n  event: tool_call\n  tool: bash\n  when: { some: { shell.commands: { program: sudo } } }\n  action: block\n  reason: this agent works without root\n",
  },
  ask: {
    kind: "guard",
    events: deciding,
    parameters: [
      { name: "prompt", type: "template", required: false, doc: "Question to the human; by default the reason." },
      { name: "timeout", type: "duration", required: false, doc: "How long to wait; no answer blocks." },
      {
        name: "remember",
        type: "choice",
        required: false,
        default: "never",
        values: ["never", "session"],
        doc: "Whether the same call asks again in this session.",
      },
    ],
    doc: "The human decides about the final call. Without a human, an answer or a user interface it blocks.",
    example:
      "- id: ask-push\n  event: tool_call\n  each: { p: effects.pushes }\n  action: { ask: { prompt: 'push to {p.remote}?' } }\n  reason: pushes are public\n",
  },
  redact: {
    kind: "transform",
    events: redactable,
    parameters: [
      { name: "detectors", type: "list(string)", required: false, doc: "Detectors by id or glob, e.g. `secrets/*`." },
      { name: "patterns", type: "patterns", required: false, doc: "Patterns of your own: name, regex, replacement." },
      {
        name: "fields",
        type: "list(string)",
        required: false,
        doc: "Dotted places to which it is limited, e.g. `details.headers`; by default all text.",
      },
      {
        name: "before_guards",
        type: "bool",
        required: false,
        default: false,
        doc: "On deciding events: redact before the guards judge, and skip their first pass.",
      },
    ],
    oneOf: ["detectors", "patterns"],
    doc: "Replaces secrets and matches in all text of the event, deep in structures too. JSON stays JSON; redacting twice changes nothing more.",
    example:
      '- id: hide-keys\n  event: [tool_result, context, input]\n  action:\n    redact: { detectors: ["secrets/*"], patterns: [{ name: api-key, regex: \'(API_KEY=)\\S+\', replacement: "{match[1]}[REDACTED]" }] }\n',
  },
  truncate: {
    kind: "transform",
    events: ["tool_result", "context"],
    parameters: [
      {
        name: "max_chars",
        type: "int",
        required: true,
        minimum: 1,
        doc: "Characters (code points) that a text part may have, the marker included.",
      },
      {
        name: "keep",
        type: "choice",
        required: false,
        default: "head",
        values: ["head", "tail", "both"],
        doc: "Which part stays.",
      },
      {
        name: "where",
        type: "condition",
        required: false,
        doc: "Messages it is about, over `message.*`; by default those of role `tool_result`.",
      },
      {
        name: "marker",
        type: "raw",
        required: false,
        default: "[… {omitted} of {total} characters left out]",
        doc: "Text where something was left out; `{omitted}` and `{total}` are counts, and `{omitted}` is added if it is not there.",
      },
    ],
    doc: "Shortens long text parts of results and messages and says by how much.",
    example:
      "- id: short-results\n  event: context\n  action: { truncate: { max_chars: 8000, where: { message.role: tool_result } } }\n",
  },
  drop: {
    kind: "transform",
    events: ["context"],
    parameters: [{ name: "where", type: "condition", required: true, doc: "Messages to remove, over `message.*`." }],
    doc: "Removes messages from the context.",
    example:
      "- id: no-debug\n  event: context\n  action: { drop: { where: { message.role: custom, message.custom_type: debug-only } } }\n",
  },
  inject: {
    kind: "deliver",
    events: [
      "tool_call",
      "tool_result",
      "input",
      "before_agent_start",
      "session_start",
      "session_compacting",
      "context",
      "turn_start",
    ],
    parameters: [
      { name: "content", type: "template", required: true, doc: "Text for the model." },
      {
        name: "as",
        type: "choice",
        required: false,
        default: "message",
        values: ["message", "append", "system"],
        doc: "A message of its own, text after the result, or part of the system prompt.",
      },
      {
        name: "custom_type",
        type: "raw",
        required: false,
        default: "hookwarden",
        doc: "Type of the message, for hosts that show or filter by it.",
      },
      { name: "display", type: "bool", required: false, default: true, doc: "Whether the human sees it too." },
      {
        name: "once",
        type: "choice",
        required: false,
        values: ["turn", "session"],
        doc: "Deliver it the first time only in each turn or session.",
      },
    ],
    doc: "Gives the model text, on the call, result, turn, start or compaction.",
    example:
      "- id: remind-tests\n  event: before_agent_start\n  action: { inject: { content: Run the tests before you finish., once: session } }\n",
  },
};
