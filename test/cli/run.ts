import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import type { HumanWorld } from "../../cli/consent/human-world.ts";
import type { Io } from "../../cli/io.ts";
import { runCommandLine } from "../../cli/program.ts";
import { humanWho } from "./human.ts";

/** What a command printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What the terminal of the human showed. */
  readonly shown?: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Io["env"];
  readonly color?: boolean;
  readonly home?: string;
  /** What the human types when asked, `yes` for the word that is shown; without it there is no terminal. */
  readonly answer?: string;
  /** Another human, or others around. */
  readonly human?: HumanWorld;
}

/** Runs a command line in this process. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let out = "";
  let err = "";
  let shown = "";
  const io: Io = {
    cwd: options.cwd ?? tmpdir(),
    env: options.env ?? {},
    color: options.color ?? false,
    stdin: chunks(Buffer.from(options.stdin ?? "")),
    out: async (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ...(options.home !== undefined && { home: options.home }),
    ...(options.answer !== undefined && { ask: () => Promise.resolve(options.answer ?? "") }),
    human: async () =>
      options.human ??
      humanWho(options.answer, (text) => {
        shown += text;
      }),
  };
  const code = await runCommandLine(args, io);
  return { code, out, err, ...(shown !== "" && { shown }) };
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

/** A scratch folder of its own for each test that asks. */
export class Scratch {
  #path = "";

  constructor() {
    afterEach(() => {
      if (this.#path !== "") rmSync(this.#path, { recursive: true, force: true });
      this.#path = "";
    });
  }

  get path(): string {
    if (this.#path === "") this.#path = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-cli-")));
    return this.#path;
  }

  put(name: string, content: string | Uint8Array): string {
    const full = join(this.path, name);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  }
}

/** A small policy whose one rule blocks commands that name a file. */
export const demoPolicy = `version: 1
policy: demo
rules:
  - id: no-forbidden
    event: [tool_call, user_bash]
    tool: bash
    each: { c: shell.commands }
    when: { c.operands: { contains: FORBIDDEN } }
    action: block
    reason: the file is forbidden
    guidance: Choose another name.
    examples:
      match: ["touch FORBIDDEN"]
      no_match: ["touch other"]
`;

/** An event line. */
export function call(command: string, extra: object = {}): string {
  return `${JSON.stringify({ event: "tool_call", tool: "bash", args: { command }, ...extra })}\n`;
}
