/**
 * Fields of a wire event that have a meaning of their own (`event.schema.json`). Any other field is payload of a session
 * or observe event, or, in a suite, a mistake.
 */
export const wireFields: ReadonlySet<string> = new Set([
  "event",
  "id",
  "time",
  "host",
  "tool",
  "server",
  "name",
  "call_id",
  "args",
  "definition",
  "environment",
  "session",
  "labels",
  "repeat",
  "every",
  "result",
  "messages",
  "text",
  "source",
  "images",
  "prompt",
  "system_prompt",
  "command",
  "exclude_from_context",
  "cwd",
]);
