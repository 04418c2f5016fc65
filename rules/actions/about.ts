import type { EventName } from "../../schema/events.ts";
import { eventNames, events } from "../../schema/events.ts";
import { effectKinds } from "../../schema/facts.ts";
import type { ActionKind } from "../../schema/ports.ts";

/**
 * How a parameter is written in a policy. `template` may interpolate; `condition` sees `message.*`; `raw` is literal text. In a
 * plan, templates and conditions are found by name in `PlanAction.templates` and `.conditions`, and `PlanAction.parameters` has
 * `true` under their names, so that an action can tell that they were given. A `duration` is written `30m`; the plan has
 * milliseconds. `labels` are declared labels, `command` a program with its arguments, `protocol` how a program's answer is read;
 * `templates` are texts and constants by name, in a plan under `parameter.name` where they interpolate; `values` are names of
 * secrets (`env`, `file`), never secrets themselves. Absent parameters stay absent; `default` is what the action takes.
 */
export type ParameterType =
  | "template"
  | "raw"
  | "condition"
  | "bool"
  | "int"
  | "duration"
  | "choice"
  /** Some of `values`. */
  | "choices"
  | "list(string)"
  | "list(regex)"
  | "number"
  | "labels"
  | "templates"
  | "command"
  | "protocol"
  | "patterns"
  | "values";

/** One parameter of an action. */
export interface ActionParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** Value when it is not given. */
  readonly default?: string | number | boolean;
  /** Values of a `choice`, or of `choices`. */
  readonly values?: readonly string[];
  /** Least value of an `int`. */
  readonly minimum?: number;
  readonly doc: string;
}

/** Description of an action for the compiler and the documentation. */
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

