import { digest } from "../../runtime.ts";
import { type Definition, Definitions, type ListedTool } from "./definitions.ts";
import type { ConnectionJudge, Named } from "./judge.ts";
import { ListRequests } from "./list-requests.ts";
import { codes, errorOf, type Fields, failedCall, type Id, isFields, type Message, own, resultOf } from "./messages.ts";
import { type Pending, PendingRequests } from "./pending.ts";
import type { Pins } from "./pins.ts";
import { judgeBody, judgeCallResult, type Said } from "./results.ts";
import { type BodyKind, isBodyKind } from "./views.ts";

/** Destination of a message: on to the other side (unchanged without `value`), back to its sender, or nowhere. */
export type Passage =
  | { readonly to: "other"; readonly value?: Fields }
  | { readonly to: "sender"; readonly value: Fields }
  | { readonly to: "nobody" };

const on: Passage = { to: "other" };
const nowhere: Passage = { to: "nobody" };

/** Dependencies of a connection. */
export interface ConnectionPorts {
  readonly judge: ConnectionJudge;
  readonly pins: Pins;
  /** Sends the server one of the proxy's own messages. */
  toServer(value: Fields): void;
  /** Time limit for the server to list its tools when the proxy asks, in milliseconds. */
  readonly patience?: number;
}

type Request = Extract<Message, { kind: "request" }>;
type Response = Extract<Message, { kind: "response" }>;

/** Text for an answer that has neither a result nor an error in MCP's form. */
const noAnswer = "hookwarden: the answer has no form that could be judged, so it is withheld";

/** Maximum number of tasks whose tool is remembered. */
const mostTasks = 4_096;

/**
 * Connects one client and one server, message by message. Messages that a policy may decide are judged; all others pass
 * unchanged. An internal fault answers a request with an error and withholds any other message (hosts page others, section
 * 4).
 */
export class Connection {
  readonly #ports: ConnectionPorts;
  readonly #definitions: Definitions;
  readonly #lists: ListRequests;
  readonly #ofClient = new PendingRequests();
  readonly #ofServer = new PendingRequests();
  /** The calls that started tasks, by task id: their results are fetched later. */
  readonly #tasks = new Map<string, Pending>();

