import type { JudgedEvent } from "../../schema/judged-event.ts";

/** A judged event with nothing in it but what a test names. */
export function judged(parts: Partial<JudgedEvent>): JudgedEvent {
  return {
    event: "tool_call",
    id: "e1",
    time: 0,
    host: "test",
    call_id: undefined,
    tool: undefined,
    args: undefined,
    args_raw: undefined,
    environment: {
      cwd: "/w",
      workspace: "/w",
      home: "/home/dev",
      user: "dev",
      os: "linux",
      shell: "bash",
      branch: undefined,
      default_branch: undefined,
      case_insensitive: false,
      interactive: false,
      variables: {},
    },
    session: { id: "s1", labels: [], turn: 0 },
    agent: { id: "main", depth: 0, type: "main" },
    definition: undefined,
    result: undefined,
    messages: undefined,
    prompt: undefined,
    system_prompt: undefined,
    input: undefined,
    command: undefined,
    exclude_from_context: false,
    fields: {},
    ...parts,
  };
}
