import { limits } from "../../../schema/limits.ts";
import { shellNames } from "../../programs/shells.ts";
import { type Atom, type Field, literalField } from "../fields.ts";
import type { Resolved } from "../invocation.ts";
import { scriptRuns } from "../scripts.ts";
import type { Invocation, Launch } from "./call.ts";
import type { Machine } from "./machine.ts";
import { ends, type Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";

/** Returns the start-up files that variables name. */
export function startFiles({ env }: Invocation, store: Store): readonly Atom[] {
  return ["BASH_ENV", "ENV"].flatMap((name) => {
    const value = env.get(name) ?? (store.variables.has(name) ? store.textOf(name) : undefined);
    return !value || (value.kind === "literal" && value.text === "") ? [] : [value];
  });
}

/** Runs the start file that a variable names, as a new shell does first. */
export function startUp(machine: Machine, call: Invocation, { program }: Resolved, store: Store, launch: Launch): void {
  if (!shells.has(program)) return;
  for (const value of startFiles(call, store)) {
    const file: Field = { ...literalField(value.text, call.place), ...value };
    const rest = {
      env: new Map([...call.env].filter(([name]) => name !== "BASH_ENV" && name !== "ENV")),
      redirects: [],
      wrappers: [...call.wrappers, program],
      certain: false,
      possible: false,
      functions: false,
    };
    const child = store.fork();
    child.printed = undefined;
    launch(machine, { ...call, ...rest, fields: [literalField("source", call.place), file] }, child);
  }
}

const shells: ReadonlySet<string> = new Set(shellNames);

/** Runs a file that the text wrote, with the interpreter that its first line names. */
export function runFile(
  machine: Machine,
  head: Field,
  args: readonly Field[],
  call: Invocation,
  store: Store,
  launch: Launch,
): Outcome | undefined {
  const { files } = machine;
  if (files.empty) return undefined;
  const found = scriptRuns(head, args, call.cwd, files, searchPath(call, store));
  if (!found) return undefined;
  if (files.running.has(found.key)) return ends(store);
  if (files.running.size > limits.shellNesting) {
    machine.exceeded("more scripts run each other than can be analysed", call.place.start);
    return ends(store);
  }
  files.running.add(found.key);
  for (const fields of found.runs)
    launch(
      machine,
      {
        ...call,
        fields,
        functions: false,
        certain: call.certain && found.certain,
        possible: call.possible && found.certain,
      },
      store.fork(),
    );
  files.running.delete(found.key);
  return found.certain ? ends(store) : undefined;
}

/** Returns the known search path of programs; undefined if nothing sets it. */
function searchPath(call: Invocation, store: Store): string | undefined {
  const value = call.env.get("PATH") ?? store.textOf("PATH");
  return value?.template ?? value?.text;
}