/** Shapes by action name. Source: semantics section 2. */
export const actionShapes: Readonly<Record<string, ActionShape>> = {
  block: {
    kind: "guard",
    events: deciding,
    parameters: [],
    doc: "The call does not run; reason and guidance reach the model as a final denial.",
    example:
      "- id: no-root\n  event: tool_call\n  tool: bash\n  each: { c: shell.commands }\n  when: { any: [{ c.program: sudo }, { c.wrappers: { contains: sudo } }] }\n  action: block\n  reason: this agent works without root\n",
  },
  ask: {
    kind: "guard",
    events: deciding,
    parameters: [
      { name: "prompt", type: "template", required: false, doc: "Question to the human; by default the reason." },
      {
        name: "timeout",
        type: "duration",
        required: false,
        minimum: 1_000,
        doc: "How long to wait; no answer blocks.",
      },
      {
        name: "remember",
        type: "choice",
        required: false,
        default: "never",
        values: ["never", "session"],
        doc: "Whether the answer holds for the very same call in this session.",
      },
      { name: "clears", type: "labels", required: false, doc: "Labels that an approval takes off the session." },
    ],
    doc: "The human decides about the final call. Without a human, an answer or a user interface it blocks.",
    example:
      "- id: ask-push\n  event: tool_call\n  each: { p: effects.pushes }\n  action: { ask: { prompt: 'push to {p.remote}?' } }\n  reason: pushes are public\n",
  },
  allow: {
    kind: "guard",
    events: deciding,
    parameters: [
      {
        name: "opaque",
        type: "bool",
        required: false,
        default: false,
        doc: "Speaks for calls that are not fully understood too: also for what the program does that is not listed.",
      },
      {
        name: "effects",
        type: "choices",
        required: false,
        values: effectKinds,
        doc: "Kinds of effects of the command that it speaks for besides its run and the reads that it makes.",
      },
      {
        name: "skip_host_prompt",
        type: "bool",
        required: false,
        default: false,
        doc: "The host's own question is answered as well; for managed and user policies.",
      },
    ],
    doc: "Answers a call where the default is ask or block, if every command and effect of it is allowed. Bound to a command it covers its run and its reads; writes, deletes, network, pushes, installs, settings, ended processes and wrappers such as `sudo` need an allow of their own. It never beats a block or an ask.",
    example:
      "- id: allow-reads\n  event: tool_call\n  each: { r: effects.reads }\n  when: { r.path: { is: workspace } }\n  action: allow\n",
  },
  modify: {
    kind: "transform",
    events: ["tool_call", "input", "user_bash", "user_python", "before_agent_start"],
    parameters: [
      {
        name: "set",
        type: "templates",
        required: false,
        doc: "Arguments by name, or `text`, `command`, `code`, `prompt`, `system_prompt` of other events; texts may interpolate, and the value goes in whole.",
      },
      { name: "unset", type: "list(string)", required: false, doc: "Arguments to take out." },
    ],
    oneOf: ["set", "unset"],
    doc: "Changes arguments, prompt or system prompt. What results is judged again; two rules that set one thing to different values block the call.",
    example:
      "- id: no-background\n  event: tool_call\n  tool: bash\n  action: { modify: { set: { background: false } } }\n",
  },
  label: {
    kind: "mark",
    events: eventNames,
    parameters: [
      { name: "add", type: "labels", required: true, doc: "Declared labels, or `injected`." },
      {
        name: "on",
        type: "choice",
        required: false,
        default: "session",
        values: ["session", "path"],
        doc: "Where they are put: on the session, or on the path of `each`, else on what the call writes.",
      },
      { name: "when_blocked", type: "bool", required: false, default: false, doc: "Also if the event is blocked." },
    ],
    doc: "Marks the session or files, for conditions of later events. A taint stays until an approval clears it. Labels of a project's policy that nobody has trusted are seen by its own rules alone.",
    example: "- id: seen-untrusted\n  event: tool_result\n  tool: fetch\n  action: { label: { add: [untrusted] } }\n",
  },
  run: {
    kind: "program",
    events: eventNames,
    parameters: [
      {
        name: "command",
        type: "command",
        required: true,
        doc: "The program and its arguments. No shell, and nothing is interpolated; the event is on its input as JSON.",
      },
      {
        name: "timeout",
        type: "duration",
        required: false,
        default: "10s",
        minimum: 100,
        doc: "How long to wait, 100 ms to 10 minutes; then all it started is ended.",
      },
      {
        name: "background",
        type: "bool",
        required: false,
        default: false,
        doc: "Nobody waits for it, and its answer changes nothing.",
      },
      {
        name: "protocol",
        type: "protocol",
        required: false,
        default: "json",
        doc: "`json`, `exit_code` (any but 0 blocks), `{ exit_code: claude }` (only 2 blocks, and a JSON answer is found in what it prints) or `{ exit_code: opta }` (any but 0 cancels, a time-out does not).",
      },
      {
        name: "digest",
        type: "raw",
        required: false,
        doc: "SHA-256 that the program's file must have, `sha256:…`; needed for a program inside the workspace.",
      },
      { name: "status_message", type: "raw", required: false, doc: "Message to the human while it runs." },
    ],
    doc: "A program judges the event. Its answer is recorded, and a replay uses the record.",
    example:
      "- id: ask-scanner\n  event: tool_call\n  tool: bash\n  action: { run: { command: [/usr/local/bin/scan-call], timeout: 5s } }\n",
  },
  notify: {
    kind: "mark",
    events: eventNames,
    parameters: [
      { name: "message", type: "template", required: true, doc: "Message to the human." },
      {
        name: "level",
        type: "choice",
        required: false,
        default: "info",
        values: ["info", "warning", "error"],
        doc: "How it is shown.",
      },
      { name: "when_blocked", type: "bool", required: false, default: false, doc: "Also if the event is blocked." },
    ],
    doc: "Tells the human.",
    example:
      "- id: tell-push\n  event: tool_call\n  each: { p: effects.pushes }\n  action: { notify: { message: 'pushing to {p.remote}' } }\n",
  },
  record: {
    kind: "mark",
    events: eventNames,
    parameters: [
      {
        name: "fields",
        type: "templates",
        required: false,
        doc: "Texts to keep, by name; each at most 2,000 characters.",
      },
    ],
    doc: "Keeps texts of an event in the audit trail, masked, whatever else its records keep: `audit: { keep: views }` (also when absent) a masked and bounded view of the event, `digests` its digest alone, `events` the event whole, secrets too. Of several policies the strictest decides: `digests`, then `views`.",
    example:
      "- id: trace-fetch\n  event: tool_call\n  each: { n: effects.network }\n  action: { record: { fields: { host: '{n.url.host}' } } }\n",
  },
  redact: {
    kind: "transform",
    events: redactable,
    parameters: [
      {
        name: "detectors",
        type: "list(string)",
        required: false,
        doc: "Detectors by id or glob, e.g. `secrets/*` for secrets, `text/*` for untrusted text; see [Detectors](detectors.md).",
      },
      { name: "patterns", type: "patterns", required: false, doc: "Patterns of your own: name, regex, replacement." },
      {
        name: "values",
        type: "values",
        required: false,
        doc: "Secrets that are known: `env` names variables of the environment, `file` is the absolute path of a file with one secret in each line, which only its owner may read. Found as they are and in base64, hexadecimal, percent and JSON escapes, in forms and in markup, from 8 characters on.",
      },
      {
        name: "fields",
        type: "list(string)",
        required: false,
        doc: "Dotted places to which it is limited, e.g. `details.headers`; by default all text.",
      },
      {
        name: "characters",
        type: "choice",
        required: false,
        default: "strip",
        values: ["strip", "mark"],
        doc: "How detectors of characters (`text/invisible`, `text/ansi`, …) treat them: remove them, or write them visibly, as `⟨U+200B⟩`.",
      },
      {
        name: "images",
        type: "choice",
        required: false,
        default: "pass",
        values: ["pass", "block"],
        doc: "Images, sound and other base64 data pass as they are, or a note stands in their place. What passes and is neither a picture, sound, a font nor packed, such as `application/octet-stream`, is looked at in its encoding.",
      },
      {
        name: "before_guards",
        type: "bool",
        required: false,
        default: false,
        doc: "On deciding events: redact before the guards judge, and skip their first pass.",
      },
    ],
    oneOf: ["detectors", "patterns", "values", "images"],
    doc: "Replaces secrets and matches in all text of the event, deep in structures and in keys too, and makes untrusted text show what it holds. JSON stays JSON; redacting twice changes nothing more.",
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
    doc: "Gives the model text, on the call, result, turn, start or compaction. Several stand in one note, between lines with a boundary of the event that content cannot guess; a note that quotes the event says so, and what a program wrote is marked as its output and as data. This marks, it is no wall: a model may follow it all the same. What later decisions can rest on is the label `injected`: a session gets it, without any rule that says so, with the first text that names a value of the event, of its folders or of earlier calls, or that a program wrote. It needs no declaration and is a taint: only an approval takes it away.",
    example:
      "- id: remind-tests\n  event: before_agent_start\n  action: { inject: { content: Run the tests before you finish., once: session } }\n",
  },
};
