import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import type { InstalledHost } from "../hosts/install.ts";

/** A finding as the server shows it in an editor. */
export interface ShownDiagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

/** An entry of a completion list. */
export interface Proposal {
  readonly label: string;
  readonly insertText?: string;
  readonly textEdit?: { readonly newText: string };
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Nothing that the server is asked takes longer. */
const limit = 30_000;

/** Settings as an editor has them; no schema comes from a network. */
const settings = {
  yaml: {
    validate: true,
    hover: true,
    completion: true,
    schemaStore: { enable: false, url: "" },
    format: { enable: false },
  },
};

/** The YAML language server as a process, spoken to as an editor does (LSP over standard input and output). */
export class LanguageServer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #published = new Map<string, (found: readonly ShownDiagnostic[]) => void>();
  #buffer = Buffer.alloc(0);
  #next = 1;
  #version = 1;

  constructor({ node, script }: InstalledHost, home: string) {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    this.#process = spawn(node, [script, "--stdio"], { cwd: home, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#process.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#process.stderr.resume();
  }

  async start(folder: string): Promise<void> {
    const uri = pathToFileURL(folder).href;
    const textDocument = {
      completion: { completionItem: { snippetSupport: true } },
      hover: { contentFormat: ["markdown", "plaintext"] },
      publishDiagnostics: {},
    };
    await this.request("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "project" }],
      capabilities: { textDocument, workspace: { configuration: true, didChangeConfiguration: {} } },
    });
    this.#notify("initialized", {});
    this.#notify("workspace/didChangeConfiguration", { settings });
  }

  /** Opens a file with a text and gives what the server finds in it. */
  open(path: string, text: string): Promise<readonly ShownDiagnostic[]> {
    const uri = pathToFileURL(path).href;
    const found = within(
      new Promise<readonly ShownDiagnostic[]>((done) => this.#published.set(uri, done)),
      "diagnostics",
    );
    const version = this.#version++;
    this.#notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version, text } });
    return found;
  }

  async completion(path: string, line: number, character: number): Promise<readonly Proposal[]> {
    const given = { textDocument: { uri: pathToFileURL(path).href }, position: { line, character } };
    const list = (await this.request("textDocument/completion", given)) as { items?: Proposal[] } | Proposal[] | null;
    return Array.isArray(list) ? list : (list?.items ?? []);
  }

  async hover(path: string, line: number, character: number): Promise<string> {
    const given = { textDocument: { uri: pathToFileURL(path).href }, position: { line, character } };
    return JSON.stringify((await this.request("textDocument/hover", given)) ?? "");
  }

  end(): void {
    this.#process.kill();
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#next++;
    const answer = new Promise<Message>((done) => this.#waiting.set(id, done));
    this.#send({ id, method, params });
    return within(answer, method).then(({ result, error }) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    });
  }

  #notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  #send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.#process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#process.stdin.write(body);
  }

  #take(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const head = this.#buffer.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.toString("latin1", 0, head))?.[1]);
      const end = head + 4 + length;
      if (this.#buffer.length < end) return;
      const message = JSON.parse(this.#buffer.toString("utf8", head + 4, end)) as Message;
      this.#buffer = this.#buffer.subarray(end);
      this.#handle(message);
    }
  }

  #handle(message: Message): void {
    const { id, method } = message;
    if (method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: ShownDiagnostic[] };
      this.#published.get(uri)?.(diagnostics);
    } else if (method === "workspace/configuration" && id !== undefined) {
      const { items } = message.params as { items: { section?: string }[] };
      const result = items.map(({ section }) => (section === "yaml" ? settings.yaml : {}));
      this.#send({ id, result });
    } else if (method !== undefined && id !== undefined) {
      this.#send({ id, result: null });
    } else if (typeof id === "number") {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    }
  }
}

function within<T>(answer: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no ${what} within ${limit} ms`)), limit);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
