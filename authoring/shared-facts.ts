import type { FactSet } from "../schema/facts.ts";
import type { Environment, JudgedEvent } from "../schema/judged-event.ts";
import type { FileSystem } from "../schema/ports.ts";

/** Reads the facts of an event. */
export type ReadFacts = (event: JudgedEvent, files: FileSystem) => FactSet;

/**
 * Returns a reader that reads a command once if two events in a row hold it. A text among a rule's examples is both a shell
 * call of the agent and a command that the human types, with the same effects. Secrets and untrusted text are each event's
 * own. `noFiles` is the file system of events without files.
 */
export function sharedFacts(read: ReadFacts, noFiles: FileSystem): ReadFacts {
  let last: { readonly command: string; readonly environment: Environment; readonly facts: FactSet } | undefined;
  return (event, files) => {
    const facts = read(event, files);
    const command = files === noFiles ? commandOf(event) : undefined;
    if (command === undefined) return facts;
    const { environment } = event;
    if (last?.command === command && isSame(last.environment, environment)) return new SharedFacts(facts, last.facts);
    last = { command, environment, facts };
    return facts;
  };
}

/** Returns the command of an event that holds nothing else. */
function commandOf({ event, tool, args, command, fields }: JudgedEvent): string | undefined {
  if (event === "user_bash") return fields["cwd"] === undefined ? command : undefined;
  if (event !== "tool_call" || tool?.name !== "bash" || !args || Object.keys(args).length !== 1) return undefined;
  return typeof args["command"] === "string" ? args["command"] : undefined;
}

function isSame(a: Environment, b: Environment): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Facts of one event, with the effects of another one. Each fact is computed on first use. */
class SharedFacts implements FactSet {
  readonly #own: FactSet;
  readonly #doing: FactSet;

  constructor(own: FactSet, doing: FactSet) {
    this.#own = own;
    this.#doing = doing;
  }

  get understanding(): FactSet["understanding"] {
    return this.#doing.understanding;
  }

  get doubts(): FactSet["doubts"] {
    return this.#doing.doubts;
  }

  get shell(): FactSet["shell"] {
    return this.#doing.shell;
  }

  get effects(): FactSet["effects"] {
    return this.#doing.effects;
  }

  get unseen(): FactSet["unseen"] {
    return this.#doing.unseen;
  }

  get approximate(): FactSet["approximate"] {
    return this.#doing.approximate;
  }

  get further(): FactSet["further"] {
    return this.#doing.further;
  }

  get secrets(): FactSet["secrets"] {
    return this.#own.secrets;
  }

  get text(): FactSet["text"] {
    return this.#own.text;
  }

  get untold(): NonNullable<FactSet["untold"]> {
    return this.#own.untold ?? new Set();
  }
}
