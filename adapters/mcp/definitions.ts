import { digest } from "../../runtime.ts";
import type { WireEvent } from "../../schema/generated.ts";
import { type Fields, isFields, own } from "./messages.ts";
import type { Pins } from "./pins.ts";

/** A tool's definition in an event. */
export type Definition = NonNullable<WireEvent["definition"]>;

/** One tool of the server, as it was last listed. */
export interface ListedTool {
  readonly definition: Definition;
  readonly outputSchema: unknown;
  /** The reason why it is withheld from the client. */
  readonly withheld: string | undefined;
}

/** Parts of a definition that the model or the client relies on, and that are therefore pinned. */
const pinnedFields = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution"];

/** Dependencies of the list of tools. */
export interface DefinitionPorts {
  readonly pins: Pins;
  /** True if the policy blocks every call of the tool. */
  denies(tool: string, definition: Definition): boolean;
  /** Called for a tool whose definition differs from the pinned one, once for each such definition. */
  changed(tool: string, definition: Definition): void;
}

/** Maximum number of tools of one server; more are withheld, so that an endless list cannot fill the memory. */
const mostTools = 10_000;

/** Returns the digest of a definition's pinned parts. */
export function definitionDigest(tool: Fields): string {
  return digest(
    Object.fromEntries(pinnedFields.flatMap((name) => (Object.hasOwn(tool, name) ? [[name, tool[name]]] : []))),
  );
}

/** The tools of one connection: those the server listed, their pinned parts, and those the client may see. */
export class Definitions {
  readonly #ports: DefinitionPorts;
  readonly #tools = new Map<string, ListedTool>();
  readonly #told = new Set<string>();
  /** Tools listed since the server last reported a changed list. */
  #fresh = new Set<string>();

  constructor(ports: DefinitionPorts) {
    this.#ports = ports;
  }

  /** Forgets which definitions are current, because the server reports a changed list. */
  stale(): void {
    this.#fresh = new Set();
  }

  /** Returns the tool if it was listed since the last change of the list. */
  current(tool: string): ListedTool | undefined {
    return this.#fresh.has(tool) ? this.#tools.get(tool) : undefined;
  }

  /** True if the server had this tool when it was first seen, now or in an earlier session. */
  pinned(tool: string): boolean {
    return this.#ports.pins.of({ tool }) !== undefined;
  }

  /**
   * Returns a page of the list without the tools hidden from the client; the same object if none are hidden. Entries that
   * are not tools with a name are left out. Throws if definitions cannot be pinned.
   */
  page(result: Fields): Fields {
    const tools = own(result, "tools");
    if (!Array.isArray(tools)) return { ...result, tools: [] };
    const named = tools.filter((tool): tool is Fields => isFields(tool) && typeof own(tool, "name") === "string");
    const digests = named.map((tool) => [{ tool: own(tool, "name") as string }, definitionDigest(tool)] as const);
    const pinned = this.#ports.pins.check(digests);
    const shown = named.filter((tool, i) => this.#list(tool, digests[i]?.[1] ?? "", pinned[i] ?? ""));
    return shown.length === tools.length ? result : { ...result, tools: shown };
  }

  /** Adds a tool; true if the client may see it. */
  #list(tool: Fields, now: string, pinned: string): boolean {
    const name = own(tool, "name") as string;
    const annotations = own(tool, "annotations");
    const definition: Definition = {
      digest: now,
      pinned_digest: pinned,
      ...(isFields(annotations) && { annotations }),
    };
    const withheld = this.#reason(name, definition);
    // A name that is listed twice gets the stricter definition: the client may call either tool by it.
    const before = this.current(name);
    this.#tools.set(
      name,
      before?.withheld !== undefined ? before : { definition, outputSchema: own(tool, "outputSchema"), withheld },
    );
    this.#fresh.add(name);
    return withheld === undefined;
  }

  #reason(name: string, definition: Definition): string | undefined {
    if (definition.digest !== definition.pinned_digest) {
      const told = `${name}\n${definition.digest}`;
      if (!this.#told.has(told)) this.#ports.changed(name, definition);
      if (this.#told.size < mostTools) this.#told.add(told);
      return "its definition is not the one that this server had when it was first seen";
    }
    if (!this.#tools.has(name) && this.#tools.size >= mostTools) return "the server lists too many tools";
    return this.#ports.denies(name, definition) ? "the policy blocks every call of it" : undefined;
  }
}
