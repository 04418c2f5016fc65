import { digest } from "../../runtime.ts";
import type { WireEvent } from "../../schema/generated.ts";
import { type Fields, isFields, own } from "./messages.ts";
import type { Pins } from "./pins.ts";

/** What an event says of a tool's definition. */
export type Definition = NonNullable<WireEvent["definition"]>;

/** One tool of the server, as it was listed last. */
export interface ListedTool {
  readonly definition: Definition;
  readonly outputSchema: unknown;
  /** Why it is withheld from the client. */
  readonly withheld: string | undefined;
}

/** Parts of a definition that the model or the client go by, and so are pinned. */
const pinnedFields = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution"];

/** What the list of tools asks of others. */
export interface DefinitionPorts {
  readonly pins: Pins;
  /** True if the policy blocks every call of the tool. */
  denies(tool: string, definition: Definition): boolean;
  /** Hears of a tool whose definition is not the pinned one, once for each such definition. */
  changed(tool: string, definition: Definition): void;
}

/** Tools that one server may list; more are withheld, so that a list without end fills no memory. */
const mostTools = 10_000;

/** The digest of what is pinned of a definition. */
export function definitionDigest(tool: Fields): string {
  return digest(
    Object.fromEntries(pinnedFields.flatMap((name) => (Object.hasOwn(tool, name) ? [[name, tool[name]]] : []))),
  );
}

/** The tools of one connection: what the server listed, what of it is pinned, and what the client may see. */
export class Definitions {
  readonly #ports: DefinitionPorts;
  readonly #tools = new Map<string, ListedTool>();
  readonly #told = new Set<string>();
  /** Tools that were listed since the server last said that its list changed. */
  #fresh = new Set<string>();

  constructor(ports: DefinitionPorts) {
    this.#ports = ports;
  }

  /** The server says that its list changed: no definition is known to hold any more. */
  stale(): void {
    this.#fresh = new Set();
  }

  /** The tool as it was listed since the list last changed. */
  current(tool: string): ListedTool | undefined {
    return this.#fresh.has(tool) ? this.#tools.get(tool) : undefined;
  }

  /** True if the server had this tool when it was first seen, now or in an earlier session. */
  pinned(tool: string): boolean {
    return this.#ports.pins.of({ tool }) !== undefined;
  }

  /**
   * A page of the list without what the client may not see; the very same when it may see all of it. What is no tool with a
   * name is left out. Throws when definitions cannot be pinned.
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

  /** Takes a tool in; true if the client may see it. */
  #list(tool: Fields, now: string, pinned: string): boolean {
    const name = own(tool, "name") as string;
    const annotations = own(tool, "annotations");
    const definition: Definition = {
      digest: now,
      pinned_digest: pinned,
      ...(isFields(annotations) && { annotations }),
    };
    const withheld = this.#reason(name, definition);
    // A name that is listed twice is as its stricter definition: the client may call the other by it.
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
