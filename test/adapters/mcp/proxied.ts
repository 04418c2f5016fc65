import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProxy } from "../../../adapters/mcp/proxy.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { segmentsIn, sessionsIn } from "../../../store/segments.ts";

/** A JSON-RPC message as tests look at it: any field of it, however deep. */
// biome-ignore lint/suspicious/noExplicitAny: what a server answers has no type, and each test says what it expects of it.
export type Rpc = Readonly<Record<string, any>>;

/** What the small server says; a test may say it anew while it runs. */
export type Said = Readonly<Record<string, unknown>>;

const server = join(import.meta.dirname, "small-server.mjs");

/** A scratch folder with a home of its own. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly said: string;
  say(said: Said): void;
  records(): readonly AuditBody[];
  remove(): void;
}

export function makePlace(said: Said = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-mcp-")));
  const home = join(root, "home");
  const audit = join(home, ".local/state/hookwarden/audit");
  mkdirSync(home);
  const place: Place = {
    root,
    home,
    said: join(root, "said.json"),
    say: (what) => writeFileSync(join(root, "said.json"), JSON.stringify(what)),
    records: () =>
      sessionsIn(audit).flatMap((name) =>
        segmentsIn(join(audit, name))
          .flatMap(({ path }) => readFileSync(path, "utf8").split("\n"))
          .filter((line) => line !== "")
          .map((line) => (JSON.parse(line) as { body: AuditBody }).body)
          .filter(({ event }) => event !== "segment"),
      ),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  place.say(said);
  return place;
}

/** A running proxy in front of the small server, with the client in the test's hands. */
export class Proxied {
  readonly messages: Rpc[] = [];
  readonly lines: string[] = [];
  err = "";
  readonly exit: Promise<number>;
  readonly #abort = new AbortController();
  readonly #queue: Uint8Array[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  #id = 0;

  /** Without a policy text there is none at all. */
  constructor(
    place: Place,
    policy: string | undefined,
    more: {
      readonly session?: string;
      readonly env?: readonly string[];
      readonly command?: readonly string[];
      readonly variables?: Readonly<Record<string, string>>;
    } = {},
  ) {
    const file = join(place.root, "policy.yaml");
    if (policy !== undefined) writeFileSync(file, policy);
    const options = {
      command: more.command ?? [process.execPath, server, place.said],
      policies: policy === undefined ? [] : [file],
      set: {},
      env: more.env ?? [],
      server: "small",
      ...(more.session !== undefined && { session: more.session }),
      cwd: place.root,
      home: place.home,
      variables: { PATH: "/usr/bin:/bin", SECRET_OF_THE_AGENT: "x", HOME: place.home, ...more.variables },
      now: () => Date.now(),
    };
    this.exit = runProxy(options, {
      stdin: this.#stdin(),
      out: async (text) => this.#received(text),
      err: (text) => {
        this.err += text;
      },
      signal: this.#abort.signal,
    });
  }

  /** Sends bytes as they are. */
  raw(text: string | Uint8Array): void {
    this.#queue.push(typeof text === "string" ? Buffer.from(text) : text);
    this.#wake?.();
  }

  send(value: unknown): void {
    this.raw(`${JSON.stringify(value)}\n`);
  }

  /** A request, and its answer. */
  async ask(method: string, params?: unknown, id: string | number = ++this.#id): Promise<Rpc> {
    this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return this.until((message) => message["id"] === id && message["method"] === undefined);
  }

  call(name: string, args: unknown = {}): Promise<Rpc> {
    return this.ask("tools/call", { name, arguments: args });
  }

  async hello(): Promise<Rpc> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const answer = await this.ask("initialize", params);
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** The first message, already there or to come, that is meant. */
  async until(meant: (message: Rpc) => boolean): Promise<Rpc> {
    for (let tries = 0; tries < 6_000; tries++) {
      const found = this.messages.find(meant);
      if (found) return found;
      await new Promise((done) => setTimeout(done, 10));
    }
    throw new Error(`nothing came; standard error says:\n${this.err.slice(-2_000)}`);
  }

  async untilSaid(text: string): Promise<void> {
    for (let tries = 0; tries < 6_000 && !this.err.includes(text); tries++)
      await new Promise((done) => setTimeout(done, 10));
    if (!this.err.includes(text)) throw new Error(`not said: ${text}\n${this.err.slice(-2_000)}`);
  }

  /** Ends the client's side; the proxy's exit code. */
  async close(): Promise<number> {
    this.#closed = true;
    this.#wake?.();
    return this.exit;
  }

  abort(): void {
    this.#abort.abort();
  }

  #received(text: string): void {
    for (const line of text.split("\n").filter((part) => part !== "")) {
      this.lines.push(line);
      const value = JSON.parse(line) as Rpc | Rpc[];
      this.messages.push(...(Array.isArray(value) ? value : [value]));
    }
  }

  async *#stdin(): AsyncGenerator<Uint8Array> {
    while (true) {
      const chunk = this.#queue.shift();
      if (chunk) yield chunk;
      else if (this.#closed) return;
      else
        await new Promise<void>((done) => {
          this.#wake = done;
        });
    }
  }
}
