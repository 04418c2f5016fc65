import { type Field, literalField } from "../fields.ts";
import type { Simple } from "../syntax.ts";
import type { Invocation } from "./call.ts";
import type { Machine } from "./machine.ts";
import { runText } from "./run.ts";
import type { Store } from "./store.ts";

/** Runs the text of `PROMPT_COMMAND`, which a continuing shell runs before its next prompt, like the text of a trap. */
export function runPrompt(machine: Machine, node: Simple, store: Store): void {
  const value = store.textOf("PROMPT_COMMAND");
  if (!value) return;
  const text: Field = { ...literalField(value.text, node), ...value };
  const { around } = machine;
  const call: Invocation = {
    fields: [literalField("trap", node), text, literalField("DEBUG", node)],
    assigned: new Map(),
    env: around.environment,
    redirects: [],
    wrappers: around.wrappers,
    strays: around.strays,
    cwd: store.folder,
    place: node,
    input: undefined,
    feeder: -1,
    functions: false,
    certain: false,
    possible: false,
  };
  const by = { call, name: { program: "trap", certain: true, candidates: [] }, draft: undefined };
  runText(machine, { kind: "text", text }, by, store);
}