  constructor(ports: ConnectionPorts) {
    const { judge, pins } = ports;
    this.#ports = ports;
    this.#definitions = new Definitions({
      pins,
      denies: (tool, definition) => judge.denies(tool, definition),
      changed: (tool, definition) => this.#changed(tool, definition),
    });
    this.#lists = new ListRequests((value) => ports.toServer(value), ports.patience);
  }

  /** Returns the destination of a message of the client. Never rejects. */
  fromClient(message: Message): Promise<Passage> {
    return this.#total(message, "client", () => {
      if (message.kind === "request") return this.#clientRequest(message);
      if (message.kind === "response") return this.#clientResponse(message);
      if (message.method === "notifications/cancelled") forget(this.#ofClient, message.params);
      return on;
    });
  }

  /** Returns the destination of a message of the server. Never rejects. */
  fromServer(message: Message): Promise<Passage> {
    return this.#total(message, "server", () => {
      if (message.kind === "request") return this.#serverRequest(message);
      if (message.kind === "response") return this.#serverResponse(message);
      if (message.method === "notifications/tools/list_changed") this.#definitions.stale();
      if (message.method === "notifications/cancelled") forget(this.#ofServer, message.params);
      return this.#notification(message);
    });
  }

  /** Handles a message that is unreadable or too long: whoever waits gets an error, and none of it is passed on. */
  refused(side: "client" | "server", id: Id | undefined, isAnswer: boolean, code: number, why: string): Passage {
    this.#ports.judge.note(`a message of the ${side} was not passed on: ${why}`, "block", { from: side, why });
    if (isAnswer && id !== undefined) {
      const known = (side === "client" ? this.#ofServer : this.#ofClient).take(id);
      return known ? { to: "other", value: errorOf(id, codes.internal, `hookwarden: ${why}`) } : nowhere;
    }
    if (side === "server" && id === undefined) return nowhere;
    return { to: "sender", value: errorOf(id ?? null, code, `hookwarden: ${why}`) };
  }

  /** Returns error answers to all open requests of the client, because the server is gone. */
  ended(why: string): readonly Fields[] {
    this.#lists.end();
    return this.#ofClient.ids().map((id) => errorOf(id, codes.internal, `hookwarden: ${why}`));
  }

  async #clientRequest(message: Request): Promise<Passage> {
    const { id, method, params } = message;
    const refusal = this.#ofClient.refusal(id);
    if (refusal !== undefined) return { to: "sender", value: errorOf(id, codes.invalid, `hookwarden: ${refusal}`) };
    if (method === "tools/call") return this.#call(message);
    if (method === "initialize") this.#ports.judge.client(own(params, "clientInfo"));
    const task = method === "tasks/result" ? this.#tasks.get(String(own(params, "taskId"))) : undefined;
    this.#ofClient.open(id, { call: { name: method, args: argumentsOf(method, params) }, ...task, method });
    return on;
  }

  async #call({ id, params, value }: Request): Promise<Passage> {
    const name = own(params, "name");
    const args = own(params, "arguments") ?? {};
    if (typeof name !== "string" || !isFields(args) || own(params, "arguments") === null)
      return {
        to: "sender",
        value: errorOf(id, codes.params, "hookwarden: a call needs a name, and arguments that are an object"),
      };
    const refuse = (text: string): Passage => ({
      to: "sender",
      // A client that asked for a task takes no result of a call.
      value: own(params, "task") === undefined ? resultOf(id, failedCall(text)) : errorOf(id, codes.refused, text),
    });
    const listed = await this.#listed(name);
    const call: Named = { name, args, id: String(id), ...(listed && { definition: listed.definition }) };
    const verdict = await this.#ports.judge.call(call);
    if (verdict.refused !== undefined) return refuse(verdict.refused);
    const withheld = listed ? listed.withheld : this.#unlisted(name);
    if (withheld !== undefined) {
      this.#ports.judge.note(`a call of the tool \`${name}\` was refused: ${withheld}`, "block", { tool: name });
      return refuse(`Blocked by hookwarden: the tool \`${name}\` is withheld, for ${withheld}.`);
    }
    const { args: changed, said } = verdict;
    const judged = changed ? { ...call, args: changed } : call;
    this.#ofClient.open(id, {
      method: "tools/call",
      call: judged,
      outputSchema: listed?.outputSchema,
      ...(said !== undefined && { said }),
    });
    return changed ? { to: "other", value: { ...value, params: { ...params, arguments: changed } } } : on;
  }

  /** Returns the tool's present definition. The proxy requests the list if the client has not done so since the last change. */
  async #listed(name: string): Promise<ListedTool | undefined> {
    const known = this.#definitions.current(name);
    if (known) return known;
    for (const page of await this.#lists.all()) this.#definitions.page(page);
    return this.#definitions.current(name);
  }

  #unlisted(name: string): string | undefined {
    if (this.#definitions.pinned(name)) return "the server had it when it was first seen, and does not list it now";
    return this.#lists.failed ? "the server's tools could not be listed" : undefined;
  }

  async #clientResponse({ id, value }: Response): Promise<Passage> {
    const pending = id === null ? undefined : this.#ofServer.take(id);
    if (id === null || !pending) return nowhere;
    const kind = `${pending.method} result`;
    const result = own(value, "result");
    if (!isBodyKind(kind) || Object.hasOwn(value, "error")) return on;
    if (!isFields(result)) return { to: "other", value: errorOf(id, codes.refused, noAnswer) };
    const judged = await this.#body(kind, pending.call, result);
    return passed(value, "result", judged, () => ({
      to: "other",
      value: errorOf(id, codes.refused, refusedText(judged)),
    }));
  }

  async #serverRequest({ id, method, params, value }: Request): Promise<Passage> {
    const refusal = this.#ofServer.refusal(id);
    if (refusal !== undefined) return { to: "sender", value: errorOf(id, codes.invalid, `hookwarden: ${refusal}`) };
    const call: Named = { name: method, args: {} };
    if (method === "sampling/createMessage" || method === "elicitation/create") {
      const judged = await this.#body(method, call, params);
      if ("refused" in judged) return { to: "sender", value: errorOf(id, codes.refused, refusedText(judged)) };
      this.#ofServer.open(id, { method, call });
      return passed(value, "params", judged, () => nowhere);
    }
    const task = method === "tasks/result" ? this.#tasks.get(String(own(params, "taskId"))) : undefined;
    this.#ofServer.open(id, { call, ...task, method });
    return on;
  }

  async #notification({ method, params, value }: Extract<Message, { kind: "notification" }>): Promise<Passage> {
    if (!method.startsWith("notifications/") || !isBodyKind(method)) return on;
    const judged = await this.#body(method, { name: method, args: {} }, params);
    return passed(value, "params", judged, () => nowhere);
  }

  async #serverResponse({ id, value }: Response): Promise<Passage> {
    if (id !== null && this.#lists.take(id, value)) return nowhere;
    const pending = id === null ? undefined : this.#ofClient.take(id);
    // Nobody asked for it: its meaning is unknown, and no client waits for it.
    if (id !== null && !pending) return nowhere;
    const error = own(value, "error");
    if (isFields(error)) {
      const judged = await this.#body("error", pending?.call ?? { name: "error", args: {} }, error);
      return passed(value, "error", judged, () => ({
        to: "other",
        value: errorOf(id, codes.refused, refusedText(judged)),
      }));
    }
    const result = own(value, "result");
    return pending && id !== null && isFields(result)
      ? this.#answer(id, pending, result, value)
      : { to: "other", value: errorOf(id, codes.refused, noAnswer) };
  }

  async #answer(id: Id, pending: Pending, result: Fields, value: Fields): Promise<Passage> {
    const { method, call } = pending;
    const withResult = (changed: Fields): Passage =>
      changed === result ? on : { to: "other", value: { ...value, result: changed } };
    if (method === "tools/list") return withResult(this.#definitions.page(result));
    if (method === "initialize") return withResult(this.#initialized(result));
    if (method === "tools/call" || method === "tasks/result") {
      this.#remember(result, pending);
      return withResult(await judgeCallResult(this.#ports.judge, pending, result));
    }
    if (!isBodyKind(method)) return on;
    const judged = await this.#body(method, call, result);
    return passed(value, "result", judged, () => ({
      to: "other",
      value: errorOf(id, codes.refused, refusedText(judged)),
    }));
  }

  #body(kind: BodyKind, call: Named, body: Fields): Promise<Said> {
    return judgeBody(this.#ports.judge, kind, call, body);
  }

  #remember({ task }: Fields, pending: Pending): void {
    const id = isFields(task) ? own(task, "taskId") : undefined;
    if (typeof id !== "string") return;
    this.#tasks.set(id, pending);
    if (this.#tasks.size > mostTasks) this.#tasks.delete(this.#tasks.keys().next().value as string);
  }

  /** Pins the server's description of itself too; withholds changed instructions, because models read them. */
  #initialized(result: Fields): Fields {
    this.#lists.offered =
      isFields(own(result, "capabilities")) && isFields(own(result["capabilities"] as Fields, "tools"));
    const seen = [
      ["server_info", digest(own(result, "serverInfo") ?? null)],
      ["instructions", digest(own(result, "instructions") ?? null)],
    ] as const;
    const pinned = this.#ports.pins.check(seen);
    for (const [i, [what, now]] of seen.entries()) if (pinned[i] !== now) this.#different(what, now, pinned[i]);
    if (pinned[1] === seen[1][1]) return result;
    const { instructions: _, ...rest } = result;
    return rest;
  }

  #different(what: "server_info" | "instructions", now: string, pinned: string | undefined): void {
    const [text, outcome] =
      what === "instructions"
        ? (["its instructions are new, and withheld", "block"] as const)
        : (["its name or version is new", "allow"] as const);
    const observed = { changed: what, digest: now, pinned_digest: pinned };
    this.#ports.judge.note(`the server is not as it was when it was first seen: ${text}`, outcome, observed);
  }

  #changed(tool: string, { digest: now, pinned_digest }: Definition): void {
    const fix = "`hookwarden mcp --forget -- <server command>` accepts what the server says now";
    this.#ports.judge.note(`the definition of the tool \`${tool}\` changed, and it is withheld; ${fix}`, "block", {
      tool,
      digest: now,
      pinned_digest,
    });
  }

  async #total(message: Message, side: "client" | "server", run: () => Promise<Passage> | Passage): Promise<Passage> {
    try {
      const passage = await run();
      await this.#ports.judge.recorded();
      return passage;
    } catch (fault) {
      const why = `internal error: ${fault instanceof Error ? fault.message : String(fault)}`;
      const id = message.kind === "notification" ? undefined : (message.id ?? undefined);
      if (message.kind === "notification") {
        this.#ports.judge.note(`a message of the ${side} was not passed on: ${why}`, "block", { from: side });
        return nowhere;
      }
      if (message.kind === "response" && id !== undefined) {
        this.#ports.judge.note(`an answer of the ${side} was not passed on: ${why}`, "block", { from: side });
        return { to: "other", value: errorOf(id, codes.internal, `hookwarden: ${why}`) };
      }
      return this.refused(side, id, message.kind === "response", codes.internal, why);
    }
  }
}

/** Returns the message with the judged form of one part. */
function passed(value: Fields, field: string, said: Said, refused: () => Passage): Passage {
  if ("refused" in said) return refused();
  return said.body === undefined ? on : { to: "other", value: { ...value, [field]: said.body } };
}

function refusedText(said: Said): string {
  return "refused" in said ? said.refused : "";
}

function forget(pending: PendingRequests, params: Fields): void {
  const id = own(params, "requestId");
  if (typeof id === "string" || typeof id === "number") pending.take(id);
}

/** Returns the fields of a request that are the arguments in the event of its answer. */
function argumentsOf(method: string, params: Fields): Fields {
  const { _meta: _, ...args } = params;
  return isBodyKind(method) ? args : {};
}
